"""`always`: which atoms hold at every point of the window that ends now.

An atom must be there at now itself, so only what arrived, was pinned at, or floats at the current time point
is looked at. For input alone it is enough to know since when an atom has come at every time point.
"""

from __future__ import annotations

from collections.abc import Iterable

from laser_rdf.engine.tables import Row, Table


class Coverage:
    """Finds the rows of one `always` relation."""

    def __init__(
        self,
        back: int | None,
        floating: Table | None,
        pinned: Table | None,
        column: int,
        *,
        ahead: bool,
        durable: bool,
    ) -> None:
        """`back` is the window's length, None for everything; `column` is the time of pinned rows, which may
        lie `ahead` of now and are `durable` when nothing withdraws them."""
        self.back = back
        self.floating = floating
        self.pinned = pinned
        self._by_time = pinned.index((column,)) if pinned is not None else {}
        self._may_lie_ahead = ahead
        self._durable = durable
        self._runs: dict[Row, int] = {}
        """For each atom pinned at `_run_end` for as long as the window sees it: since when that is so."""

        self._run_end = -2
        self._time = -2
        self._since: dict[Row, int] = {}
        """For each atom that arrived at `_time`: since when it has at every time point."""

        self._before: dict[Row, int] = {}
        """The same for the time point before."""

        self._times: dict[Row, list[int]] = {}
        """When atoms arrived, where arrivals and derivations can cover a window together."""

    def arrive(self, keys: Iterable[Row], now: int) -> None:
        """Atoms arrived now."""
        if now != self._time:
            self._before = self._since if now == self._time + 1 else {}
            self._time, self._since = now, {}
        for key in keys:
            if key not in self._since:
                self._since[key] = self._before.get(key, now)
                if self._is_mixed:
                    self._times.setdefault(key, []).append(now)

    @property
    def _is_mixed(self) -> bool:
        return self.floating is not None or self.pinned is not None

    def find(self, now: int, start: int) -> list[Row]:
        """The rows that hold at every point from the start of the window to now."""
        first = start if self.back is None else max(start, now - self.back)
        arrived = self._since if self._time == now else {}
        if not self._is_mixed:
            return [key for key, since in arrived.items() if since <= first]
        candidates: dict[Row, None] = dict.fromkeys(arrived)
        if self.floating is not None:
            candidates.update((key, None) for key, h in self.floating.rows.items() if h >= now)
        if self.pinned is not None:
            rows = self.pinned.rows
            at_now = [key for key in self._by_time.get(now, ()) if rows[key] >= now]
            self._follow_runs(at_now, now)
            for key in at_now:
                candidates[key[:-1]] = None
        return [key for key in candidates if self._is_covered(key, first, now)]

    def _follow_runs(self, pinned_now: list[Row], now: int) -> None:
        """Since when atoms have been pinned at every point, so that the points need not be gone through."""
        if not self._durable or self.back is None or self.pinned is None:
            return
        before = self._runs if self._run_end in (now, now - 1) else {}
        rows, end = self.pinned.rows, now + self.back
        self._runs = {key[:-1]: before.get(key[:-1], now) for key in pinned_now if rows[key] >= end}
        self._run_end = now

    def _is_covered(self, key: Row, first: int, now: int) -> bool:
        """Whether every point before now is covered; now is."""
        since = min(self._since.get(key, now) if self._time == now else now, self._runs.get(key, now))
        if since <= first:
            return True
        arrivals = set(self._times.get(key, ()))
        rows = self.pinned.rows if self.pinned is not None else {}
        return all(t in arrivals or rows.get((*key, t), -1) >= now for t in range(since - 1, first - 1, -1))

    def forget(self, now: int) -> None:
        """Drop arrivals that no window can see any more."""
        if self.back is not None and self._times:
            first = now - self.back
            kept = {key: [t for t in times if t >= first] for key, times in self._times.items()}
            self._times = {key: times for key, times in kept.items() if times}

    def wakes_at(self, now: int) -> int | None:
        """The next time at which a row may be found although nothing arrives."""
        if self.floating is not None and self.floating.rows:
            return now + 1
        if self.pinned is not None:
            return min((t for t in self._by_time if t > now), default=None) if self._may_lie_ahead else None
        return None
