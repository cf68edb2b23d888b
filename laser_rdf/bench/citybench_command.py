"""The command `laser-rdf bench citybench`: arguments in, a run, files and tables out."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from laser_rdf.bench.command import FAILED, STOPPED, show_progress
from laser_rdf.errors import UsageError, escape_control

if TYPE_CHECKING:
    from laser_rdf.bench.citybench.harness import Options
    from laser_rdf.bench.citybench.report import CityReport

SENSORS, HOURS, SEED = 40, 24, 1
EPILOG = """\
The twelve queries of CityBench over its data, or over generated data of the same shape when
no --data is given. Copies of a query run in one pipeline; the background is the sensor
repository so many times, with renamed resources. --rate says how fast rows come:
  max          as fast as they are processed, with --per-second rows per stream and second
               of stream time (the default)
  as-recorded  one row per stream and second, by the clock
  x20          twenty rows per stream and second, by the clock
Answers are compared with the reference evaluator and with plain SPARQL; exit code 1 says that
some are missing or wrong. Ctrl-C writes what was measured until then.

  laser-rdf bench citybench --quick --out bench-out
  laser-rdf bench citybench --data citybench --queries Q1,Q2 --compare before/citybench.json
  laser-rdf bench citybench --generate city --sensors 100 --hours 24 --seed 7"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `bench citybench`."""
    parser.epilog = EPILOG
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument(
        "--data", metavar="DIR", help="the data: streams, dataset, ontology (default: generated)"
    )
    parser.add_argument(
        "--generate", metavar="DIR", help="write data of the same shape there, and do no more"
    )
    parser.add_argument("--sensors", type=_count, metavar="N", help=f"generated sensors (default: {SENSORS})")
    parser.add_argument("--hours", type=_count, metavar="H", help=f"generated hours (default: {HOURS})")
    parser.add_argument("--seed", type=_amount, metavar="S", help=f"other generated data (default: {SEED})")
    parser.add_argument("--quick", action="store_true", help="few rows; copies and background of Q1, Q2 only")
    parser.add_argument("--queries", type=_names, metavar="Q1,Q2", help="which ones (default: all)")
    parser.add_argument(
        "--rate", type=_rate, default="max", metavar="R", help="max, as-recorded or xN (see below)"
    )
    parser.add_argument(
        "--per-second",
        type=_number,
        metavar="N",
        help="rows per stream and second of stream time (default: 50)",
    )
    parser.add_argument("--copies", type=_counts, metavar="N,M", help="copies of a query (default: 1,20,50)")
    parser.add_argument(
        "--background", type=_counts, metavar="N,M", help="times the repository (default: 1,10,100)"
    )
    amount = parser.add_mutually_exclusive_group()
    amount.add_argument("--elements", type=_count, metavar="N", help="rows of each stream (default: 1000)")
    amount.add_argument("--duration", type=_number, metavar="S", help="the same in seconds of stream time")
    parser.add_argument("--samples", type=_count, metavar="N", help="time points to check (default: 5)")
    parser.add_argument("--compare", metavar="FILE.json", help="put an earlier run beside this one")
    parser.add_argument(
        "--out", default="bench-out", metavar="DIR", help="where the files go (default: bench-out)"
    )
    parser.add_argument("--json", action="store_true", help="print the results as JSON, not as tables")


def main(namespace: argparse.Namespace) -> int:
    """Measure, write JSON, Markdown and pictures, print the tables."""
    if namespace.generate is not None:
        return _generate_only(namespace)
    from laser_rdf.bench.citybench.harness import run
    from laser_rdf.bench.citybench.report import read_earlier, write
    from laser_rdf.bench.pictures import require_matplotlib

    earlier = None if namespace.compare is None else read_earlier(namespace.compare)
    require_matplotlib()
    folder = Path(namespace.out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise UsageError(f"cannot write to `{namespace.out}`: {problem.strerror or problem}") from None
    with _data(namespace) as data:
        report = run(options_of(namespace, data), show_progress, earlier)
    if earlier is not None and report.rows and "compared" not in report.sections:
        print(f"laser-rdf: `{escape_control(namespace.compare)}` has none of these runs", file=sys.stderr)
    for path in write(report, folder):
        print(f"wrote {path}", file=sys.stderr)
    print(json.dumps(report.as_json(), indent=1) if namespace.json else report.as_markdown())
    return _code(report)


def _code(report: CityReport) -> int:
    from laser_rdf.bench.citybench.harness import CTRL_C
    from laser_rdf.bench.citybench.report import label

    for row in report.incomplete:
        told = f"{label(row)}: completeness {row['completeness']:.4f}: {row['first_difference']}"
        print(f"laser-rdf: NOT COMPLETE: {escape_control(told)}", file=sys.stderr)
    if report.stopped_by is not None:
        print(f"laser-rdf: stopped by {escape_control(report.stopped_by)}", file=sys.stderr)
        return STOPPED if report.stopped_by == CTRL_C else FAILED
    return FAILED if report.incomplete else 0


def options_of(namespace: argparse.Namespace, data: str) -> Options:
    """What was asked for; what was not has its value by `--quick` or without it."""
    from laser_rdf.bench.citybench import harness
    from laser_rdf.bench.citybench.queries import CITY_QUERIES

    quick = namespace.quick
    paced = namespace.rate != "max"
    if paced and namespace.per_second is not None:
        raise UsageError("--per-second is for `--rate max`; `--rate xN` gives the rows per second itself")
    rate = namespace.rate if paced else namespace.per_second
    rate = rate or (harness.QUICK_RATE if quick else harness.RATE)
    elements = namespace.elements or (harness.QUICK_ELEMENTS if quick else harness.ELEMENTS)
    if namespace.duration is not None:
        elements = max(round(namespace.duration * rate), 1)
    queries = namespace.queries or tuple(CITY_QUERIES)
    chosen = namespace.queries or namespace.copies or namespace.background
    return harness.Options(
        data=data,
        queries=queries,
        copies=namespace.copies or (harness.QUICK_COPIES if quick else harness.COPIES),
        background=namespace.background or (harness.QUICK_BACKGROUND if quick else harness.BACKGROUND),
        varied=queries if chosen or not quick else harness.QUICK_VARIED,
        rate=rate,
        paced=paced,
        elements=elements,
        samples=namespace.samples or (harness.QUICK_SAMPLES if quick else harness.SAMPLES),
    )


@contextlib.contextmanager
def _data(namespace: argparse.Namespace) -> Iterator[str]:
    """The directory of the data; a generated one is gone afterwards."""
    if namespace.data is not None:
        if any(value is not None for value in (namespace.sensors, namespace.hours, namespace.seed)):
            raise UsageError("--sensors, --hours and --seed are for generated data; leave out --data")
        yield namespace.data
        return
    with tempfile.TemporaryDirectory(prefix="laser-rdf-city-") as folder:
        print("generating data", file=sys.stderr)
        _generate(namespace, folder)
        yield folder


def _generate(namespace: argparse.Namespace, directory: str) -> None:
    from laser_rdf.bench.citybench.generate import generate

    generate(
        directory,
        sensors=SENSORS if namespace.sensors is None else namespace.sensors,
        hours=HOURS if namespace.hours is None else namespace.hours,
        seed=SEED if namespace.seed is None else namespace.seed,
    )


def _generate_only(namespace: argparse.Namespace) -> int:
    if namespace.data is not None:
        raise UsageError("give --data or --generate, not both")
    _generate(namespace, namespace.generate)
    print(f"wrote {namespace.generate}", file=sys.stderr)
    return 0


def _names(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, (part.strip() for part in text.split(",")))))


def _amount(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 8):
        raise argparse.ArgumentTypeError(f"`{text}` is no whole number from 0 on")
    return int(text)


def _count(text: str) -> int:
    if (found := _amount(text)) < 1:
        raise argparse.ArgumentTypeError(f"`{text}` is no whole number from 1 on")
    return found


def _counts(text: str) -> tuple[int, ...]:
    found = tuple(sorted(set(map(_count, _names(text)))))
    if not found:
        raise argparse.ArgumentTypeError("there is no number")
    return found


def _number(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if not 0 < found <= 1e6:
        raise argparse.ArgumentTypeError(f"`{text}` is no number above 0")
    return found


def _rate(text: str) -> float | str:
    if text == "max":
        return text
    if text == "as-recorded":
        return 1.0
    if text[:1] in ("x", "×"):
        return _number(text[1:])
    raise argparse.ArgumentTypeError(f"`{text}` is no rate: write max, as-recorded or xN, as x20")
