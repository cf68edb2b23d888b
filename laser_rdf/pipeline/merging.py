"""Several streams as one, time point by time point.

traffic: 1, 3      weather: 1, 2     →     (1, {traffic, weather}), (2, {weather}), (3, {traffic})
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping
from math import inf

from laser_rdf.errors import LaserError, UsageError
from laser_rdf.rdf import TimedGraph

Arrived = dict[str, list[TimedGraph]]
"""The elements of one time point, by stream."""

_Entry = tuple[int, float, str, TimedGraph | LaserError]


def time_points(streams: Mapping[str, Iterable[TimedGraph]]) -> Iterator[tuple[int, Arrived, int | None]]:
    """All that arrives at a time point together, in the order of time and of the streams.

    With it comes the next time point at which something arrives, None at the end: up to there nothing can
    happen that is not known.

    A problem of one stream is raised when everything up to the time it had reached has been delivered.

    >>> graphs = {"a": [TimedGraph(1), TimedGraph(3)], "b": [TimedGraph(1)]}
    >>> [(time, sorted(arrived), following) for time, arrived, following in time_points(graphs)]
    [(1, ['a', 'b'], 3), (3, ['a'], None)]
    """
    tagged = [_tagged(number, name, graphs) for number, (name, graphs) in enumerate(streams.items())]
    current: int | None = None
    arrived: Arrived = {}
    for time, _, name, found in heapq.merge(*tagged, key=lambda entry: entry[:2]):
        if isinstance(found, LaserError):
            if arrived:
                assert current is not None
                yield current, arrived, None
            raise found
        if time != current:
            if current is not None:
                yield current, arrived, time
            current, arrived = time, {}
        arrived.setdefault(name, []).append(found)
    if current is not None:
        yield current, arrived, None


def _tagged(number: int, name: str, graphs: Iterable[TimedGraph]) -> Iterator[_Entry]:
    reached = -1
    try:
        for graph in graphs:
            if graph.time < reached:
                raise UsageError(f"stream `{name}` goes back in time: {graph.time} after {reached}")
            reached = graph.time
            yield reached, number, name, graph
    except LaserError as problem:
        yield reached, inf, name, problem
