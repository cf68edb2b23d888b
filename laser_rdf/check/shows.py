"""`#show` of predicates that no rule derives (W206): nothing of them is ever output."""

from __future__ import annotations

from collections.abc import Iterator

from laser_rdf.check.checked import TRIPLE, Predicate
from laser_rdf.check.codes import problem
from laser_rdf.check.context import Context
from laser_rdf.errors import Diagnostic
from laser_rdf.lang.ast import PredicateRef


def shown_is_derived(context: Context) -> Iterator[Diagnostic]:
    """The names in `#show` that stand for nothing."""
    for ref in context.program.shows:
        if not _derived(ref, context):
            shown = context.name(ref.predicate) if ref.arity is None else context.signature(_predicate(ref))
            yield problem(
                "W206",
                f"`#show` of `{shown}`, which no rule derives",
                ref.span,
                "only what rules derive is output: facts and input are not",
            )


def _derived(ref: PredicateRef, context: Context) -> bool:
    if ref.predicate == TRIPLE.name:
        return False  # what a generic head derives goes by its own predicate
    if ref.arity is None:
        # A head with a variable predicate may derive a triple of this name.
        return bool(context.derived_as(ref.predicate)) or TRIPLE in context.graph.derived
    return context.graph.may_derive(_predicate(ref))


def _predicate(ref: PredicateRef) -> Predicate:
    return Predicate(ref.predicate, ref.arity or 0)
