"""What the future holds: at which evaluation times rows expire or windows open.

Nothing is searched: everything that will happen is filed under the time at which it does.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush

from laser_rdf.engine.annotations import FOREVER
from laser_rdf.engine.tables import Row


class Agenda:
    """Wake times in order, with what to do at each."""

    def __init__(self) -> None:
        self._times: list[int] = []
        self._expiring: dict[int, list[int]] = {}
        self._again: dict[int, dict[tuple[int, Row], None]] = {}
        self._opening: dict[int, list[tuple[int, list[Row], int]]] = {}
        self._known: set[int] = set()

    def wake(self, time: int) -> None:
        """Something happens at this time."""
        if time not in self._known:
            self._known.add(time)
            heappush(self._times, time)

    def expires(self, buckets: dict[int, list[Row]], number: int, horizon: int, keys: list[Row]) -> None:
        """Rows of a table hold to their horizon; the table is looked at when it has passed."""
        if keys and horizon < FOREVER:
            bucket = buckets.get(horizon)
            if bucket is None:
                buckets[horizon] = keys.copy()
                self._expiring.setdefault(horizon + 1, []).append(number)
                self.wake(horizon + 1)
            else:
                bucket.extend(keys)

    def later(self, time: int, number: int, key: Row) -> None:
        """A row is joined again at this time, because a window opens for it then."""
        self._again.setdefault(time, {})[number, key] = None
        self.wake(time)

    def opens(self, time: int, number: int, keys: list[Row], horizon: int) -> None:
        """Rows enter a table at this time."""
        self._opening.setdefault(time, []).append((number, keys, horizon))
        self.wake(time)

    def next_time(self) -> int | None:
        """The next time at which something happens."""
        return self._times[0] if self._times else None

    def due(
        self,
        now: int,
        expire: Callable[[int, int], None],
        again: Callable[[int, Row], None],
        open_: Callable[[int, list[Row], int], None],
    ) -> None:
        """Hand out everything up to now."""
        while self._times and self._times[0] <= now:
            time = heappop(self._times)
            self._known.discard(time)
            for number in self._expiring.pop(time, ()):
                expire(number, time - 1)
            for number, key in self._again.pop(time, ()):
                again(number, key)
            for number, keys, horizon in self._opening.pop(time, ()):
                open_(number, keys, horizon)
