"""The data stream: which atoms arrived when, in which order (semantics, section 1).

add(36, [a(x1, y)]); add(38, [a(x2, y), b(y, z)])   →   three arrivals, t0 = 36
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from laser_rdf.check import GroundAtom
from laser_rdf.errors import UsageError


@dataclass(slots=True)
class Arrival:
    """An atom that arrived at a time point, on one stream or on several."""

    time: int
    atom: GroundAtom
    streams: set[str] = field(default_factory=set)


class DataStream:
    """Everything that has arrived, never forgotten."""

    def __init__(self, start: int | None = None) -> None:
        self.start = start
        self._arrivals: list[Arrival] = []
        self._at_last: dict[GroundAtom, Arrival] = {}
        self._last = start

    def add(self, time: int, atoms: Iterable[GroundAtom], stream: str | None = None) -> None:
        """Atoms in the order of their arrival; one that came before at this time point counts once."""
        if self._last is not None and time < self._last:
            raise UsageError(f"time goes backwards: {time} after {self._last}")
        if self.start is None:
            self.start = time
        if time != self._last:
            self._last = time
            self._at_last = {}
        for atom in atoms:
            arrival = self._at_last.get(atom)
            if arrival is None:
                arrival = self._at_last[atom] = Arrival(time, atom)
                self._arrivals.append(arrival)
            if stream is not None:
                arrival.streams.add(stream)

    def until(self, time: int, stream: str | None = None) -> Iterator[Arrival]:
        """The arrivals up to a time point, oldest first; only those on a stream when it is named."""
        return (a for a in self._arrivals if a.time <= time and (stream is None or stream in a.streams))
