"""The data stream: which atoms arrived when, in which order (semantics, section 1).

add(36, [a(x1, y)]); add(38, [a(x2, y), b(y, z)])   →   three arrivals, t0 = 36
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from laser_rdf.check import GroundAtom
from laser_rdf.errors import UsageError


@dataclass(frozen=True, slots=True)
class Arrival:
    """An atom that arrived at a time point."""

    time: int
    atom: GroundAtom


class DataStream:
    """Everything that has arrived, never forgotten: as one stream, and by the stream it came on."""

    def __init__(self, start: int | None = None) -> None:
        self.start = start
        self._last = start
        self._arrivals: dict[str | None, dict[Arrival, None]] = {None: {}}
        self.counted: set[tuple[int, GroundAtom]] = set()

    def add(
        self, time: int, atoms: Iterable[GroundAtom], stream: str | None = None, *, counts: bool = True
    ) -> None:
        """Atoms in the order of their arrival; one that came before at this time point counts once.

        Entailed atoms are there like the others, but no window that counts atoms counts them.
        """
        if self.start is None:
            self.start = time
        if time < self.start:
            raise UsageError(f"input at {time} lies before the start of the timeline, {self.start}")
        if self._last is not None and time < self._last:
            raise UsageError(f"time goes backwards: {time} after {self._last}")
        self._last = time
        for atom in atoms:
            for key in {None, stream}:
                self._arrivals.setdefault(key, {})[Arrival(time, atom)] = None
            if counts:
                self.counted.add((time, atom))

    def until(self, time: int, stream: str | None = None) -> Iterator[Arrival]:
        """The arrivals up to a time point, oldest first; only those on a stream when it is named."""
        return (arrival for arrival in self._arrivals.get(stream, ()) if arrival.time <= time)
