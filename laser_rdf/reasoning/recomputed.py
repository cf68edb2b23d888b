"""Evaluation from scratch at every time point, for the few forms that are not maintained incrementally.

The reference evaluator does the work; which forms these are, `laser_rdf.plan.translate` says. The stream is
kept as a whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from laser_rdf.check import TRIPLE, CheckedProgram, GroundAtom, Predicate, canonical_ground
from laser_rdf.codegen.domain import Domain
from laser_rdf.engine.tables import Row
from laser_rdf.reasoning.incremental import Sitting
from laser_rdf.reasoning.inputs import Batch, Element, Fact, Facts
from laser_rdf.reference import ReferenceEvaluator
from laser_rdf.values import IRI

Atoms = frozenset[GroundAtom]


class Recomputed:
    """A program that is evaluated anew at every time point."""

    def __init__(
        self,
        program: CheckedProgram,
        domain: Domain,
        background: Iterable[Batch],
        max_derivations: int,
        form: str,
    ) -> None:
        self.form = form
        self.domain = domain
        self._facts = Facts(self.domain)
        self._program = program
        self._background = list(self._atoms(background))
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
        self._arrive((self._atom(*self._facts.one(fact)) for fact in facts), stream)
        added, removed = self._changes()
        return [self._fact(atom) for atom in added], [self._fact(atom) for atom in removed]

    def step_rows(
        self, elements: Iterable[Element], entailed: Iterable[Element]
    ) -> tuple[list[Batch], list[Batch]]:
        """The same with rows as they are inside, of several streams together."""
        for stream, batches in elements:
            self._arrive(self._atoms(batches), stream)
        for stream, batches in entailed:
            self._arrive(self._atoms(batches), stream, counts=False)
        added, removed = self._changes()
        return self._batches(added), self._batches(removed)

    def _arrive(self, atoms: Iterable[GroundAtom], stream: str | None, *, counts: bool = True) -> None:
        assert self._evaluator is not None
        self._evaluator.add(self._now, atoms, stream, counts=counts)

    def _changes(self) -> tuple[Atoms, Atoms]:
        assert self._evaluator is not None
        answer = self._evaluator.answer(self._now)
        before, self._holds, self._timeline = self._holds, answer.holds, answer.timeline
        return self._holds - before, before - self._holds

    def next_time(self) -> int | None:
        """Every time point can bring a change."""
        return self._now + 1

    def holds(self) -> list[Fact]:
        """What holds at the current time point."""
        return [self._fact(atom) for atom in self._holds]

    def holding_rows(self) -> list[Batch]:
        """What holds at the current time point, as rows."""
        return self._batches(self._holds)

    def timeline(self) -> list[Sitting]:
        """Every derived atom with the time point at which it sits."""
        return [(time, *self._fact(atom)) for time, atom in self._timeline]

    def _atoms(self, batches: Iterable[Batch]) -> Iterator[GroundAtom]:
        for predicate, rows in batches:
            for row in rows:
                atom = self._atom(predicate, row)
                yield canonical_ground(predicate.name, atom.args) if predicate == TRIPLE else atom

    def _atom(self, predicate: Predicate, row: Row) -> GroundAtom:
        return GroundAtom(predicate, tuple(map(self.domain.decode, row)))

    def _batches(self, atoms: Iterable[GroundAtom]) -> list[Batch]:
        return self._facts.batches(map(self._facts.ground, atoms))

    def _fact(self, atom: GroundAtom) -> Fact:
        encode, give = self.domain.encode, self.domain.give
        return give(encode(IRI(atom.predicate.name))), tuple(give(encode(arg)) for arg in atom.args)
