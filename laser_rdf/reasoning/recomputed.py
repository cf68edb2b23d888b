"""Evaluation from scratch at every time point, for the few forms that are not maintained incrementally.

The reference evaluator does the work; which forms these are, `laser_rdf.plan.translate` says. The stream is
kept as a whole.
"""

from __future__ import annotations

from collections.abc import Iterable

from laser_rdf.check import CheckedProgram, GroundAtom
from laser_rdf.codegen.domain import Domain
from laser_rdf.reasoning.incremental import Sitting
from laser_rdf.reasoning.inputs import Fact, Facts
from laser_rdf.reference import ReferenceEvaluator
from laser_rdf.values import IRI


class Recomputed:
    """A program that is evaluated anew at every time point."""

    def __init__(
        self, program: CheckedProgram, background: Iterable[Fact], max_derivations: int, form: str
    ) -> None:
        self.form = form
        self.domain = Domain(program.program.base, program.functions, program.clock)
        self._facts = Facts(self.domain)
        self._program = program
        self._background = [self._atom(fact) for fact in background]
        self._max_derivations = max_derivations
        self._evaluator: ReferenceEvaluator | None = None
        self._now = -1
        self._holds: frozenset[GroundAtom] = frozenset()
        self._timeline: frozenset[tuple[int, GroundAtom]] = frozenset()

    def begin(self, time: int, start: int | None) -> None:
        """Move to a time point; `start` is given at the first."""
        if start is not None:
            self._evaluator = ReferenceEvaluator(
                self._program, self._background, start=start, max_derivations=self._max_derivations
            )
        self._now = time

    def step(self, facts: Iterable[Fact], stream: str | None) -> tuple[list[Fact], list[Fact]]:
        """Take the atoms of the current time point; what was added and removed."""
        assert self._evaluator is not None
        self._evaluator.add(self._now, map(self._atom, facts), stream)
        answer = self._evaluator.answer(self._now)
        before, self._holds, self._timeline = self._holds, answer.holds, answer.timeline
        return self._given(self._holds - before), self._given(before - self._holds)

    def next_time(self) -> int | None:
        """Every time point can bring a change."""
        return self._now + 1

    def holds(self) -> list[Fact]:
        """What holds at the current time point."""
        return self._given(self._holds)

    def timeline(self) -> list[Sitting]:
        """Every derived atom with the time point at which it sits."""
        return [(time, *self._fact(atom)) for time, atom in self._timeline]

    def _atom(self, fact: Fact) -> GroundAtom:
        predicate, row = self._facts.one(fact)
        return GroundAtom(predicate, tuple(map(self.domain.decode, row)))

    def _given(self, atoms: Iterable[GroundAtom]) -> list[Fact]:
        return [self._fact(atom) for atom in atoms]

    def _fact(self, atom: GroundAtom) -> Fact:
        encode, give = self.domain.encode, self.domain.give
        return give(encode(IRI(atom.predicate.name))), tuple(give(encode(arg)) for arg in atom.args)
