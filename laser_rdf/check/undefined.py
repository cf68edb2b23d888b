"""Local predicates that nothing gives (W201): most often a slip of the pen."""

from __future__ import annotations

from collections.abc import Iterator

from laser_rdf.check.checked import TRIPLE, Predicate
from laser_rdf.check.codes import problem
from laser_rdf.check.context import Context
from laser_rdf.errors import Diagnostic


def predicates_are_given(context: Context) -> Iterator[Diagnostic]:
    """One warning for each predicate, at its first use in a body."""
    # By name: a predicate that is given with another arity is an error of its own, E130.
    names = {ref.predicate for ref in context.program.externals} | {p.name for p in context.given}
    seen: set[Predicate] = set()
    for draft in context.rules:
        for found in draft.literals:
            for atom, span in zip(found.literal.atoms, found.spans, strict=True):
                predicate = atom.predicate
                if predicate in seen:
                    continue
                seen.add(predicate)
                if predicate.name not in names and _is_missing(predicate, context):
                    signature = context.signature(predicate)
                    yield problem(
                        "W201",
                        f"nothing gives `{signature}`: no rule, no fact",
                        span,
                        f"if it comes from a stream, say so: `#external {signature} .`",
                    )


def _is_missing(predicate: Predicate, context: Context) -> bool:
    if predicate == TRIPLE or not context.is_local(predicate.name):
        return False
    if context.derived_as(predicate.name) or context.graph.may_derive(predicate):
        return False
    return context.inputs is None or predicate not in context.inputs
