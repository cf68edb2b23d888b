"""Windows: which part of the stream a literal looks at (semantics, section 2).

[3] at 41, t0 = 36   →   View(timeline=(38, 41), atoms at 38, 39, 40 and 41)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import assert_never

from laser_rdf.check import (
    TRIPLE,
    CheckedLiteral,
    Everything,
    GroundAtom,
    LastAtoms,
    LastPer,
    ResolvedWindow,
    TimeSpan,
)
from laser_rdf.reference.atoms import Atoms, arguments
from laser_rdf.reference.stream import Arrival, DataStream
from laser_rdf.values import RDF_TYPE, Term


@dataclass(slots=True)
class View:
    """What a window shows: its timeline, first and last point included, and the atoms at each point.

    Without a last point the timeline is open towards the future; without a first one it is empty.
    """

    first: int | None
    last: int | None
    atoms: dict[int, Atoms] = field(default_factory=lambda: defaultdict(Atoms))

    def contains(self, time: int) -> bool:
        """Whether the time point lies on the timeline."""
        return self.first is not None and self.first <= time and (self.last is None or time <= self.last)

    @property
    def is_empty(self) -> bool:
        """Whether the timeline has no time point at all."""
        return self.first is None or (self.last is not None and self.last < self.first)


def view(
    literal: CheckedLiteral,
    data: DataStream,
    derived: Iterable[tuple[int, GroundAtom]],
    now: int,
    reference: int,
) -> View:
    """What the literal's window shows at its reference time of what arrived until now and what is derived."""
    assert data.start is not None
    first, last = _timeline(literal.window, reference, data.start)
    arrivals = list(data.until(now, literal.stream))
    match literal.window:
        case LastAtoms() | LastPer():
            countable = [a for a in arrivals if a.time <= reference and (a.time, a.atom) in data.counted]
            arrivals = _last_arrivals(literal, countable)
            if isinstance(literal.window, LastAtoms) and len(arrivals) == literal.window.count:
                first = arrivals[0].time
    result = View(first, last)
    for arrival in arrivals:
        if result.contains(arrival.time):
            result.atoms[arrival.time].add(arrival.atom)
    if shows_derived(literal):
        for time, atom in derived:
            if result.contains(time):
                result.atoms[time].add(atom)
    return result


def shows_derived(literal: CheckedLiteral) -> bool:
    """Whether the literal looks at what rules derive, not only at what arrived."""
    counts = isinstance(literal.window, LastAtoms | LastPer)
    return not literal.input_only and literal.stream is None and not counts


def _timeline(window: ResolvedWindow | None, reference: int, start: int) -> tuple[int | None, int | None]:
    match window:
        case None:
            return start, None
        case Everything() | LastAtoms() | LastPer():
            return start, reference
        case TimeSpan(back=back, ahead=ahead, step=step):
            pivot = reference // step * step
            return max(start, pivot - back), pivot + ahead
        case _:
            assert_never(window)


def _last_arrivals(literal: CheckedLiteral, arrivals: list[Arrival]) -> list[Arrival]:
    """The arrivals a tuple or partition window keeps, oldest first."""
    match literal.window:
        case LastAtoms(count=count, name=name, arity=arity):
            counted = [a for a in arrivals if name is None or is_called(a.atom, name, arity)]
            return counted[-count:]
        case LastPer(count=count, positions=positions):
            (pattern,) = literal.atoms
            groups: dict[tuple[Term, ...], list[Arrival]] = defaultdict(list)
            for arrival in arrivals:
                args = arguments(arrival.atom, pattern.predicate)
                if args is not None:
                    groups[tuple(args[i] for i in positions)].append(arrival)
            return [arrival for group in groups.values() for arrival in group[-count:]]
        case _:
            raise AssertionError(literal.window)


def is_called(atom: GroundAtom, name: str, arity: int | None) -> bool:
    """Whether the atom counts for `#n of name`; triples also go by the names `triple` and `rdf:type`."""
    own = atom.predicate
    if name == own.name and arity in (None, own.arity):
        return True
    if name == TRIPLE.name:
        return own.arity in (1, 2) and arity in (None, 3)
    return name == RDF_TYPE and own.arity == 1 and arity in (None, 2)
