"""Join orders: in which order the items of a body are carried out when some variables are bound.

    body p(X,Y), r(Y,Z), Z > 3 with X bound   →   p(X,Y) by column 1;  r(Y,Z) by column 1;  Z > 3

Tests and computed values come as soon as their variables are bound; then the row lookup that is most
constrained: fully bound first, then the one with most bound columns, then the one written first.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from laser_rdf.plan.core import C, InPhase, Item, Match, NowWithinAt, Opened, Ticking, V, Within
from laser_rdf.plan.variables import bound_by, needed_by


@dataclass(frozen=True, slots=True)
class Lookup:
    """A row lookup and the columns that are bound when it is done."""

    item: Match
    columns: tuple[int, ...]


Step = Lookup | Item

HORIZONS = (Within, NowWithinAt, InPhase, Opened)
"""Items that hold for a stretch of evaluation time, which may begin later."""


def join_order(body: Iterable[Item], bound: Iterable[str], *, has_row: bool = True) -> list[Step]:
    """The items in the order in which they are carried out.

    Without a row to start from, items that may have to be looked at again later wait for the first row:
    it is the row that is looked at again.
    """
    known = set(bound)
    rest = list(body)
    steps: list[Step] = []
    while rest:
        has_row = has_row or not any(isinstance(item, Match) for item in rest)
        item = _next(rest, known, has_row)
        has_row = has_row or isinstance(item, Match)
        rest.remove(item)
        steps.append(Lookup(item, bound_columns(item, known)) if isinstance(item, Match) else item)
        known |= bound_by([item])
    return steps


def bound_columns(item: Match, known: set[str]) -> tuple[int, ...]:
    """The columns of the row whose value is known."""
    return tuple(
        i for i, s in enumerate(item.row) if isinstance(s, C) or (isinstance(s, V) and s.name in known)
    )


def _next(rest: list[Item], known: set[str], has_row: bool) -> Item:
    for item in rest:
        if isinstance(item, Match | Ticking) or (not has_row and isinstance(item, HORIZONS)):
            continue
        if needed_by([item]) <= known:
            return item
    lookups = [item for item in rest if isinstance(item, Match)]
    if lookups:
        return max(lookups, key=lambda item: (_is_full(item, known), len(bound_columns(item, known))))
    ticking = next((item for item in rest if isinstance(item, Ticking)), None)
    assert ticking is not None, rest
    return ticking


def _is_full(item: Match, known: set[str]) -> bool:
    return len(bound_columns(item, known)) == len(item.row)
