"""What a run costs: time per time point, percentiles, memory.

A pipeline is driven from outside, by `push`. A time point is over when the next one begins: then it is
answered. Its time is that of pushing its graphs and of answering it; what the check of completeness needs to
know is written down in between and not counted.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from time import perf_counter_ns, sleep

from laser_rdf.bench.report import Row
from laser_rdf.pipeline import Pipeline
from laser_rdf.rdf import TimedGraph
from laser_rdf.rdf.emit_graph import ResultGraph

PERCENTILES = (50, 95, 99)

Point = tuple[int, list[tuple[str, TimedGraph]]]
"""A time point with its graphs, each with the stream it is on."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A time point that was answered: how long that took, and in a paced run how late the answer was."""

    time: int
    graphs: int
    nanoseconds: int
    late_ns: int | None
    results: list[ResultGraph]


def percentile(values: Sequence[float], percent: float) -> float:
    """The smallest value that at least so many percent do not exceed (nearest rank).

    >>> percentile([15, 20, 35, 40, 50], 30), percentile([15, 20, 35, 40, 50], 100), percentile([7], 50)
    (20, 50, 7)
    """
    ordered = sorted(values)
    return ordered[max(ceil(len(ordered) * percent / 100), 1) - 1]


def percentiles(name: str, values: Sequence[float]) -> Row:
    """The columns of a row for some times.

    >>> percentiles("ms", [1.0, 2.0, 3.0])
    {'ms_p50': 2.0, 'ms_p95': 3.0, 'ms_p99': 3.0}
    """
    return {f"{name}_p{percent}": round(percentile(values, percent), 4) for percent in PERCENTILES}


def quantiles(values: Sequence[float], steps: int = 100) -> list[float]:
    """A distribution in few numbers: the values at 0, 1, … 100 percent.

    >>> quantiles([1.0, 2.0, 3.0], steps=2)
    [1.0, 2.0, 3.0]
    """
    ordered = sorted(values)
    last = len(ordered) - 1
    return [round(ordered[round(last * step / steps)], 4) for step in range(steps + 1)]


def drive(pipeline: Pipeline, points: Iterable[Point], tick_ns: int | None = None) -> Iterator[Answered]:
    """Push time point after time point; each is given back when it has been answered.

    With a tick, the length of a time point, none is pushed before it is due. How late an answer is counts
    from the end of its time point.
    """
    before: tuple[int, int, int] | None = None
    first: int | None = None
    began = perf_counter_ns()
    spent = pipeline.phases.spent
    for time, graphs in points:
        first = time if first is None else first
        due = None if tick_ns is None else began + (time - first) * tick_ns
        if due is not None and (wait := due - perf_counter_ns()) > 0:
            sleep(wait / 1e9)
        (name, graph), *rest = graphs
        aside = spent["write"]
        since = perf_counter_ns()
        results = pipeline.push(name, time, graph.triples)
        until = perf_counter_ns()
        took = until - since - (spent["write"] - aside)
        if before is not None:
            end = None if tick_ns is None else began + (before[0] + 1 - first) * tick_ns
            yield Answered(before[0], before[1], before[2] + took, end and max(until - end, 0), results)
        since = perf_counter_ns()
        for name, graph in rest:
            pipeline.push(name, time, graph.triples)
        before = time, len(graphs), perf_counter_ns() - since
    if before is not None:
        aside = spent["write"]
        since = perf_counter_ns()
        results = pipeline.close()
        took = perf_counter_ns() - since - (spent["write"] - aside)
        yield Answered(before[0], before[1], before[2] + took, None, results)


class Memory:
    """The resident memory of this process, looked at now and then.

    >>> memory = Memory(every_ns=0)
    >>> memory.look(0); memory.look(10**9)
    >>> [second for second, megabytes in memory.seen if megabytes > 0]
    [0.0, 1.0]
    """

    def __init__(self, every_ns: int = 20_000_000) -> None:
        self._every = every_ns
        self._next = 0
        self.seen: list[tuple[float, float]] = []

    def look(self, nanoseconds: int) -> None:
        """Look, unless that was done a moment ago."""
        if nanoseconds >= self._next:
            self._next = nanoseconds + self._every
            self.seen.append((round(nanoseconds / 1e9, 3), round(resident_bytes() / 1e6, 2)))

    def series(self, most: int = 200) -> list[tuple[float, float]]:
        """What was seen, thinned out."""
        step = -(-len(self.seen) // most) or 1
        return self.seen[::step]


def resident_bytes() -> int:
    """The memory of this process now; where the system does not say it, at its largest."""
    try:
        pages = int(Path("/proc/self/statm").read_bytes().split()[1])
    except (OSError, ValueError, IndexError):
        return peak_bytes()
    return pages * os.sysconf("SC_PAGE_SIZE")


def peak_bytes() -> int:
    """The most memory that this process has had."""
    try:
        for line in Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    import resource  # not there on every system

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
