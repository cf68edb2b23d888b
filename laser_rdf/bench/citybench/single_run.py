"""One run: some copies of one query over one background at one rate, measured and checked.

`python -m laser_rdf.bench.citybench.single_run` reads a task as JSON from standard input and prints what was
measured as JSON. The benchmark runs every task that way, so that each has its memory for itself.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from math import ceil
from pathlib import Path
from time import perf_counter, perf_counter_ns

from laser_rdf.bench.citybench.completeness import Judge, Verdict, rounded
from laser_rdf.bench.citybench.copies import without_copies
from laser_rdf.bench.citybench.layout import CityBench, clock_of
from laser_rdf.bench.citybench.measuring import (
    Answered,
    Memory,
    Point,
    drive,
    peak_bytes,
    percentiles,
    quantiles,
    resident_bytes,
)
from laser_rdf.bench.citybench.queries import CITY_QUERIES, CityQuery
from laser_rdf.bench.report import Row
from laser_rdf.errors import LaserError, UsageError
from laser_rdf.pipeline import Pipeline
from laser_rdf.rdf import TimedGraph
from laser_rdf.rdf.documents import read_document
from laser_rdf.stream.results import Change

WARM_UP = 5
"""One of so many time points, the first ones, is not counted: windows fill, caches are cold."""

FILES = ("data", "copied", "expected")
REFERENCE, SPARQL = "reference evaluator", "SPARQL query"

Seen = dict[int, frozenset[str]]
"""What holds at time points, as N-Triples without the dots."""


@dataclass(frozen=True, slots=True)
class Task:
    """What to run; `elements` counts rows per stream, `rate` rows per stream and second of stream time."""

    data: str
    query: str
    copies: int = 1
    background: int = 1
    copied: str | None = None
    """The file with the copies of the repository."""

    rate: float = 50.0
    paced: bool = False
    elements: int = 1000
    samples: int = 5
    """How many time points are checked."""

    expected: str | None = None
    """The file that keeps what the judges say."""


class State:
    """What holds, kept by the changes that the pipeline tells."""

    def __init__(self) -> None:
        self.lines: set[str] = set()

    def __call__(self, change: Change) -> None:
        """Take a change."""
        if change.anew:
            self.lines.clear()
        self.lines.difference_update(_lines(change.removed))
        self.lines.update(_lines(change.added))


def measure(task: Task) -> tuple[Row, Row]:
    """The figures of a run, and its series for pictures."""
    query, bench = CITY_QUERIES[task.query], CityBench(task.data)
    points = read_points(bench, query, task)
    memory, began = Memory(), perf_counter_ns()
    memory.look(0)
    state = State()
    pipeline = made(bench, query, task, state)
    loading = perf_counter()
    pipeline.begin()
    loaded = perf_counter() - loading
    memory.look(perf_counter_ns() - began)
    at_start = resident_bytes()
    wanted = sampled([time for time, _ in points], task.samples)
    seen: Seen = {}
    verdict = Verdict()
    answered: list[Answered] = []
    answers = 0
    tick = pipeline.clock.unit_ms * 1_000_000 if task.paced else None
    for found in drive(pipeline, points, tick):
        memory.look(perf_counter_ns() - began)
        if found.time in wanted:
            seen[found.time] = frozenset(state.lines)
        answers += told(found, task.copies, verdict)
        answered.append(Answered(found.time, found.graphs, found.nanoseconds, found.late_ns, []))
    peak = peak_bytes()
    phases = pipeline.summary().phases
    check(bench, query, task, points, seen, verdict)
    counted = answered[len(answered) // WARM_UP :]
    per_graph = [each.nanoseconds / each.graphs / 1e6 for each in counted for _ in range(each.graphs)]
    late = [each.late_ns / 1e6 for each in counted if each.late_ns is not None]
    graphs = sum(each.graphs for each in counted)
    parameters = {key: value for key, value in asdict(task).items() if key not in FILES}
    row: Row = {
        **parameters,
        "streams": len(query.streams),
        "graphs": graphs,
        "points": len(counted),
        "tick_ms": pipeline.clock.unit_ms,
        "skipped_rows": bench.skipped,
        **percentiles("graph_ms", per_graph),
        **percentiles("point_ms", [each.nanoseconds / 1e6 for each in counted]),
        **(percentiles("late_ms", late) if late else {}),
        "graphs_per_second": round(graphs / sum(each.nanoseconds for each in counted) * 1e9, 1),
        "load_seconds": round(loaded, 3),
        "loaded_mb": round(at_start / 1e6, 1),
        "peak_mb": round(peak / 1e6, 1),
        "answers": answers,
        "phases": {phase: round(seconds, 4) for phase, seconds in phases.items()},
        **verdict.as_row(),
    }
    series = {**parameters, "graph_ms_quantiles": quantiles(per_graph), "memory": memory.series()}
    return row, series


def read_points(bench: CityBench, query: CityQuery, task: Task) -> list[Point]:
    """The time points of the streams that a query reads; made before anything is measured.

    A stream that the query slows down ends halfway, so that there is a stretch without it.
    """
    clock = clock_of(task.rate)
    found: dict[int, list[tuple[str, TimedGraph]]] = {}
    for name in query.streams:
        rate = query.rate_of(name, task.rate)
        limit = task.elements if rate >= task.rate else ceil(task.elements * rate / task.rate / 2)
        for graph in bench.elements(name, rate=rate, limit=limit, clock=clock):
            found.setdefault(graph.time, []).append((name, graph))
    if not found:
        raise UsageError(f"the streams of {query.name} in `{bench.directory}` have no rows that can be read")
    return sorted(found.items())


def made(bench: CityBench, query: CityQuery, task: Task, state: State) -> Pipeline:
    """The pipeline with the copies of the query; the state of the first is told."""
    pipeline = Pipeline(clock_of(task.rate))
    for name in query.streams:
        pipeline.stream(name)
    pipeline.background(*bench.documents())
    if task.copied is not None:
        pipeline.background(Path(task.copied))
    if ontologies := bench.ontology_files():
        pipeline.ontology(*ontologies, profile=query.profile)
    for event in query.event_queries():
        pipeline.event(event.name, event)
    names = [copy_name(task.query, number) for number in range(1, task.copies + 1)]
    for name in names:
        pipeline.register(name, query.parsed())
    pipeline.sink(state, mode="state", batch=1, programs=names[:1])
    return pipeline


def copy_name(query: str, number: int) -> str:
    """The name of a copy of a query.

    >>> copy_name("Q1", 2)
    'Q1-2'
    """
    return f"{query}-{number}"


def sampled(times: Sequence[int], count: int) -> set[int]:
    """Some of the time points, evenly, the last one among them; only those that another follows at once.

    What is known after a time point without a follower is what holds just before the next one.

    >>> sorted(sampled(range(100), 4))
    [24, 49, 74, 99]
    >>> sorted(sampled([1, 2, 5, 9], 4))
    [1, 9]
    """
    fitting = [*(time for time, following in pairwise(times) if following == time + 1), times[-1]]
    count = min(count, len(fitting))
    return {fitting[len(fitting) * number // count - 1] for number in range(1, count + 1)}


def told(found: Answered, copies: int, verdict: Verdict) -> int:
    """How many statements the first copy made; all copies must make the same."""
    by_time: dict[int, dict[str, frozenset[str]]] = {}
    for graph in found.results:
        said = by_time.setdefault(graph.time, {})
        said[graph.origin.program.value] = frozenset(graph.statements)
    count = 0
    for time, said in by_time.items():
        first, *others = said.values()
        count += len(first)
        for other in others:
            if other != first:
                verdict.compare("first copy", time, first, other)
        if len(said) != copies:
            verdict.compare("first copy", time, first, frozenset())
    return count


def check(
    bench: CityBench, query: CityQuery, task: Task, points: Sequence[Point], seen: Seen, verdict: Verdict
) -> None:
    """Compare what was seen at the sampled time points.

    The judges know the background without copies. No stream speaks of those, so an answer that does (no
    weather from a copy of the station) is left out, and the others must be the same.
    """
    for judge, answers in expected(bench, query, task, points, sorted(seen)).items():
        for time, wanted in answers.items():
            found = without_copies(seen[time]) if task.background > 1 else seen[time]
            if judge == SPARQL:
                wanted, found = rounded(wanted), rounded(found)
            verdict.compare(judge, time, wanted, found)


def expected(
    bench: CityBench, query: CityQuery, task: Task, points: Sequence[Point], times: Sequence[int]
) -> dict[str, Seen]:
    """What should be seen, by each judge; kept in a file for the other runs of the query."""
    path = None if task.expected is None else Path(task.expected)
    if path is not None and path.exists():
        kept = json.loads(path.read_text(encoding="utf-8"))
        return {
            judge: {int(time): frozenset(said) for time, said in answers.items()}
            for judge, answers in kept.items()
        }
    ontologies = bench.ontology_files()
    known = [*bench.background(), *(triple for path in ontologies for triple in read_document(path))]
    judge = Judge(
        query.parsed(),
        query.event_queries(),
        known,
        profile=query.profile if ontologies else "none",
        clock=clock_of(task.rate),
        streams=query.streams,
        start=points[0][0],
    )
    found: dict[str, Seen] = {
        REFERENCE: {time: judge.holds(time, points) for time in times},
        SPARQL: {time: judge.constructed(query.check, time, points) for time in times},
    }
    if path is not None:
        listed = {j: {time: sorted(said) for time, said in a.items()} for j, a in found.items()}
        path.write_text(json.dumps(listed), encoding="utf-8")
    return found


def _lines(text: str) -> list[str]:
    return [line.removesuffix(" .") for line in text.split("\n") if line]


def main() -> int:
    """A task in, what was measured out."""
    try:
        row, series = measure(Task(**json.load(sys.stdin)))
    except LaserError as problem:
        print(json.dumps({"problem": str(problem)}))
        return 1
    except KeyboardInterrupt:
        return 130
    print(json.dumps({"row": row, "series": series}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
