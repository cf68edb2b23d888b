"""A checked program for people: its rules by stratum and its windows, as a program again.

% stratum 1: hot/2
hot(R, V) :- temp(R, V) in [5 min], V > 60 .
% windows: temp/2 in [5 min] = the last 300 time points before now, and now
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from laser_rdf.check.checked import (
    BodyStep,
    CheckedAggregate,
    CheckedLiteral,
    CheckedProgram,
    CheckedRule,
    Everything,
    LastAtoms,
    LastPer,
    Predicate,
    ResolvedWindow,
    TimeSpan,
)
from laser_rdf.lang.printer import shortener, show_preamble, show_rule


def describe(checked: CheckedProgram, *, symbols: bool = False) -> str:
    """The program with its strata and windows as comments."""
    return "".join(line + "\n" for line in _lines(checked, symbols))


def describe_json(checked: CheckedProgram) -> dict[str, object]:
    """The same for machines."""
    short = shortener(checked.program)
    rules = checked.program.rules
    return {
        "facts": [show_rule(rule, short) for rule in rules if rule.is_fact],
        "strata": [
            [
                {
                    "line": rule.span.line,
                    "rule": show_rule(rules[rule.index], short),
                    "windows": list(_windows(rule, checked)),
                }
                for rule in stratum
            ]
            for stratum in checked.strata
        ],
    }


def _lines(checked: CheckedProgram, symbols: bool) -> Iterator[str]:
    short = shortener(checked.program)
    rules = checked.program.rules
    yield from show_preamble(checked.program)
    facts = [rule for rule in rules if rule.is_fact]
    if facts:
        yield "% background"
        yield from (show_rule(rule, short, symbols=symbols) for rule in facts)
        yield ""
    for number, stratum in enumerate(checked.strata, 1):
        heads = dict.fromkeys(_name(atom.predicate, checked) for rule in stratum for atom in rule.head)
        yield f"% stratum {number}: {', '.join(heads)}"
        yield from (show_rule(rules[rule.index], short, symbols=symbols) for rule in stratum)
        yield ""
    windows = dict.fromkeys(window for rule in checked.rules for window in _windows(rule, checked))
    yield "% windows" if windows else "% no windows: every rule looks at the current time point only"
    yield from (f"%   {window}" for window in windows)


def _windows(rule: CheckedRule, checked: CheckedProgram) -> Iterator[str]:
    for literal in _literals(rule.body):
        if literal.window is not None:
            names = dict.fromkeys(_name(atom.predicate, checked) for atom in literal.atoms)
            yield f"{', '.join(names)}: {explain(literal.window)}"


def _literals(body: tuple[BodyStep, ...]) -> Iterator[CheckedLiteral]:
    for step in body:
        if isinstance(step, CheckedLiteral):
            yield step
        elif isinstance(step, CheckedAggregate):
            yield from _literals(step.body)


def explain(window: ResolvedWindow) -> str:
    """A window in words.

    >>> explain(TimeSpan(300, 0, 10))
    'from 300 time points back, moving in steps of 10'
    """
    match window:
        case TimeSpan(back=back, ahead=ahead, step=step):
            parts = [f"from {_points(back)} back"] if back or not ahead else []
            parts += [f"to {_points(ahead)} ahead"] if ahead else []
            parts += [f"moving in steps of {step}"] if step > 1 else []
            return ", ".join(parts) if back or ahead or step > 1 else "the current time point"
        case Everything():
            return "from the start of the stream"
        case LastAtoms(count=count, name=name):
            return f"the last {_atoms(count)}" + ("" if name is None else " of one predicate")
        case LastPer(count=count, positions=positions):
            places = " and ".join(str(p + 1) for p in positions)
            return f"the last {_atoms(count)} for each value of argument {places}"
        case _:
            assert_never(window)


def _points(count: int) -> str:
    return f"{count} time point" + ("" if count == 1 else "s")


def _atoms(count: int) -> str:
    return "atom" if count == 1 else f"{count} atoms"


def _name(predicate: Predicate, checked: CheckedProgram) -> str:
    return f"{shortener(checked.program).predicate(predicate.name)}/{predicate.arity}"
