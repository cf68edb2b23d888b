"""`bench citybench`: the queries of CityBench over its streams, by copies of a query and size of background.

options ─► tasks, each run in a process of its own ─► Report
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from laser_rdf.bench.citybench.copies import write_copies
from laser_rdf.bench.citybench.layout import REPOSITORY, CityBench
from laser_rdf.bench.citybench.queries import CITY_QUERIES
from laser_rdf.bench.citybench.report import COMPARED, RUNS, CityReport, beside, label
from laser_rdf.bench.citybench.single_run import Task, measure
from laser_rdf.bench.report import Row
from laser_rdf.errors import EvaluationError, LaserError, UsageError
from laser_rdf.rdf.documents import read_document

COPIES, BACKGROUND, RATE, ELEMENTS, SAMPLES = (1, 20, 50), (1, 10, 100), 50.0, 1000, 5
QUICK_COPIES, QUICK_BACKGROUND, QUICK_RATE, QUICK_ELEMENTS, QUICK_SAMPLES = (1, 5), (1, 3), 5.0, 60, 2
QUICK_VARIED = ("Q1", "Q2")
"""The queries that a quick run also measures with several copies and a larger background."""

CTRL_C = "Ctrl-C"

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class Options:
    """What to measure. `rate` is rows per stream and second of stream time; `paced`: of the clock's, too."""

    data: str
    queries: tuple[str, ...] = tuple(CITY_QUERIES)
    copies: tuple[int, ...] = COPIES
    background: tuple[int, ...] = BACKGROUND
    varied: tuple[str, ...] = tuple(CITY_QUERIES)
    """The queries that are run with all copies and backgrounds; the others with the first of each."""

    rate: float = RATE
    paced: bool = False
    elements: int = ELEMENTS
    samples: int = SAMPLES
    apart: bool = True
    """Every run in a process of its own, so that its memory is its own."""

    def __post_init__(self) -> None:
        for name in self.queries:
            if name not in CITY_QUERIES:
                raise UsageError(f"there is no query `{name}`; there are {', '.join(CITY_QUERIES)}")


def tasks(options: Options) -> list[Task]:
    """One parameter is varied at a time, with the others at their smallest."""
    found: dict[Task, None] = {}
    for query in options.queries:
        plain = Task(
            options.data,
            query,
            min(options.copies),
            min(options.background),
            rate=options.rate,
            paced=options.paced,
            elements=options.elements,
            samples=options.samples,
        )
        found[plain] = None
        if query in options.varied:
            found |= {replace(plain, copies=copies): None for copies in sorted(options.copies)}
            found |= {replace(plain, background=times): None for times in sorted(options.background)}
    return list(found)


def run(
    options: Options,
    progress: Progress = lambda done, total, label: None,
    earlier: list[Row] | None = None,
) -> CityReport:
    """Run every task; stopped by Ctrl-C or a failure, the report has what was measured until then."""
    bench = CityBench(options.data)
    todo = tasks(options)
    missing = {name for task in todo for name in CITY_QUERIES[task.query].streams} - bench.streams().keys()
    if missing:
        raise UsageError(f"there is no stream `{min(missing)}` in `{options.data}`")
    report = CityReport("citybench", options=asdict(options))
    try:
        with tempfile.TemporaryDirectory(prefix="laser-rdf-citybench-") as folder:
            for done, task in enumerate(_with_copies(todo, bench, Path(folder))):
                progress(done, len(todo), label(asdict(task)))
                row, series = in_a_process(task) if options.apart else measure(task)
                report.add(RUNS, row)
                report.series.append(series)
    except KeyboardInterrupt:
        report.stopped_by = CTRL_C
    except LaserError as failure:
        report.stopped_by = str(failure)
    for line in beside(report.rows, earlier or []):
        report.add(COMPARED, line)
    progress(len(report.rows), len(todo), "")
    return report


def _with_copies(todo: list[Task], bench: CityBench, folder: Path) -> Iterator[Task]:
    """The tasks, with the file of the copies that their background has, made when it is needed first."""
    for plain in todo:
        task = replace(plain, expected=str(folder / f"expected-{plain.query}.json"))
        if task.background == 1:
            yield task
            continue
        path = folder / f"copies-{task.background}.nt"
        if not path.exists():
            try:
                write_copies(read_document(bench.directory / "dataset" / REPOSITORY), task.background, path)
            except OSError as problem:
                raise UsageError(f"cannot write `{path}`: {problem.strerror or problem}") from None
        yield replace(task, copied=str(path))


def in_a_process(task: Task) -> tuple[Row, Row]:
    """Run a task in a fresh process."""
    package = Path(__file__).parents[3]
    path = os.pathsep.join(filter(None, [str(package), os.environ.get("PYTHONPATH", "")]))
    done = subprocess.run(
        [sys.executable, "-m", "laser_rdf.bench.citybench.single_run"],
        input=json.dumps(asdict(task)),
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"},
        check=False,
    )
    try:
        found = json.loads(done.stdout)
    except ValueError:
        if done.returncode == 130:
            raise KeyboardInterrupt from None
        told = done.stderr.strip()[-400:]
        raise EvaluationError(f"{label(asdict(task))} failed in its process: {told}") from None
    if "problem" in found:
        raise EvaluationError(f"{label(asdict(task))}: {found['problem']}")
    return found["row"], found["series"]
