"""A variable is assigned at most once, and not when an atom binds it (E135)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from laser_rdf.check.binding import Binders
from laser_rdf.check.codes import problem
from laser_rdf.check.context import Context
from laser_rdf.check.variables import written
from laser_rdf.errors import Diagnostic
from laser_rdf.lang.ast import Aggregate, Assignment, BodyItem


def assigned_once(context: Context) -> Iterator[Diagnostic]:
    """The assignments to variables that have a value already, in bodies and between braces."""
    for draft in context.rules:
        yield from _scope(draft.rule.body, draft.body.binders)
        for found in draft.aggregates:
            yield from _scope(found.written.body, found.inner.binders)


def _scope(items: Sequence[BodyItem], known: Binders) -> Iterator[Diagnostic]:
    assigned: set[str] = set()
    for item in items:
        if not isinstance(item, Assignment | Aggregate):
            continue
        name, shown = item.target.name, written(item.target.name)
        note = f"write `=` to compare `{shown}` with the value"
        if isinstance(item, Aggregate):
            note = f"assign the aggregate to a new variable and compare that with `{shown}`"
        if name in known.arguments:
            yield problem("E135", f"`{shown}` is assigned although an atom binds it", item.target.span, note)
        elif name in known.given:
            outside = f"`{shown}` is assigned between the braces although it is bound outside"
            yield problem("E135", outside, item.target.span, note)
        elif name in assigned:
            yield problem("E135", f"`{shown}` is assigned twice", item.target.span, note)
        assigned.add(name)
