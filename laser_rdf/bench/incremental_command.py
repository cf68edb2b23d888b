"""The command `laser-rdf bench incremental`: arguments in, a run, files and tables out."""

from __future__ import annotations

import argparse
import json
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from laser_rdf.bench.command import FAILED, STOPPED, show_progress
from laser_rdf.errors import UsageError, escape_control

if TYPE_CHECKING:
    from laser_rdf.bench.incremental import Options

EPILOG = """\
A transitive property over trees, a background and a sliding window: how long a step takes
when everything is recomputed, with delete-and-rederive, and with this engine, by the share
of the window that changes. Times are microseconds per step.

  laser-rdf bench incremental --quick --out bench-out
  laser-rdf bench incremental --shares 1,10,100 --window 2000"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `bench incremental`."""
    parser.epilog = EPILOG
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--quick", action="store_true", help="five shares, fewer steps and rounds")
    parser.add_argument(
        "--shares", type=_shares, metavar="P,Q", help="changed per step, in percent (default: 0.1 … 100)"
    )
    parser.add_argument("--window", type=_count, metavar="N", help="triples in the window (default: 1000)")
    parser.add_argument(
        "--background", type=_amount, metavar="N", help="triples in the background (default: 1000)"
    )
    parser.add_argument("--depth", type=_count, metavar="N", help="levels of a tree (default: 6)")
    parser.add_argument("--steps", type=_count, metavar="N", help="steps to measure (default: 40)")
    parser.add_argument("--rounds", type=_count, metavar="N", help="rounds; the best counts (default: 5)")
    parser.add_argument(
        "--out", default="bench-out", metavar="DIR", help="where the files go (default: bench-out)"
    )
    parser.add_argument("--json", action="store_true", help="print the results as JSON, not as tables")


def main(namespace: argparse.Namespace) -> int:
    """Measure, write JSON, Markdown and pictures, print the tables."""
    from laser_rdf.bench.incremental import CTRL_C, run
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
    from laser_rdf.bench import incremental as bench

    quick = namespace.quick
    background = namespace.background
    return bench.Options(
        shares=namespace.shares or (bench.QUICK_SHARES if quick else bench.SHARES),
        window=namespace.window or bench.WINDOW,
        background=bench.BACKGROUND if background is None else background,
        depth=namespace.depth or bench.DEPTH,
        steps=namespace.steps or (bench.QUICK_STEPS if quick else bench.STEPS),
        rounds=namespace.rounds or (bench.QUICK_ROUNDS if quick else bench.ROUNDS),
    )


def _count(text: str) -> int:
    if (found := _amount(text)) < 1:
        raise argparse.ArgumentTypeError(f"`{text}` is no whole number from 1 on")
    return found


def _amount(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 8):
        raise argparse.ArgumentTypeError(f"`{text}` is no whole number from 0 on")
    return int(text)


def _shares(text: str) -> tuple[float, ...]:
    return tuple(sorted({_share(part.strip()) for part in text.split(",") if part.strip()}))


def _share(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not 0 < found <= 100:
        raise argparse.ArgumentTypeError(f"`{text}` is no share: more than 0 and at most 100 percent")
    return found
