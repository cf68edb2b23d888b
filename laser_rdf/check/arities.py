"""A local predicate has one arity (E130): `p(X)` and `p(X, Y)` are seldom meant to be different.

Names of RDF vocabularies are free: a class may have the name of a property.
"""

from __future__ import annotations

from collections.abc import Iterator

from laser_rdf.check.checked import TRIPLE, Predicate
from laser_rdf.check.codes import problem
from laser_rdf.check.context import Context
from laser_rdf.errors import Diagnostic, Span
from laser_rdf.lang.ast import TupleWindow


def one_arity(context: Context) -> Iterator[Diagnostic]:
    """One diagnostic for each arity of a local predicate beyond the first in the text."""
    first: dict[str, tuple[Predicate, Span]] = {}
    reported: set[Predicate] = set()
    for predicate, span in sorted(_uses(context), key=lambda use: (use[1].line, use[1].column)):
        if predicate.name == TRIPLE.name or not context.is_local(predicate.name):
            continue
        known, place = first.setdefault(predicate.name, (predicate, span))
        if predicate != known and predicate not in reported:
            reported.add(predicate)
            yield problem(
                "E130",
                f"`{context.signature(predicate)}` is also used as `{context.signature(known)}`",
                span,
                f"it is first used at {place}: give both the same number of arguments, or two names",
            )


def _uses(context: Context) -> Iterator[tuple[Predicate, Span]]:
    program = context.program
    refs = [*program.shows, *program.externals]
    for draft in context.drafts:
        yield from ((atom.predicate, span) for atom, span in zip(draft.head, draft.head_spans, strict=True))
        for found in draft.literals:
            yield from (
                (atom.predicate, span) for atom, span in zip(found.literal.atoms, found.spans, strict=True)
            )
            window = found.written.window
            if isinstance(window, TupleWindow) and window.of is not None:
                refs.append(window.of)
    for ref in refs:
        if ref.arity is not None:
            yield Predicate(ref.predicate, ref.arity), ref.span
