"""Which item binds which variable, and an order in which every item finds what it needs bound.

Body steps in text order enter; an Ordering leaves: the steps in an order that can be evaluated, the
steps that nothing makes ready, and the variables that are bound in the end. Filters (comparisons,
assignments, negated literals, aggregates) are taken as soon as they are ready, in text order; when none
is, the first positive literal that is ready.

`X = expr` becomes an assignment when X stands alone and nothing else binds it. `at T` with an argument or an
assignment that binds T waits for that, so that the time point is tested by value (see CheckedLiteral).
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from typing import assert_never

from laser_rdf.check.checked import BodyStep, CheckedAggregate, CheckedLiteral
from laser_rdf.check.variables import among, names, variables
from laser_rdf.lang.ast import Assignment, Comparison, Expr, Var

BLANK = "_:"
"""How the names of variables begin that stand for blank nodes of a block: existential under negation."""


class Use(enum.Enum):
    """Where in a step a variable stands that must be bound before."""

    ARGUMENT = "argument"
    CONDITION = "condition"
    AT = "at"
    FROM = "from"
    GROUP = "group"


@dataclass(frozen=True, slots=True)
class Binders:
    """The variables of one scope by what binds them, whatever the order."""

    arguments: frozenset[str]
    times: frozenset[str]
    assigned: frozenset[str]
    given: frozenset[str]

    @property
    def by_value(self) -> frozenset[str]:
        """Bound to a term, so that an `at` of the same variable tests."""
        return self.arguments | self.assigned | self.given

    @property
    def only_times(self) -> frozenset[str]:
        """Bound by nothing but an `at`."""
        return self.times - self.by_value


@dataclass(frozen=True, slots=True)
class Ordering:
    """Steps ready one after the other, steps that never are, and what is bound in the end."""

    steps: tuple[BodyStep, ...]
    stuck: tuple[BodyStep, ...]
    bound: frozenset[str]
    binders: Binders


def binders(steps: Iterable[BodyStep], given: frozenset[str]) -> Binders:
    """What binds the variables of a scope in which `given` are bound from outside."""
    arguments: set[str] = set()
    times: set[str] = set()
    assigned: set[str] = set()
    for step in steps:
        match step:
            case CheckedLiteral(negated=True) | Comparison():
                pass
            case CheckedLiteral():
                arguments.update(own_variables(step))
                if isinstance(step.at, Var):
                    times.add(step.at.name)
            case Assignment() | CheckedAggregate():
                assigned.add(step.target.name)
            case _:
                assert_never(step)
    return Binders(frozenset(arguments), frozenset(times), frozenset(assigned), given)


def own_variables(literal: CheckedLiteral) -> set[str]:
    """The variables among the arguments of a literal."""
    return {v.name for atom in literal.atoms for v in among(atom.args)}


def needs(step: BodyStep, known: Binders) -> Iterator[tuple[Use, Var]]:
    """The occurrences of variables that must be bound before a step; for `=`, when it compares."""
    match step:
        case CheckedLiteral():
            yield from _literal_needs(step, known)
        case Comparison():
            yield from ((Use.CONDITION, v) for e in (step.left, step.right) for v in variables(e))
        case Assignment():
            yield from ((Use.CONDITION, v) for v in variables(step.value))
        case CheckedAggregate():
            yield from ((Use.GROUP, Var(name, step.span)) for name in step.groups)
        case _:
            assert_never(step)


def _literal_needs(literal: CheckedLiteral, known: Binders) -> Iterator[tuple[Use, Var]]:
    own = own_variables(literal)
    if literal.negated:
        for atom in literal.atoms:
            yield from ((Use.ARGUMENT, v) for v in among(atom.args) if not v.name.startswith(BLANK))
        yield from ((Use.AT, v) for v in variables(literal.at))
    elif isinstance(literal.at, Var):
        if literal.at.name in known.by_value and literal.at.name not in own:
            yield Use.AT, literal.at
        own.add(literal.at.name)
    else:
        yield from ((Use.AT, v) for v in variables(literal.at))
    yield from ((Use.FROM, v) for v in variables(literal.reference))
    for condition in literal.conditions:
        for v in (*variables(condition.left), *variables(condition.right)):
            if v.name not in own:
                yield Use.CONDITION, v


def provides(step: BodyStep, known: Binders) -> set[str]:
    """The variables that a step can bind."""
    match step:
        case CheckedLiteral(negated=True):
            return set()
        case CheckedLiteral():
            own = own_variables(step)
            return (
                own | {step.at.name} if isinstance(step.at, Var) and step.at.name in known.only_times else own
            )
        case Assignment() | CheckedAggregate():
            return {step.target.name}
        case Comparison():
            return {target.name for target, _ in _equations(step, known)}
        case _:
            assert_never(step)


def _equations(comparison: Comparison, known: Binders) -> Iterator[tuple[Var, Expr]]:
    """The ways in which `=` could bind: a variable that nothing else binds, and the other side."""
    if comparison.op != "=":
        return
    for target, value in ((comparison.left, comparison.right), (comparison.right, comparison.left)):
        if (
            isinstance(target, Var)
            and target.name not in known.by_value
            and target.name not in known.times
            and target.name not in names(value)
        ):
            yield target, value


def order(steps: tuple[BodyStep, ...], given: frozenset[str] = frozenset()) -> Ordering:
    """The steps of a body in an order that can be evaluated when `given` are bound before."""
    known = binders(steps, given)
    queue = _Queue(steps, known)
    ordered: list[BodyStep] = []
    while (index := queue.next_ready()) is not None or (index := queue.next_untimed(known)) is not None:
        step = _decided(steps[index], known, queue.bound)
        ordered.append(step)
        queue.bind(provides(step, known))
    stuck = tuple(step for index, step in enumerate(steps) if index not in queue.taken)
    return Ordering(tuple(ordered), stuck, frozenset(queue.bound), known)


def _decided(step: BodyStep, known: Binders, bound: set[str]) -> BodyStep:
    """The step as it is carried out when these variables are bound."""
    if isinstance(step, CheckedLiteral) and not step.negated and isinstance(step.at, Var):
        return replace(step, binds_time=step.at.name not in known.by_value)
    if isinstance(step, Comparison):
        for target, value in _equations(step, known):
            if target.name not in bound and names(value) <= bound:
                return Assignment(target, value, step.span)
    return step


class _Queue:
    """Steps that wait for variables; linear in the number of occurrences."""

    def __init__(self, steps: tuple[BodyStep, ...], known: Binders) -> None:
        self.steps = steps
        self.bound: set[str] = set(known.given)
        self.taken: set[int] = set()
        self._filters: list[int] = []
        self._literals: list[int] = []
        self._ready = [
            self._literals if isinstance(step, CheckedLiteral) and not step.negated else self._filters
            for step in steps
        ]
        self._waiting: dict[str, list[list[int]]] = {}
        for index, step in enumerate(steps):
            self._wait(index, {v.name for _, v in needs(step, known)})
            if isinstance(step, Comparison):
                for _, value in _equations(step, known):
                    self._wait(index, names(value))

    def _wait(self, index: int, missing: set[str]) -> None:
        """One way for a step to become ready: when these are bound."""
        missing = missing - self.bound
        if not missing:
            heappush(self._ready[index], index)
        way = [index, len(missing)]
        for name in missing:
            self._waiting.setdefault(name, []).append(way)

    def bind(self, found: set[str]) -> None:
        """Tell the waiting steps which variables are bound now."""
        for name in found - self.bound:
            self.bound.add(name)
            for way in self._waiting.pop(name, ()):
                way[1] -= 1
                if not way[1]:
                    heappush(self._ready[way[0]], way[0])

    def next_ready(self) -> int | None:
        """The next step to carry out."""
        for heap in (self._filters, self._literals):
            while heap:
                index = heappop(heap)
                if index not in self.taken:
                    self.taken.add(index)
                    return index
        return None

    def next_untimed(self, known: Binders) -> int | None:
        """A literal that only waits for its own `at T`, when nothing else can go on: T is tested later.

        In `a(Y) at T, b(T) at Y` each literal's time is an argument of the other.
        """
        for index, step in enumerate(self.steps):
            if index not in self.taken and isinstance(step, CheckedLiteral) and not step.negated:
                missing = {(use, v.name) for use, v in needs(step, known) if v.name not in self.bound}
                if all(use is Use.AT for use, _ in missing) and isinstance(step.at, Var):
                    self.taken.add(index)
                    return index
        return None
