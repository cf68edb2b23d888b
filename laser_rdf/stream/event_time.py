"""Event time: elements that arrive out of order, twice, too late, or from a clock that runs ahead.

A stream promises that nothing is later than its `lateness`. Its watermark is the newest time seen minus the
lateness: what lies before it is complete and leaves in order, what still arrives before it is late.

    lateness 3; arrive 5, 4, 7, 9, 3, 8   →   leave 4, 5, 7, 8, 9; 3 is late: the watermark stood at 6
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from heapq import heappop, heappush

import pyoxigraph as ox

from laser_rdf.errors import UsageError
from laser_rdf.rdf import TimedGraph
from laser_rdf.rdf.problems import Policy
from laser_rdf.rdf.refusing import refuse

START = -1


@dataclass(frozen=True, slots=True)
class Lateness:
    """What a stream promises, in time points, and what becomes of elements that break the promise.

    `late` is `drop`, `fail` or `quarantine:DIR`; so is `ahead`, for an element more than `max_ahead` time
    points newer than all before it.
    """

    points: int = 0
    late: str = "drop"
    max_ahead: int | None = None

    def __post_init__(self) -> None:
        """Refuse what makes no sense."""
        if self.points < 0 or (self.max_ahead is not None and self.max_ahead < 1):
            raise UsageError("lateness is 0 or more, and `max_ahead` at least one time point")
        self.policy()

    def policy(self) -> Policy:
        """A policy with a count of its own."""
        return Policy("skip" if self.late == "drop" else self.late)


class Reordering:
    """Takes elements as they arrive, gives them in the order of time.

    >>> wait = Reordering("traffic", Lateness(points=3))
    >>> for time in (5, 4, 7, 9, 3, 8): wait.take(TimedGraph(time))
    >>> [graph.time for graph in wait.ready(wait.watermark)], [graph.time for graph in wait.rest()]
    ([4, 5], [7, 8, 9])
    >>> wait.late
    1
    """

    def __init__(self, name: str, lateness: Lateness) -> None:
        self._name = name
        self._lateness = lateness
        self._late = lateness.policy()
        self._ahead = lateness.policy()
        self._waiting: list[tuple[int, int, TimedGraph]] = []
        self._arrived = 0
        self._seen: dict[tuple[ox.NamedNode | ox.BlankNode, int], None] = {}
        self.newest = START
        self.duplicates = 0

    @property
    def watermark(self) -> int:
        """Everything before this time point has arrived."""
        return self.newest - self._lateness.points

    @property
    def late(self) -> int:
        """How many elements came too late."""
        return self._late.skipped

    @property
    def ahead(self) -> int:
        """How many elements were too far in the future."""
        return self._ahead.skipped

    def take(self, graph: TimedGraph) -> None:
        """An element arrives."""
        if graph.time < self.watermark:
            behind = self.watermark - graph.time
            refuse(
                graph,
                self._late,
                "I110",
                f"an element of time point {graph.time} came {behind} too late on `{self._name}`",
                "give the stream more lateness",
            )
            return
        limit = self._lateness.max_ahead
        if limit is not None and self.newest > START and graph.time > self.newest + limit:
            refuse(
                graph,
                self._ahead,
                "I111",
                f"time point {graph.time} lies {graph.time - self.newest} ahead on `{self._name}`",
                "correct the clock of the source, or raise `max_ahead`",
            )
            return
        if graph.name is not None:
            identity = graph.name, graph.time
            if identity in self._seen:
                self.duplicates += 1
                return
            self._seen[identity] = None
        heappush(self._waiting, (graph.time, self._arrived, graph))
        self._arrived += 1
        if graph.time > self.newest:
            self.newest = graph.time
            self._forget()

    def ready(self, watermark: int) -> Iterator[TimedGraph]:
        """What lies before a watermark, in the order of time."""
        while self._waiting and self._waiting[0][0] < watermark:
            yield heappop(self._waiting)[2]

    def rest(self) -> Iterator[TimedGraph]:
        """The stream has ended: all that waits."""
        while self._waiting:
            yield heappop(self._waiting)[2]

    def _forget(self) -> None:
        """Identities before the watermark need not be known: an element of such a time is late anyway."""
        if len(self._seen) > 2 * len(self._waiting) + 64:
            mark = self.watermark
            self._seen = {identity: None for identity in self._seen if identity[1] >= mark}


def reordered(elements: Iterable[TimedGraph], wait: Reordering) -> Iterator[TimedGraph]:
    """The elements of one stream in the order of time, as soon as the watermark has passed them."""
    for graph in elements:
        before = wait.newest
        wait.take(graph)
        if wait.newest > before:
            yield from wait.ready(wait.watermark)
    yield from wait.rest()
