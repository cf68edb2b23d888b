"""The commands, each a function from parsed arguments to an exit code.

Heavy imports stand inside them, so that `--help` answers at once. Exit codes: 0 done, 1 the run failed, 2 the
program or the arguments are wrong.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from laser_rdf.errors import InputError, ProgramError, UsageError, escape_control
from laser_rdf.terminal import read_once, read_program, to_json

if TYPE_CHECKING:
    from laser_rdf.check import CheckedProgram, GroundAtom
    from laser_rdf.evaluation import Row

OK, FAILED, WRONG = 0, 1, 2


def check(options: argparse.Namespace) -> int:
    """Parse and check each file; report everything."""
    from laser_rdf import check as checking
    from laser_rdf.atom_files import clock_of

    read_once(options.files)
    clock = clock_of(options)
    found: list[tuple[str, dict[str, object]]] = []  # each problem, as text and for machines
    wrong = False
    for path in options.files:
        try:
            checked = checking.check(read_program(path), clock=clock)
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


def show(options: argparse.Namespace) -> int:
    """Print the program as it is understood, its plan, or its generated Python."""
    from laser_rdf.atom_files import checked_program
    from laser_rdf.check.report import describe, describe_json

    checked = checked_program(read_program(options.file), options)
    if options.plan or options.code:
        if options.json or options.symbols:
            raise UsageError("`--json` and `--symbols` do not go with `--plan` and `--code`")
        _show_plan(checked, options)
    elif options.json:
        print(to_json(describe_json(checked), indent=1))
    else:
        print(describe(checked, symbols=options.symbols), end="")
    return OK


def _show_plan(checked: CheckedProgram, options: argparse.Namespace) -> None:
    from laser_rdf.codegen.domain import domain_of
    from laser_rdf.codegen.generate import generate
    from laser_rdf.plan.planning import NotIncremental, make_plan
    from laser_rdf.plan.show import show_plan

    facts = frozenset(atom.predicate for atom in checked.facts)
    try:
        plan = make_plan(checked, facts, checked.derived)
    except NotIncremental as form:
        print(f"% recomputed at every time point: {form}")
        return
    if options.plan:
        print(show_plan(plan), end="")
    if options.code:
        domain = domain_of(checked)
        print(generate(plan, domain.encode).source, end="")


def evaluate(options: argparse.Namespace) -> int:
    """Evaluate over plain atoms."""
    from laser_rdf.atom_files import AtomFiles
    from laser_rdf.evaluation import make_evaluator, rows_of

    if not options.stream and (options.start is None or options.until is None):
        raise UsageError("give a stream with `--stream`, or `--start` and `--until`")
    if options.start is not None and options.until is not None and options.until < options.start:
        raise UsageError(f"`--until {options.until}` lies before `--start {options.start}`")
    atoms = AtomFiles(options)
    checked = atoms.checked()
    evaluator = make_evaluator(
        options.engine,
        checked,
        atoms.background,
        start=options.start,
        max_derivations=options.max_derivations,
    )
    rows = rows_of(evaluator, atoms.streams(), start=options.start, until=options.until)
    _render(rows, checked, options)
    atoms.warn_about_missing()
    return OK


def explain(options: argparse.Namespace) -> int:
    """Say why an atom holds at a time point, or why not."""
    from laser_rdf.atom_files import AtomFiles
    from laser_rdf.evaluation import ByEngine, make_evaluator, rows_of
    from laser_rdf.values import IRI

    if not options.stream and options.start is None:
        raise UsageError("give a stream with `--stream`, or a `--start`")
    atoms = AtomFiles(options)
    checked = atoms.checked()
    try:
        predicate, args = atoms.reader("ATOM").atom(options.atom)
    except InputError as error:
        raise UsageError(f"`{options.atom}` is no atom to explain: {error.diagnostic.message}") from None
    evaluator = make_evaluator("annotation", checked, atoms.background, start=options.start)
    assert isinstance(evaluator, ByEngine)
    last = None
    for row in rows_of(evaluator, atoms.streams(), start=options.start, until=options.at):
        last = row.time
    if last != options.at:
        raise UsageError(f"`--at {options.at}` lies before the stream starts")
    explanation = evaluator.engine.explain(IRI(predicate), args)
    if options.json:
        print(to_json(explanation.as_json(), indent=1))
    else:
        print(explanation)
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
        timeline = row.timeline()
        times = sorted({time for time, _ in timeline})
        return {str(t): texts((a for time, a in timeline if time == t), separator) for t in times}

    live = "-" in options.stream  # somebody may be waiting for the answers to what they type
    for row in rows:
        chosen = {"I": row.added, "D": row.removed}.get(options.emit)
        if chosen is None:
            chosen = row.holds()
        if options.json:
            key = {"I": "added", "D": "removed"}.get(options.emit, "holds")
            line: dict[str, object] = {"t": row.time, key: texts(chosen, ",")}
            if options.emit == "answer":
                line["at"] = at(row, ",")
            print(to_json(line), flush=live)
        elif options.emit == "answer":
            parts = [f"{t}: {', '.join(atoms)}" for t, atoms in at(row, ", ").items()]
            print(f"{row.time}: {' | '.join(f'@{part}' for part in parts)}".rstrip(), flush=live)
        else:
            print(f"{row.time}: {', '.join(texts(chosen, ', '))}".rstrip(), flush=live)
