"""Which variables an item binds, and which it needs bound.

X matched in p(X, T)   binds X and T, needs nothing;   T within [5]   needs T
"""

from __future__ import annotations

from collections.abc import Iterable

from laser_rdf.check.variables import names as expression_names
from laser_rdf.plan.core import (
    Absent,
    Group,
    InPhase,
    Item,
    Let,
    Match,
    NotEmptyAt,
    NowWithinAt,
    Opened,
    PointInPhase,
    Started,
    Test,
    Ticking,
    TimeOf,
    V,
    Within,
    WithinAt,
)


def bound_by(items: Iterable[Item]) -> set[str]:
    """The variables the items can bind."""
    bound: set[str] = set()
    for item in items:
        match item:
            case Match(row=row):
                bound |= {s.name for s in row if isinstance(s, V)}
            case Group(target=target) | Let(target=target) | TimeOf(target=target):
                bound.add(target.name)
            case Ticking(time=time):
                bound.add(time.name)
    return bound


def needed_by(items: Iterable[Item]) -> set[str]:
    """The variables the items need, taking each alone."""
    return set().union(*(_needs(item) for item in items))


def _needs(item: Item) -> set[str]:
    match item:
        case Match() | Ticking() | InPhase() | Opened():
            return set()
        case Absent(row=row):
            return {s.name for s in row if isinstance(s, V)}
        case Group(groups=groups):
            return {g.name for g in groups}
        case Let(value=value) | TimeOf(value=value):
            return set(expression_names(value))
        case Test(comparison=comparison):
            return set(expression_names(comparison.left)) | set(expression_names(comparison.right))
        case Within(time=time) | PointInPhase(time=time) | Started(time=time):
            return {time.name}
        case WithinAt(time=time, reference=reference):
            return {time.name, reference.name}
        case NowWithinAt(reference=reference) | NotEmptyAt(reference=reference):
            return {reference.name}


def time_variables(items: Iterable[Item]) -> set[str]:
    """The variables that stand for time points."""
    found: set[str] = set()
    for item in items:
        match item:
            case Within(time=time) | PointInPhase(time=time) | Started(time=time) | Ticking(time=time):
                found.add(time.name)
            case WithinAt(time=time, reference=reference):
                found |= {time.name, reference.name}
            case NowWithinAt(reference=reference) | NotEmptyAt(reference=reference):
                found.add(reference.name)
    return found


__all__ = ["bound_by", "expression_names", "needed_by", "time_variables"]
