"""Where the time of a run goes, phase by phase."""

from __future__ import annotations

from time import perf_counter_ns

PHASES = ("read", "enrich", "map", "evaluate", "emit", "write")


class Phases:
    """Nanoseconds per phase; a phase lasts from one call to the next.

    >>> phases = Phases()
    >>> phases.begin(); phases.end("read"); phases.seconds()["read"] >= 0
    True
    """

    __slots__ = ("_since", "spent")

    def __init__(self) -> None:
        self.spent = dict.fromkeys(PHASES, 0)
        self._since = perf_counter_ns()

    def begin(self) -> None:
        """What happened since the last call belongs to no phase."""
        self._since = perf_counter_ns()

    def end(self, phase: str) -> None:
        """What happened since the last call belongs to this phase."""
        now = perf_counter_ns()
        self.spent[phase] += now - self._since
        self._since = now

    def seconds(self) -> dict[str, float]:
        """Seconds per phase."""
        return {phase: spent / 1e9 for phase, spent in self.spent.items()}
