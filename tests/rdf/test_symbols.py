"""The engine over interned terms says what it says over names and numbers."""

from __future__ import annotations

from itertools import groupby

import pytest

from laser_rdf.check import CheckedProgram, Predicate, check
from laser_rdf.errors import EvaluationError, ProgramError
from laser_rdf.lang.parser import parse
from laser_rdf.rdf import Interner
from laser_rdf.rdf.interner import Value, term_of
from laser_rdf.rdf.symbol_domain import symbols_of
from laser_rdf.reasoning import Engine
from laser_rdf.reasoning.inputs import Batch
from laser_rdf.reference import ReferenceEvaluator
from tests.engine.comparing import MAX_DERIVATIONS, atom_of, compare
from tests.engine.programs import FOCUSES, Fact, Focus, Scenario, scenario

PER_FOCUS = 40


def accepted(made: Scenario) -> CheckedProgram | None:
    try:
        return check(parse(made.program))
    except ProgramError:
        return None


@pytest.mark.parametrize("focus", FOCUSES, ids=lambda focus: focus.name)
def test_symbols_are_as_good_as_names(focus: Focus) -> None:
    told = 0
    for seed in range(PER_FOCUS):
        made = scenario(10_000 + seed, focus)
        if (program := accepted(made)) is not None:
            try:
                told += compare(made, program, symbols_of(Interner())).atoms
            except EvaluationError:
                continue
    assert told


def batches(facts: list[Fact], interner: Interner) -> list[Batch]:
    """Facts as rows of values, in their order."""
    atoms = map(atom_of, facts)
    return [(atom.predicate, [tuple(map(interner.of_term, atom.args))]) for atom in atoms]


Said = set[tuple[Predicate, tuple[str, ...]]]


def said_by_rows(found: list[Batch]) -> Said:
    def text(value: Value) -> str:
        return str(term_of(value))

    return {(predicate, tuple(map(text, row))) for predicate, rows in found for row in rows}


def said_by_facts(facts: list[Fact]) -> Said:
    return {(atom.predicate, tuple(map(str, atom.args))) for atom in map(atom_of, facts)}


@pytest.mark.parametrize("focus", FOCUSES, ids=lambda focus: focus.name)
def test_rows_are_as_good_as_facts(focus: Focus) -> None:
    told = 0
    for seed in range(PER_FOCUS):
        made = scenario(20_000 + seed, focus)
        if (program := accepted(made)) is None:
            continue
        interner = Interner()
        plain = Engine(program, made.background, made.start, max_derivations=MAX_DERIVATIONS)
        rows = Engine(
            program,
            start=made.start,
            max_derivations=MAX_DERIVATIONS,
            domain=symbols_of(interner),
            background_rows=batches(made.background, interner),
        )
        try:
            before: Said = set()
            for time, elements in groupby(made.elements, key=lambda element: element[0]):
                arrived = [(stream, facts) for _, stream, facts in elements]
                for stream, facts in arrived:
                    expected = plain.step(time, facts, stream)
                answer = rows.step_rows(time, [(s, batches(facts, interner)) for s, facts in arrived])
                holds = said_by_facts(expected.holds())
                assert said_by_rows(list(answer.holds())) == holds
                assert said_by_rows(list(answer.added)) == holds - before
                assert said_by_rows(list(answer.removed)) == before - holds
                told += len(holds - before)
                before = holds
        except EvaluationError:
            continue
    assert told


@pytest.mark.parametrize("focus", FOCUSES, ids=lambda focus: focus.name)
def test_entailed_atoms_do_not_count(focus: Focus) -> None:
    told = 0
    for seed in range(PER_FOCUS):
        made = scenario(30_000 + seed, focus)
        if (program := accepted(made)) is None:
            continue
        interner = Interner()
        judge = ReferenceEvaluator(
            program,
            map(atom_of, made.background),
            start=made.start,
            max_derivations=MAX_DERIVATIONS,
        )
        rows = Engine(
            program,
            made.background,
            start=made.start,
            max_derivations=MAX_DERIVATIONS,
            domain=symbols_of(interner),
        )
        try:
            for time, elements in groupby(made.elements, key=lambda element: element[0]):
                arrived = [(stream, facts) for _, stream, facts in elements]
                said = [(stream, facts[::2]) for stream, facts in arrived]
                entailed = [(stream, facts[1::2]) for stream, facts in arrived]
                for stream, facts in said:
                    judge.add(time, map(atom_of, facts), stream)
                for stream, facts in entailed:
                    judge.add(time, map(atom_of, facts), stream, counts=False)
                holds = {(atom.predicate, tuple(map(str, atom.args))) for atom in judge.answer(time).holds}
                answer = rows.step_rows(
                    time,
                    [(stream, batches(facts, interner)) for stream, facts in said],
                    [(stream, batches(facts, interner)) for stream, facts in entailed],
                )
                assert said_by_rows(list(answer.holds())) == holds
                told += len(holds)
        except EvaluationError:
            continue
    assert told
