"""What windows can still see of the streams, kept so that a changed background can be applied to it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from laser_rdf.check import CheckedProgram
from laser_rdf.check.lookback import lookback_of
from laser_rdf.pipeline.merging import Arrived


class History:
    """The elements of the time points that some program can see.

    A program that reads another sees what that one said, which hangs on what it could see in turn: their
    look-backs add up.

    >>> history = History([])
    >>> history.add(1, {}); history.add(2, {})
    >>> [time for time, _ in history]
    [2]
    """

    def __init__(self, programs: Iterable[CheckedProgram]) -> None:
        self._points: deque[tuple[int, Arrived]] = deque()
        self.reach: int | None = 0
        self.programs(programs)

    def programs(self, programs: Iterable[CheckedProgram], scope: int = 0) -> None:
        """The programs that look back have changed; what they see hangs on `scope` time points before."""
        reaches = [lookback_of(program) for program in programs]
        # One more each: what became true at a time point hangs on the one before.
        self.reach = None if None in reaches else sum(r + 1 + scope for r in reaches if r is not None)

    def add(self, time: int, arrived: Arrived) -> None:
        """The elements of a time point; what nobody can see any more is forgotten."""
        self._points.append((time, arrived))
        if self.reach is not None:
            while self._points[0][0] < time - self.reach:
                self._points.popleft()

    def __iter__(self) -> Iterator[tuple[int, Arrived]]:
        return iter(self._points)
