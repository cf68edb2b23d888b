"""The command `laser-rdf bench laser`: arguments in, a run, files and a table out."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from laser_rdf.errors import UsageError, escape_control

if TYPE_CHECKING:
    from laser_rdf.bench.laser import Options

FAILED, STOPPED = 1, 130
EPILOG = """\
Times are microseconds per atom of the rate; what counts is the ratio to the hand-written
loop, measured in turns in the same run. Experiments: diamond, box, join, rules, cooling (of
the Laser paper), negation, count, ten-rules, growth, gap, memory, recursion. Ctrl-C writes
what was measured until then.

  laser-rdf bench laser --quick --out bench-out
  laser-rdf bench laser --experiments diamond,join --windows 20 --rates 200 --peer clingo"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `bench laser`."""
    parser.epilog = EPILOG
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--quick", action="store_true", help="windows 20 and 80, rate 200, 100 time points")
    parser.add_argument("--experiments", type=_names, metavar="A,B", help="which ones (default: all)")
    parser.add_argument("--windows", type=_numbers, metavar="N,M", help="window sizes (default: 1,20,40,80)")
    parser.add_argument(
        "--rates", type=_counts, metavar="N,M", help="atoms per time point (default: 200,400,800)"
    )
    parser.add_argument("--points", type=_count, metavar="N", help="time points to measure (default: 300)")
    parser.add_argument("--rounds", type=_count, metavar="N", help="rounds; the best counts (default: 3)")
    parser.add_argument("--peer", choices=("clingo",), help="run the experiments through clingo, too")
    parser.add_argument(
        "--out", default="bench-out", metavar="DIR", help="where the files go (default: bench-out)"
    )
    parser.add_argument("--json", action="store_true", help="print the results as JSON, not as tables")


def main(namespace: argparse.Namespace) -> int:
    """Measure, write JSON, Markdown and pictures, print the tables."""
    from laser_rdf.bench.laser import CTRL_C, run
    from laser_rdf.bench.pictures import require_matplotlib
    from laser_rdf.bench.report import write

    options = options_of(namespace)
    require_matplotlib()
    folder = Path(namespace.out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise UsageError(f"cannot write to `{namespace.out}`: {problem.strerror or problem}") from None
    report = run(options, show_progress)
    for path in write(report, folder):
        print(f"wrote {path}", file=sys.stderr)
    print(json.dumps(report.as_json(), indent=1) if namespace.json else report.as_markdown())
    if report.stopped_by is None:
        return 0
    print(f"laser-rdf: stopped by {escape_control(report.stopped_by)}", file=sys.stderr)
    return STOPPED if report.stopped_by == CTRL_C else FAILED


def options_of(namespace: argparse.Namespace) -> Options:
    """What was asked for; what was not has its value by `--quick` or without it."""
    from laser_rdf.bench import laser

    quick = namespace.quick
    return laser.Options(
        experiments=namespace.experiments or laser.SELECTABLE,
        windows=namespace.windows or (laser.QUICK_WINDOWS if quick else laser.WINDOWS),
        rates=namespace.rates or (laser.QUICK_RATES if quick else laser.RATES),
        points=namespace.points or (laser.QUICK_POINTS if quick else laser.POINTS),
        rounds=namespace.rounds or (laser.QUICK_ROUNDS if quick else laser.ROUNDS),
        quick=quick,
        peer=namespace.peer,
    )


def show_progress(done: int, total: int, label: str) -> None:
    """A bar on a terminal, a line for each task elsewhere."""
    if sys.stderr.isatty():
        filled = 24 * done // max(total, 1)
        bar = "#" * filled + "." * (24 - filled)
        print(
            f"\r\x1b[K[{bar}] {done}/{total} {label}", end="" if label else "\n", file=sys.stderr, flush=True
        )
    elif label:
        print(f"{done + 1}/{total} {label}", file=sys.stderr, flush=True)


def _names(text: str) -> tuple[str, ...]:
    return tuple(filter(None, (part.strip() for part in text.split(","))))


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < int(text) < 10**7):
        raise argparse.ArgumentTypeError(f"`{text}` is no whole number from 1 on")
    return int(text)


def _counts(text: str) -> tuple[int, ...]:
    return tuple(map(_count, _names(text)))


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(0 if part == "0" else _count(part) for part in _names(text))
