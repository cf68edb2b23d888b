"""The command line: arguments in, one call, rendering out.

Exit codes: 0 done, 1 the run failed, 2 the program or the arguments are wrong.
Heavy imports stand inside the commands, so that `--help` answers at once.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

from laser_rdf import commands, run_arguments
from laser_rdf.bench import citybench_command as bench_citybench
from laser_rdf.bench import command as bench_laser
from laser_rdf.bench import dotr_command as bench_dotr
from laser_rdf.bench import incremental_command as bench_incremental
from laser_rdf.commands import FAILED, WRONG
from laser_rdf.errors import EvaluationError, InputError, LaserError, ProgramError, UsageError, escape_control
from laser_rdf.terminal import flush_output, report_unwritable, show_anything

PLANNED = {
    "spark": "the Spark part",
}
"""Commands of the contract whose part of the house is not built yet, with the part they need."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    show_anything()
    try:
        code = _run(list(sys.argv[1:] if argv is None else argv))
        flush_output()
        return code
    except OSError as problem:  # of reading, every command takes care itself
        report_unwritable(problem)
        return FAILED


def _run(arguments: list[str]) -> int:
    if arguments and arguments[0] in PLANNED:
        print(
            f"laser-rdf: `{arguments[0]}` is not there yet: it comes with {PLANNED[arguments[0]]}",
            file=sys.stderr,
        )
        return WRONG
    try:
        options = _parser().parse_args(arguments)
    except SystemExit:
        flush_output()  # help is output, too
        raise
    command: Callable[[argparse.Namespace], int] = options.command
    try:
        return command(options)
    except ProgramError as error:
        print(error, file=sys.stderr)
        return WRONG
    except UsageError as error:
        print(f"laser-rdf: {escape_control(str(error))}", file=sys.stderr)
        return WRONG
    except (InputError, EvaluationError) as error:
        flush_output()
        print(error, file=sys.stderr)
        return FAILED
    except LaserError as error:
        print(f"laser-rdf: {escape_control(str(error))}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        print("laser-rdf: stopped", file=sys.stderr)
        return 130


def _run_pipeline(options: argparse.Namespace) -> int:
    from laser_rdf.run_command import run

    return run(options)


def entry_point() -> None:
    """The console script."""
    sys.exit(main())


class _Parser(argparse.ArgumentParser):
    """Says what is wrong with arguments without sending their control characters to the terminal."""

    def error(self, message: str) -> NoReturn:
        """End with the message and exit code 2."""
        super().error(escape_control(message))


EPILOG = """\
a program, a stream, and what follows from them:

  $ echo 'hot(Room) :- temp(Room, V) in [2], V > 60.' > rules.lars
  $ echo '7: temp(hall, 65)' > stream.atoms
  $ laser-rdf eval rules.lars --stream stream.atoms --until 10
  7: hot(hall)
  8: hot(hall)
  9: hot(hall)
  10:
"""


def _parser() -> argparse.ArgumentParser:
    from laser_rdf.version import VERSION

    parser = _Parser(
        prog="laser-rdf",
        description="Reason over streams with rules: windows, `at`, `always`, negation, aggregates.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"laser-rdf {VERSION}")
    subparsers = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    def command(
        name: str, run: Callable[[argparse.Namespace], int], help_text: str, epilog: str
    ) -> argparse.ArgumentParser:
        sub = subparsers.add_parser(
            name,
            help=help_text,
            description=help_text,
            epilog=epilog,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        sub.set_defaults(command=run)
        sub.add_argument(
            "--clock", default="1 s", metavar="UNIT", help="length of a time point, as `1 s`, `5 min`, `PT1H`"
        )
        sub.add_argument("--json", action="store_true", help="machine-readable output")
        return sub

    check = command(
        "check",
        commands.check,
        "parse and check programs, reporting every problem with its place",
        "Exit code 2 when a program has an error; warnings do not count.\n\n"
        "  laser-rdf check rules.lars more.lars\n  laser-rdf check - < rules.lars",
    )
    check.add_argument("files", nargs="+", metavar="FILE.lars", help="a program, or `-` for standard input")

    show = command(
        "show",
        commands.show,
        "print a program as it is understood, with its strata and windows",
        "The output is a program again.\n\n  laser-rdf show rules.lars --symbols",
    )
    show.add_argument("file", metavar="FILE.lars")
    show.add_argument("--symbols", action="store_true", help="operators as in the papers: ⊞ ◇ □ @ ¬ ←")
    show.add_argument("--plan", action="store_true", help="how the engine joins: one line per rule variant")
    show.add_argument("--code", action="store_true", help="the Python that is generated for the rules")

    evaluate = command(
        "eval",
        commands.evaluate,
        "evaluate a program over a stream of plain atoms, one line per time point",
        "A stream file has one line per time point:\n\n"
        "  36: a(x1, y)\n  38: a(x2, y), b(y, z)    % a comment\n\n"
        "Time points not listed are empty. A background file has one atom per line.\n"
        "`--emit R` prints what holds, `I` what became true, `D` what ceased to be true,\n"
        "`answer` every derived atom under the time point at which it sits.\n\n"
        "  laser-rdf eval rules.lars --stream readings.atoms --background rooms.atoms --until 50",
    )
    _add_atom_files(evaluate)
    evaluate.add_argument("--until", type=_time_point, metavar="T", help="the last time point to evaluate")
    evaluate.add_argument(
        "--engine",
        choices=("annotation", "reference"),
        default="annotation",
        help="the engine, or the slow judge",
    )
    evaluate.add_argument(
        "--emit", choices=("R", "I", "D", "answer"), default="R", help="what to print (see below)"
    )
    evaluate.add_argument(
        "--max-derivations",
        type=_time_point,
        default=100_000,
        metavar="N",
        help="limit per time point for recursion through arithmetic (default: 100000)",
    )

    explain = command(
        "explain",
        commands.explain,
        "say why an atom holds at a time point: rules, bindings and facts; or what is missing",
        "  laser-rdf explain rules.lars --stream readings.atoms --at 40 'fire(kitchen)'",
    )
    _add_atom_files(explain)
    explain.add_argument("--at", type=_time_point, metavar="T", required=True, help="the time point")
    explain.add_argument("atom", metavar="ATOM", help="an atom without variables, as `fire(kitchen)`")

    _add_demo(subparsers.add_parser)

    run = command(
        "run",
        _run_pipeline,
        "run rules over RDF streams, with ontologies and event queries; results into files and stores",
        run_arguments.EPILOG,
    )
    run_arguments.add_arguments(run)

    bench = subparsers.add_parser(
        "bench",
        help="run benchmarks: the engine beside hand-written loops",
        description="run benchmarks: the engine beside hand-written loops, as ratios in one run",
        epilog="  laser-rdf bench laser --quick --out bench-out",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    kinds = bench.add_subparsers(title="benchmarks", required=True, metavar="NAME")
    laser = kinds.add_parser("laser", help="the micro-benchmarks of the Laser paper")
    bench_laser.add_arguments(laser)
    laser.set_defaults(command=bench_laser.main)
    incremental = kinds.add_parser("incremental", help="expiration times against recomputation")
    bench_incremental.add_arguments(incremental)
    incremental.set_defaults(command=bench_incremental.main)
    dotr = kinds.add_parser("dotr", help="the default scenario of the DOTR paper and its sensitivity")
    bench_dotr.add_arguments(dotr)
    dotr.set_defaults(command=bench_dotr.main)
    citybench = kinds.add_parser("citybench", help="the queries of CityBench over its streams")
    bench_citybench.add_arguments(citybench)
    citybench.set_defaults(command=bench_citybench.main)
    return parser


def _add_demo(add_parser: Callable[..., argparse.ArgumentParser]) -> None:
    parser = add_parser(
        "demo",
        help="run a small scenario end to end: streams, ontology, rules, results in a store",
        description="run a small scenario end to end: a building with sensors for smoke and heat",
        epilog="Everything it reads and writes is in one directory, to look at, change and run again.\n\n"
        "  laser-rdf demo --out building",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--out", default="laser-rdf-demo", metavar="DIR", help="a new directory (default: laser-rdf-demo)"
    )
    parser.add_argument(
        "--seed", type=_time_point, default=1, metavar="N", help="other noise in the readings"
    )
    parser.add_argument("--json", action="store_true", help="what is derived, as one JSON object per line")
    parser.set_defaults(command=_demo)


def _demo(options: argparse.Namespace) -> int:
    from laser_rdf.demo import demo

    return demo(options)


def _add_atom_files(parser: argparse.ArgumentParser) -> None:
    """What `eval` and `explain` read."""
    parser.add_argument("file", metavar="FILE.lars")
    parser.add_argument(
        "--stream",
        action="append",
        default=[],
        metavar="ATOMS",
        help="a stream file, `-` for standard input, or NAME=FILE for `on NAME`; may be repeated",
    )
    parser.add_argument(
        "--background", action="append", default=[], metavar="ATOMS", help="atoms that always hold"
    )
    parser.add_argument(
        "--start", type=_time_point, metavar="T", help="where the timeline starts (default: first input)"
    )


def _time_point(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        raise argparse.ArgumentTypeError(f"`{text}` is no whole number from 0 on")
    return int(text)


if __name__ == "__main__":
    entry_point()
