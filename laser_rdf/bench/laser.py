"""`bench laser`: the micro-benchmarks of the Laser paper, and what the engine promises beyond them.

options ─► a list of tasks, each of which measures one row of the report ─► Report
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass

from laser_rdf.bench import growth, memory, recursion, silence
from laser_rdf.bench.clingo_peer import ClingoPeer, require_clingo
from laser_rdf.bench.measuring import FULL, MODES, alternately, engine_work, loop_work, per_atom
from laser_rdf.bench.report import Report, Row
from laser_rdf.bench.workloads import EXPERIMENTS, Experiment
from laser_rdf.errors import LaserError, UsageError

PAPER = ("diamond", "box", "join", "rules", "cooling", "negation", "count")
BEYOND = ("ten-rules", "growth", "gap", "memory", "recursion")
SELECTABLE = (*PAPER, *BEYOND)

WINDOWS, RATES, POINTS, ROUNDS = (1, 20, 40, 80), (200, 400, 800), 300, 3
QUICK_WINDOWS, QUICK_RATES, QUICK_POINTS, QUICK_ROUNDS = (20, 80), (200,), 100, 5
PEERS = ("clingo",)
CTRL_C = "Ctrl-C"
PEER_POINTS = 3
RECURSION_EDGES, RECURSION_STEPS = 1_000, 50
SETTLING = 2
"""Time points of the warm-up behind the one at which the window is full."""


@dataclass(frozen=True, slots=True)
class Options:
    """What to measure, and how often."""

    experiments: tuple[str, ...] = SELECTABLE
    windows: tuple[int, ...] = WINDOWS
    rates: tuple[int, ...] = RATES
    points: int = POINTS
    rounds: int = ROUNDS
    quick: bool = False
    peer: str | None = None
    seed: int = 1

    def __post_init__(self) -> None:
        unknown = [name for name in self.experiments if name not in SELECTABLE]
        if unknown:
            raise UsageError(f"no experiment `{unknown[0]}`; there are {', '.join(SELECTABLE)}")
        if self.peer is not None and self.peer not in PEERS:
            raise UsageError(f"no peer `{self.peer}`; there is {', '.join(PEERS)}")


@dataclass(frozen=True, slots=True)
class Task:
    """One row of the report, still to be measured."""

    section: str
    label: str
    measure: Callable[[], Row]


Progress = Callable[[int, int, str], None]
"""Told how many tasks are done, of how many, and which is next; at the end the label is empty."""


def run(options: Options, progress: Progress = lambda done, total, label: None) -> Report:
    """Measure everything; stopped by Ctrl-C or a failure, the report has what was measured until then."""
    if options.peer is not None:
        require_clingo()
    report = Report("laser", options=asdict(options))
    planned = list(tasks(options))
    try:
        for done, task in enumerate(planned):
            progress(done, len(planned), task.label)
            report.add(task.section, task.measure())
    except KeyboardInterrupt:
        report.stopped_by = CTRL_C
    except LaserError as failure:
        report.stopped_by = str(failure)
    progress(sum(map(len, report.sections.values())), len(planned), "")
    return report


def tasks(options: Options) -> Iterator[Task]:
    """What the options ask for, in the order of the report."""
    yield from _paper(options)
    yield from _beyond(options)
    if options.peer is not None:
        for experiment, window, rate in _combinations(options, few=True):
            label = f"{experiment.name} beside clingo, window {window}, rate {rate}"
            yield Task("peer", label, _bound(measure_peer, experiment, window, rate, options))


def _paper(options: Options) -> Iterator[Task]:
    for experiment, window, rate in _combinations(options):
        for mode in MODES:
            label = f"{experiment.name}, window {window}, rate {rate}, {mode}"
            yield Task("micro", label, _bound(measure_micro, experiment, window, rate, mode, options))


def _combinations(options: Options, few: bool = False) -> Iterator[tuple[Experiment, int, int]]:
    """Experiments with windows and rates; with `few`, of a family of experiments the first only."""
    for name in options.experiments:
        family = [x for x in EXPERIMENTS.values() if x.name.partition("-")[0] == name]
        for experiment in family[:1] if few or options.quick else family:
            for window in options.windows:
                for rate in options.rates:
                    if experiment.rates is None or rate in experiment.rates or len(options.rates) == 1:
                        yield experiment, window, rate


def _beyond(options: Options) -> Iterator[Task]:
    points, rounds, seed, wanted = options.points, options.rounds, options.seed, options.experiments
    rate = min(options.rates)
    if "ten-rules" in wanted:
        for window in options.windows:
            measured = _bound(growth.measure_ten_rules, window, rate, points, rounds, seed)
            yield Task("ten_rules", f"one rule and ten, window {window}", measured)
    if "growth" in wanted:
        for name in growth.GROWING:
            measured = _bound(growth.measure_window_growth, name, rate, points, rounds, seed)
            yield Task("window_growth", f"{name}, window 80 and 10", measured)
    if "gap" in wanted:
        yield Task("gap", "10 million empty time points", _bound(silence.measure_gap, rounds))
    if "memory" in wanted:
        yield Task("memory", "2 million atoms and 200 thousand", memory.measure_memory)
    if "recursion" in wanted:
        for share in recursion.SHARES:
            steps = min(RECURSION_STEPS, points)
            measured = _bound(recursion.measure, share, RECURSION_EDGES, steps, rounds, seed)
            yield Task("recursion", f"closure, {share} % changed", measured)


def _bound(measure: Callable[..., Row], *arguments: object) -> Callable[[], Row]:
    return lambda: measure(*arguments)


def measure_micro(experiment: Experiment, window: int, rate: int, mode: str, options: Options) -> Row:
    """An experiment of the paper: the engine and the loop in turns."""
    points, warm_up = options.points, window + SETTLING
    stream = experiment.stream(rate, warm_up + points, options.seed)
    works = [
        engine_work(experiment.program(window), stream, warm_up, mode),
        loop_work(lambda: experiment.loop(window), stream, warm_up, mode),
    ]
    engine, loop = alternately(works, options.rounds)
    return {
        "experiment": experiment.name,
        "window": window,
        "rate": rate,
        "mode": mode,
        "points": points,
        "rounds": options.rounds,
        "engine_us": per_atom(engine, rate, points),
        "loop_us": per_atom(loop, rate, points),
        "ratio": round(engine / loop, 3),
    }


def measure_peer(experiment: Experiment, window: int, rate: int, options: Options) -> Row:
    """The engine, the loop and clingo in turns, with full output; few time points, for clingo needs long."""
    points, warm_up = min(PEER_POINTS, options.points), window + SETTLING
    stream = experiment.stream(rate, warm_up + points, options.seed)
    works = [
        engine_work(experiment.program(window), stream, warm_up, FULL),
        loop_work(lambda: experiment.loop(window), stream, warm_up, FULL),
        loop_work(lambda: ClingoPeer(experiment.name, window), stream, warm_up, FULL),
    ]
    engine, loop, clingo = alternately(works, options.rounds)
    return {
        "experiment": experiment.name,
        "window": window,
        "rate": rate,
        "mode": FULL,
        "points": points,
        "rounds": options.rounds,
        "engine_us": per_atom(engine, rate, points),
        "loop_us": per_atom(loop, rate, points),
        "clingo_us": per_atom(clingo, rate, points),
        "clingo_to_engine": round(clingo / engine, 2),
    }
