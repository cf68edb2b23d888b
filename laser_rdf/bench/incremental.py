"""`bench incremental`: expiration times against recomputation and delete-and-rederive.

Section 5 of Barbieri et al. (ESWC 2010): triples `isIn` that form trees are kept in a pool. Some are
background, the others are streamed through a window of a fixed number of triples. What is varied is the share
of the window that is exchanged at each step.

options ─► for each share: trees, a stream, three maintainers in turns ─► Report
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import cycle, islice, pairwise
from math import exp, log

from laser_rdf.bench.measuring import CHANGES, alternately, loop_work
from laser_rdf.bench.rederive import Expire, Pair, Recompute, Rederive
from laser_rdf.bench.report import Report, Row
from laser_rdf.bench.workloads import Stream
from laser_rdf.errors import LaserError, UsageError

SHARES = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)
WINDOW, BACKGROUND, DEPTH, BRANCHES, STEPS, ROUNDS = 1_000, 1_000, 6, 3, 40, 5
QUICK_SHARES, QUICK_STEPS, QUICK_ROUNDS = (0.1, 1.0, 10.0, 50.0, 100.0), 20, 3
CTRL_C = "Ctrl-C"

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class Options:
    """What to measure, and how often; window and background count triples."""

    shares: tuple[float, ...] = SHARES
    window: int = WINDOW
    background: int = BACKGROUND
    depth: int = DEPTH
    branches: int = BRANCHES
    steps: int = STEPS
    rounds: int = ROUNDS
    seed: int = 1

    def __post_init__(self) -> None:
        for share in self.shares:
            per_step = round(self.window * share / 100)
            if per_step < 1 or self.window % per_step:
                raise UsageError(
                    f"{share:g} % of a window of {self.window} triples is no whole number of triples that "
                    "divides it: choose another share or window"
                )


def tree(number: int, depth: int, branches: int) -> list[Pair]:
    """The triples of one tree, from each node to its parent.

    >>> tree(7, depth=1, branches=2)
    [('t7_0', 't7'), ('t7_1', 't7')]
    >>> len(tree(7, depth=6, branches=3))
    1092
    """
    level, found = [f"t{number}"], []
    for _ in range(depth):
        children = [(f"{node}_{i}", node) for node in level for i in range(branches)]
        found += children
        level = [child for child, _ in children]
    return found


def pool(options: Options) -> tuple[list[Pair], list[Pair]]:
    """Background and what is streamed: enough trees that no triple is in the window twice."""
    needed, triples, number = options.background + 3 * options.window, list[Pair](), 0
    while len(triples) < needed:
        triples += tree(number, options.depth, options.branches)
        number += 1
    random.Random(options.seed).shuffle(triples)  # noqa: S311 - a benchmark's data, no secret
    return triples[: options.background], triples[options.background :]


def streamed(triples: Sequence[Pair], rate: int, points: int) -> Stream:
    """Time points from 1 on with so many triples each; at the end of the pool it begins again."""
    source = cycle(triples)
    return [(t, [("said", pair) for pair in islice(source, rate)]) for t in range(1, points + 1)]


def run(options: Options, progress: Progress = lambda done, total, label: None) -> Report:
    """Measure every share; stopped by Ctrl-C or a failure, the report has what was measured until then."""
    report = Report("incremental", options=asdict(options))
    try:
        for done, share in enumerate(options.shares):
            progress(done, len(options.shares), f"{share:g} % changed")
            report.add("incremental", measure(share, options))
    except KeyboardInterrupt:
        report.stopped_by = CTRL_C
    except LaserError as failure:
        report.stopped_by = str(failure)
    for row in crossings(report.sections.get("incremental", [])):
        report.add("crossings", row)
    progress(len(report.sections.get("incremental", [])), len(options.shares), "")
    return report


def measure(share: float, options: Options) -> Row:
    """One share: the three maintainers in turns."""
    rate = round(options.window * share / 100)
    points = options.window // rate
    background, rest = pool(options)
    warm_up = points + 2
    stream = streamed(rest, rate, warm_up + options.steps)
    kinds = (Recompute, Rederive, Expire)
    works = [
        loop_work(lambda kind=kind: kind(points - 1, background), stream, warm_up, CHANGES)  # type: ignore[misc]
        for kind in kinds
    ]
    recompute, rederive, expire = (took / 1000 / options.steps for took in alternately(works, options.rounds))
    return {
        "changed_percent": share,
        "triples_per_step": rate,
        "window": options.window,
        "background": options.background,
        "closure": closure_size(background, rest, options.window),
        "recompute_us": round(recompute, 1),
        "rederive_us": round(rederive, 1),
        "engine_us": round(expire, 1),
        "recompute_to_engine": round(recompute / expire, 3),
        "rederive_to_engine": round(rederive / expire, 3),
    }


def closure_size(background: list[Pair], rest: list[Pair], window: int) -> int:
    """How many triples hold when the window is full."""
    maintainer = Recompute(0, background)
    maintainer.step(1, [("said", pair) for pair in rest[:window]])
    return len(maintainer.holds())


PAIRS = (("engine", "recompute"), ("rederive", "recompute"), ("engine", "rederive"))


def crossings(rows: Sequence[Row]) -> list[Row]:
    """At which shares one maintainer is slower than another; between two measured shares on a log scale.

    >>> times = {"recompute_us": 10, "rederive_us": 9}
    >>> rows = [{"changed_percent": share, "engine_us": share, **times} for share in (1, 100)]
    >>> [(row["maintainer"], row["is_slower"]) for row in crossings(rows) if row["against"] == "recompute"]
    [('engine', 'from 10 %'), ('rederive', 'never')]
    """
    return [
        {"maintainer": one, "against": other, "is_slower": _slower(rows, one, other)}
        for one, other in PAIRS
        if rows
    ]


def _slower(rows: Sequence[Row], one: str, other: str) -> str:
    points = [(log(row["changed_percent"]), log(row[f"{one}_us"] / row[f"{other}_us"])) for row in rows]
    found = []
    for (x0, y0), (x1, y1) in pairwise(points):
        if (y0 > 0) != (y1 > 0):
            share = exp(x0 - y0 * (x1 - x0) / (y1 - y0))
            found.append(f"{'from' if y1 > 0 else 'up to'} {share:.2g} %")
    return ", ".join(found) or ("always" if points[0][1] > 0 else "never")
