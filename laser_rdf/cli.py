"""The command line: arguments in, one call, rendering out.

Exit codes: 0 done, 1 the run failed, 2 the program or the arguments are wrong.
Heavy imports stand inside the commands, so that `--help` answers at once.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, NoReturn

from laser_rdf.errors import EvaluationError, InputError, LaserError, ProgramError, UsageError, escape_control
from laser_rdf.terminal import (
    flush_output,
    read_lines,
    read_once,
    read_program,
    report_unwritable,
    show_anything,
    to_json,
)

if TYPE_CHECKING:
    from laser_rdf.check import CheckedProgram, GroundAtom, Predicate
    from laser_rdf.evaluation import Row
    from laser_rdf.lang.ast import Program
    from laser_rdf.values import Clock

OK, FAILED, WRONG = 0, 1, 2

PLANNED = {
    "demo": "the pipeline",
    "run": "the pipeline",
    "explain": "the annotation engine",
    "bench": "the benchmarks",
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


def entry_point() -> None:
    """The console script."""
    sys.exit(main())


# --- commands ------------------------------------------------------------------------------------------


def _check(options: argparse.Namespace) -> int:
    """Parse and check each file; report everything."""
    from laser_rdf.check import check

    read_once(options.files)
    clock = _clock(options)
    found: list[tuple[str, dict[str, object]]] = []  # each problem, as text and for machines
    wrong = False
    for path in options.files:
        try:
            checked = check(read_program(path), clock=clock)
            source = checked.program.source
            found += [(warning.render(source), warning.as_json(source)) for warning in checked.warnings]
        except ProgramError as error:
            wrong = True
            found += [(d.render(error.source), d.as_json(error.source)) for d in error.diagnostics]
        except UsageError as error:
            wrong = True
            found.append(_unreadable(path, str(error)))
    if options.json:
        print(to_json([entry for _, entry in found], indent=1))
    else:
        for text, _ in found:
            print(text, file=sys.stderr)
        if not wrong:
            print(f"{len(options.files)} program{'s' if len(options.files) > 1 else ''} checked, no errors")
    return WRONG if wrong else OK


def _unreadable(path: str, message: str) -> tuple[str, dict[str, object]]:
    """A file that cannot be read is a problem like others, but it has no place."""
    note = "check its name and who may read it"
    entry = {"file": path, "line": None, "column": None, "severity": "error", "code": "U001"}
    text = f"{escape_control(path)}: error[U001]: {escape_control(message)}\n  = {note}"
    return text, {**entry, "message": message, "note": note}


def _show(options: argparse.Namespace) -> int:
    """Print the program as it is understood."""
    from laser_rdf.check.report import describe, describe_json

    for wanted in ("plan", "code"):
        if getattr(options, wanted):
            raise UsageError(f"`show --{wanted}` is not there yet: it comes with the annotation engine")
    checked = _checked(read_program(options.file), options)
    if options.json:
        print(to_json(describe_json(checked), indent=1))
    else:
        print(describe(checked, symbols=options.symbols), end="")
    return OK


def _eval(options: argparse.Namespace) -> int:
    """Evaluate over plain atoms."""
    from laser_rdf.check import canonical_ground
    from laser_rdf.evaluation import evaluate
    from laser_rdf.lang.atoms import AtomReader

    if options.engine == "annotation":
        raise UsageError("`--engine annotation` is not there yet; use `--engine reference`")
    if not options.stream and (options.start is None or options.until is None):
        raise UsageError("give a stream with `--stream`, or `--start` and `--until`")
    if options.start is not None and options.until is not None and options.until < options.start:
        raise UsageError(f"`--until {options.until}` lies before `--start {options.start}`")
    named = [_named(given) for given in options.stream]
    read_once([options.file, *(path for _, path in named), *options.background])
    program = read_program(options.file)
    prefixes = {prefix.name: prefix.iri for prefix in program.prefixes}

    def reader(path: str) -> AtomReader:
        return AtomReader(path, prefixes, program.base)

    streams = []
    for name, path in named:
        timed = reader(path).stream(read_lines(path))
        streams.append((name, [(t, [canonical_ground(*atom) for atom in atoms]) for t, atoms in timed]))
    background = [
        canonical_ground(*atom)
        for path in options.background
        for atom in reader(path).background(read_lines(path))
    ]
    arriving = {atom.predicate for _, timed in streams for _, atoms in timed for atom in atoms}
    checked = _checked(
        program,
        options,
        inputs=arriving,
        background={atom.predicate for atom in background},
        streams={name for name, _ in named if name is not None},
    )
    rows = evaluate(
        checked,
        streams,
        background,
        start=options.start,
        until=options.until,
        max_derivations=options.max_derivations,
    )
    _render(rows, checked, options)
    return OK


def _render(rows: Iterable[Row], checked: CheckedProgram, options: argparse.Namespace) -> None:
    from laser_rdf.lang.printer import shortener, show_atom

    short = shortener(checked.program)

    def texts(atoms: Iterable[GroundAtom], separator: str) -> list[str]:
        pairs = ((show_atom(a.predicate.name, a.args, short), a) for a in atoms)
        ordered = sorted(pairs, key=lambda pair: pair[0])
        return [
            t if separator == "," else show_atom(a.predicate.name, a.args, short, separator)
            for t, a in ordered
        ]

    def at(row: Row, separator: str) -> dict[str, list[str]]:
        times = sorted({time for time, _ in row.timeline})
        return {str(t): texts((a for time, a in row.timeline if time == t), separator) for t in times}

    for row in rows:
        chosen = {"I": row.added, "D": row.removed}.get(options.emit, row.holds)
        if options.json:
            key = {"I": "added", "D": "removed"}.get(options.emit, "holds")
            line: dict[str, object] = {"t": row.time, key: texts(chosen, ",")}
            if options.emit == "answer":
                line["at"] = at(row, ",")
            print(to_json(line))
        elif options.emit == "answer":
            parts = [f"{t}: {', '.join(atoms)}" for t, atoms in at(row, ", ").items()]
            print(f"{row.time}: {' | '.join(f'@{part}' for part in parts)}".rstrip())
        else:
            print(f"{row.time}: {', '.join(texts(chosen, ', '))}".rstrip())


# --- what commands share -------------------------------------------------------------------------------


def _checked(
    program: Program,
    options: argparse.Namespace,
    inputs: set[Predicate] | None = None,
    background: Collection[Predicate] = (),
    streams: Collection[str] | None = None,
) -> CheckedProgram:
    """The checked program; its warnings go to the terminal."""
    from laser_rdf.check import check

    checked = check(program, clock=_clock(options), inputs=inputs, background=background, streams=streams)
    for warning in checked.warnings:
        print(warning.render(program.source), file=sys.stderr)
    return checked


def _clock(options: argparse.Namespace) -> Clock:
    from laser_rdf.values import Clock

    return Clock.parse(options.clock)


def _named(given: str) -> tuple[str | None, str]:
    """`traffic=traffic.txt` names the stream for `on traffic`; a plain path does not."""
    name, equals, path = given.partition("=")
    if equals and name and "/" not in name and not os.path.exists(given):
        return name, path
    return None, given


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
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    def command(
        name: str, run: Callable[[argparse.Namespace], int], help_text: str, epilog: str
    ) -> argparse.ArgumentParser:
        sub = commands.add_parser(
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
        _check,
        "parse and check programs, reporting every problem with its place",
        "Exit code 2 when a program has an error; warnings do not count.\n\n"
        "  laser-rdf check rules.lars more.lars\n  laser-rdf check - < rules.lars",
    )
    check.add_argument("files", nargs="+", metavar="FILE.lars", help="a program, or `-` for standard input")

    show = command(
        "show",
        _show,
        "print a program as it is understood, with its strata and windows",
        "The output is a program again.\n\n  laser-rdf show rules.lars --symbols",
    )
    show.add_argument("file", metavar="FILE.lars")
    show.add_argument("--symbols", action="store_true", help="operators as in the papers: ⊞ ◇ □ @ ¬ ←")
    show.add_argument("--plan", action="store_true", help="the join orders (not there yet)")
    show.add_argument("--code", action="store_true", help="the generated Python (not there yet)")

    evaluate = command(
        "eval",
        _eval,
        "evaluate a program over a stream of plain atoms, one line per time point",
        "A stream file has one line per time point:\n\n"
        "  36: a(x1, y)\n  38: a(x2, y), b(y, z)    % a comment\n\n"
        "Time points not listed are empty. A background file has one atom per line.\n"
        "`--emit R` prints what holds, `I` what became true, `D` what ceased to be true,\n"
        "`answer` every derived atom under the time point at which it sits.\n\n"
        "  laser-rdf eval rules.lars --stream readings.atoms --background rooms.atoms --until 50",
    )
    evaluate.add_argument("file", metavar="FILE.lars")
    evaluate.add_argument(
        "--stream",
        action="append",
        default=[],
        metavar="ATOMS",
        help="a stream file, `-` for standard input, or NAME=FILE for `on NAME`; may be repeated",
    )
    evaluate.add_argument(
        "--background", action="append", default=[], metavar="ATOMS", help="atoms that always hold"
    )
    evaluate.add_argument(
        "--start", type=_time_point, metavar="T", help="where the timeline starts (default: first input)"
    )
    evaluate.add_argument("--until", type=_time_point, metavar="T", help="the last time point to evaluate")
    evaluate.add_argument(
        "--engine", choices=("annotation", "reference"), default="reference", help="which evaluator"
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
    return parser


def _time_point(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        raise argparse.ArgumentTypeError(f"`{text}` is no whole number from 0 on")
    return int(text)


if __name__ == "__main__":
    entry_point()
