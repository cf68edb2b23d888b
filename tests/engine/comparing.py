"""The engine beside the reference evaluator, at every time point."""

from __future__ import annotations

from laser_rdf.check import CheckedProgram, GroundAtom, Predicate, canonical_ground
from laser_rdf.reasoning import Engine
from laser_rdf.reference import ReferenceEvaluator
from laser_rdf.values import IRI, Term, to_term
from tests.engine.programs import Scenario

Fact = tuple[object, tuple[object, ...]]


def atom_of(fact: Fact) -> GroundAtom:
    """A fact of the engine's interface as the atom it means (with the default base)."""
    name, args = fact
    iri = to_term(name)
    assert isinstance(iri, IRI)
    return canonical_ground(iri.value, tuple(map(to_term, args)))


def fact_of(atom: GroundAtom) -> Fact:
    """An atom as a fact of the engine's interface."""
    return IRI(atom.predicate.name), atom.args


def compare(scenario: Scenario, program: CheckedProgram) -> Engine:
    """Run both over the scenario and the time points between; fail where they differ."""
    engine = Engine(program, scenario.background)
    reference = ReferenceEvaluator(program, [atom_of(fact) for fact in scenario.background])
    before: set[GroundAtom] = set()
    for i, (time, stream, facts) in enumerate(scenario.elements):
        reference.add(time, [atom_of(fact) for fact in facts], stream)
        answer = engine.step(time, facts, stream)
        before = same(answer, reference.answer(time), before, time)
        follows = scenario.elements[i + 1][0] if i + 1 < len(scenario.elements) else time + 6
        for gap in range(time + 1, follows):
            if gap % 2:  # some time points are passed over, as a stream without input passes over them
                before = same(engine.step(gap), reference.answer(gap), before, gap)
    return engine


def same(answer, expected, before: set[GroundAtom], time: int) -> set[GroundAtom]:
    """Compare one answer in all its forms."""
    holds = {atom_of(fact) for fact in answer.holds()}
    assert holds == set(expected.holds), f"at {time}"
    timeline = {(t, atom_of((name, args))) for t, name, args in answer.timeline()}
    assert timeline == set(expected.timeline), f"timeline at {time}"
    assert sorted(map(repr, answer.added)) == sorted({repr(f) for f in answer.added}), "added twice"
    assert {atom_of(fact) for fact in answer.added} == holds - before, f"added at {time}"
    assert {atom_of(fact) for fact in answer.removed} == before - holds, f"removed at {time}"
    return holds


__all__ = ["Predicate", "Term", "atom_of", "compare", "fact_of", "same"]
