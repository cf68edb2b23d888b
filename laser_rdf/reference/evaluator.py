"""The answer stream at a time point, computed from scratch: the judge of every faster evaluator.

Rules are evaluated at `now` only, stratum by stratum, each stratum to its least fixpoint by plain
iteration (semantics, section 3; Definition 9 of the LARS paper). Nothing is remembered between time points
but the input.

    q(X) :- p(X) in [3].   with p(a) at 5   →   q(a) at 5, 6, 7 and 8
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from laser_rdf.check import (
    CheckedProgram,
    CheckedRule,
    GroundAtom,
    HeadAtom,
    canonical_ground,
)
from laser_rdf.check.limits import too_many_derivations
from laser_rdf.errors import UsageError
from laser_rdf.lang.ast import Blank, Const, Var
from laser_rdf.reference.atoms import Atoms
from laser_rdf.reference.expressions import Binding, time_point
from laser_rdf.reference.matching import World
from laser_rdf.reference.solving import solutions
from laser_rdf.reference.stream import DataStream
from laser_rdf.values import Term, fresh_resource

MAX_DERIVATIONS = 100_000


@dataclass(frozen=True, slots=True)
class ReferenceAnswer:
    """What holds at an evaluation: every derived atom with the time point at which it sits."""

    time: int
    timeline: frozenset[tuple[int, GroundAtom]]

    @property
    def holds(self) -> frozenset[GroundAtom]:
        """The output: what sits at the evaluation time."""
        return frozenset(atom for time, atom in self.timeline if time == self.time)


class ReferenceEvaluator:
    """Takes input in time order and answers for any time point that is not before the last input."""

    def __init__(
        self,
        program: CheckedProgram,
        background: Iterable[GroundAtom] = (),
        *,
        start: int | None = None,
        max_derivations: int = MAX_DERIVATIONS,
    ) -> None:
        self.program = program
        self._background = Atoms([*program.facts, *background])
        self.max_derivations = max_derivations
        self._data = DataStream(start)

    def add(
        self, time: int, atoms: Iterable[GroundAtom], stream: str | None = None, *, counts: bool = True
    ) -> None:
        """Input at a time point, in the order of its arrival; entailed atoms do not count."""
        self._data.add(time, atoms, stream, counts=counts)

    def answer(self, now: int) -> ReferenceAnswer:
        """The answer at `now`, restricted to what the program shows."""
        if self._data.start is None:
            self._data.start = now
        if now < self._data.start:
            raise UsageError(f"no answer at {now}: the stream starts at {self._data.start}")
        world = World(self.program, self._data, self._background, now)
        for stratum in self.program.strata:
            self._fixpoint(stratum, world)
        shown = (entry for entry in world.derived if self.program.is_shown(entry[1].predicate))
        return ReferenceAnswer(now, frozenset(shown))

    def _fixpoint(self, rules: tuple[CheckedRule, ...], world: World) -> None:
        limited = 0
        while True:
            before = len(world.derived)
            for rule in rules:
                # A rule's consequences are all collected before any counts: until then windows stand still.
                new = {entry for entry in self._consequences(rule, world) if entry not in world.derived}
                if new:
                    world.derive(new)
                limited += len(new) if rule.limited else 0
                if limited > self.max_derivations:
                    raise too_many_derivations(self.program, rule, world.now, self.max_derivations)
            if len(world.derived) == before:
                return

    def _consequences(self, rule: CheckedRule, world: World) -> Iterator[tuple[int, GroundAtom]]:
        start = self._data.start
        assert start is not None
        for binding in solutions(rule.body, {}, world):
            time: int | None = world.now
            if rule.head_at is not None:
                time = time_point(rule.head_at, binding, self.program)
            if time is not None and time >= start:
                for atom in rule.head:
                    yield time, _instance(atom, rule, binding, time)


def _instance(atom: HeadAtom, rule: CheckedRule, binding: Binding, time: int) -> GroundAtom:
    """The head atom with its variables replaced and its fresh resources named."""

    def value(arg: object) -> Term:
        match arg:
            case Var(name=name):
                return binding[name]
            case Const(term=term):
                return term
            case Blank(label=label):
                values = [binding[name] for name in rule.head_variables]
                return fresh_resource(rule.text, label, values, None if rule.head_at is None else time)
            case _:
                raise AssertionError(f"the checks let no {arg!r} into a head")

    return canonical_ground(atom.predicate.name, tuple(map(value, atom.args)))
