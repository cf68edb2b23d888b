"""The engine beside the reference evaluator, at every time point."""

from __future__ import annotations

from collections.abc import Callable

from laser_rdf.check import CheckedProgram, GroundAtom, canonical_ground
from laser_rdf.codegen.domain import Domain, domain_of
from laser_rdf.errors import EvaluationError
from laser_rdf.reasoning import Answer, Engine
from laser_rdf.reference import ReferenceEvaluator
from laser_rdf.reference.evaluator import ReferenceAnswer
from laser_rdf.values import IRI, to_term
from tests.engine.programs import Fact, Scenario

MAX_DERIVATIONS = 300


def atom_of(fact: Fact) -> GroundAtom:
    """A fact of the engine's interface as the atom it means (with the default base)."""
    name, args = fact
    iri = to_term(name)
    assert isinstance(iri, IRI)
    return canonical_ground(iri.value, tuple(map(to_term, args)))


def fact_of(atom: GroundAtom) -> Fact:
    """An atom as a fact of the engine's interface."""
    return IRI(atom.predicate.name), atom.args


class Comparison:
    """Engine and reference side by side; fails where they differ."""

    def __init__(
        self,
        program: CheckedProgram,
        background: list[Fact],
        start: int | None = None,
        domain: Callable[[CheckedProgram], Domain] = domain_of,
    ) -> None:
        self.engine = Engine(program, background, start, max_derivations=MAX_DERIVATIONS, domain=domain)
        self.reference = ReferenceEvaluator(
            program, [atom_of(fact) for fact in background], start=start, max_derivations=MAX_DERIVATIONS
        )
        self.before: set[GroundAtom] = set()
        self.points = self.filled = self.atoms = self.removals = 0
        self.predicates: set[str] = set()

    def step(self, time: int, facts: list[Fact] = [], stream: str | None = None) -> None:  # noqa: B006
        """The same input for both."""
        if facts or stream is not None:
            self.reference.add(time, [atom_of(fact) for fact in facts], stream)
        try:
            expected = self.reference.answer(time)
        except EvaluationError:
            self._must_fail(time, facts, stream)
            raise
        self._same(self.engine.step(time, facts, stream), expected)

    def advance(self, after: int, time: int) -> None:
        """Nothing arrives up to the time: what changes must be told, the rest must be as it was."""
        answers = self.engine.advance(time)
        waiting = next(answers, None)
        for point in range(after + 1, time + 1):
            expected = self.reference.answer(point)
            if waiting is not None and waiting.time == point:
                assert waiting.added or waiting.removed, f"no change at {point}"
                self._same(waiting, expected)
                waiting = next(answers, None)
            else:
                assert waiting is None or waiting.time > point
                assert set(expected.holds) == self.before, f"a change at {point} was passed over"
        assert waiting is None

    def _must_fail(self, time: int, facts: list[Fact], stream: str | None) -> None:
        try:
            self.engine.step(time, facts, stream)
        except EvaluationError:
            return
        raise AssertionError(f"the engine reaches no limit at {time}")

    def _same(self, answer: Answer, expected: ReferenceAnswer) -> None:
        """Compare one answer in all its forms."""
        time = expected.time
        assert answer.time == time
        listed = answer.holds()
        holds = {atom_of(fact) for fact in listed}
        assert holds == set(expected.holds), f"at {time}"
        assert len(listed) == len(holds), f"listed twice at {time}"
        timeline = {(t, atom_of((name, args))) for t, name, args in answer.timeline()}
        assert timeline == set(expected.timeline), f"timeline at {time}"
        assert {atom_of(fact) for fact in answer.added} == holds - self.before, f"added at {time}"
        assert {atom_of(fact) for fact in answer.removed} == self.before - holds, f"removed at {time}"
        assert len(answer.added) == len(holds - self.before), f"added twice at {time}"
        assert len(answer.removed) == len(self.before - holds), f"removed twice at {time}"
        self.points += 1
        self.filled += bool(holds)
        self.atoms += len(holds)
        self.removals += bool(answer.removed)
        self.predicates |= {atom.predicate.name for _, atom in expected.timeline}
        self.before = holds


def compare(
    scenario: Scenario, program: CheckedProgram, domain: Callable[[CheckedProgram], Domain] = domain_of
) -> Comparison:
    """Run both over the scenario and the time points between; fail where they differ."""
    both = Comparison(program, scenario.background, scenario.start, domain)
    for i, (time, stream, facts) in enumerate(scenario.elements):
        both.step(time, facts, stream)
        follows = scenario.elements[i + 1][0] if i + 1 < len(scenario.elements) else time + 6
        if scenario.advances:
            both.advance(time, max(time, follows - 1))
            continue
        for gap in range(time + 1, follows):
            if gap % 2:  # some time points are passed over, as a stream without input passes over them
                both.step(gap)
    return both


__all__ = ["Comparison", "atom_of", "compare", "fact_of"]
