"""The command `laser-rdf bench dotr`: arguments in, a run, files and tables out."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from laser_rdf.bench.command import FAILED, STOPPED, show_progress
from laser_rdf.errors import UsageError, escape_control

if TYPE_CHECKING:
    from laser_rdf.bench.dotr import Options

MOST_RULES = 10_000
"""Every value of the stream is above the thresholds of so many rules."""

EPILOG = """\
Section 5 of the DOTR paper: ten rules over one-triple graphs, one per second, with 10,000
background triples and ten Datalog rules; then other sizes of the background, numbers of
rules and of Datalog rules, and longer patterns. Times are milliseconds per graph. It takes
several minutes and, for a million background triples, a gigabyte of memory.

  laser-rdf bench dotr --quick --out bench-out
  laser-rdf bench dotr --rules 10,1000 --backgrounds 10000 --rounds 5"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `bench dotr`."""
    parser.epilog = EPILOG
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--quick", action="store_true", help="smaller sizes, fewer graphs and rounds")
    parser.add_argument(
        "--backgrounds", type=_counts, metavar="N,M", help="background triples (default: 1000 … 1000000)"
    )
    parser.add_argument(
        "--rules", type=_rules, metavar="N,M", help="rules that differ in a constant (default: 1 … 1000)"
    )
    parser.add_argument("--datalog", type=_counts, metavar="N,M", help="Datalog rules (default: 1 … 1000)")
    parser.add_argument(
        "--lengths", type=_lengths, metavar="N,M", help="events in a pattern, 2 to 6 (default: 2,3,4)"
    )
    parser.add_argument("--graphs", type=_count, metavar="N", help="graphs to measure (default: 200)")
    parser.add_argument("--rounds", type=_count, metavar="N", help="rounds; the best counts (default: 3)")
    parser.add_argument(
        "--out", default="bench-out", metavar="DIR", help="where the files go (default: bench-out)"
    )
    parser.add_argument("--json", action="store_true", help="print the results as JSON, not as tables")


def main(namespace: argparse.Namespace) -> int:
    """Measure, write JSON, Markdown and pictures, print the tables."""
    from laser_rdf.bench.dotr import CTRL_C, run
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
    from laser_rdf.bench import dotr as bench

    quick = namespace.quick
    return bench.Options(
        backgrounds=namespace.backgrounds or (bench.QUICK_BACKGROUNDS if quick else bench.BACKGROUNDS),
        rules=namespace.rules or (bench.QUICK_RULES if quick else bench.RULES),
        datalog=namespace.datalog or (bench.QUICK_DATALOG if quick else bench.DATALOG),
        lengths=namespace.lengths or (bench.QUICK_LENGTHS if quick else bench.LENGTHS),
        graphs=namespace.graphs or (bench.QUICK_GRAPHS if quick else bench.GRAPHS),
        rounds=namespace.rounds or (bench.QUICK_ROUNDS if quick else bench.ROUNDS),
    )


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 9 and int(text)):
        raise argparse.ArgumentTypeError(f"`{text}` is no whole number from 1 on")
    return int(text)


def _counts(text: str) -> tuple[int, ...]:
    return tuple(sorted({_count(part.strip()) for part in text.split(",") if part.strip()}))


def _rules(text: str) -> tuple[int, ...]:
    return _within(_counts(text), 1, MOST_RULES)


def _lengths(text: str) -> tuple[int, ...]:
    return _within(_counts(text), 2, 6)


def _within(numbers: tuple[int, ...], least: int, most: int) -> tuple[int, ...]:
    for number in numbers:
        if not least <= number <= most:
            raise argparse.ArgumentTypeError(f"{number} is not from {least} to {most}")
    return numbers
