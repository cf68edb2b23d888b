"""Which bindings make a whole body hold.

The body is joined item by item, all bindings at once. An item may have to wait: `bg(X) at T` over a
background atom holds at every time point, so it binds nothing and is tested when something else has bound
T; when nothing does, it does not hold (semantics, section 3).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import assert_never

from laser_rdf.check import BodyStep, CheckedAggregate, CheckedLiteral
from laser_rdf.lang.ast import Assignment, Comparison, Const, Expr, Var, Wildcard
from laser_rdf.reference.expressions import evaluate, is_true, time_point, variables
from laser_rdf.reference.matching import Binding, World, look, matches
from laser_rdf.values import NoValue, Term, aggregate, to_term

Test = Callable[[Binding], bool]


@dataclass(frozen=True, slots=True)
class Waiting:
    """A step, or a test of a time variable, that needs a variable which is not bound yet."""

    needs: frozenset[str]
    step: BodyStep | Test


@dataclass(frozen=True, slots=True)
class Partial:
    """A binding that makes the items so far hold, and what is still to be tested."""

    binding: Binding
    waiting: tuple[Waiting, ...] = ()


def solutions(body: Iterable[BodyStep], binding: Binding, world: World) -> Iterator[Binding]:
    """Every binding of the body's variables that makes all its items hold."""
    partials = [Partial(binding)]
    for step in body:
        partials = [after for before in partials for after in _join(before, step, world)]
    for partial in partials:
        yield from _settle(partial, world)


def _join(before: Partial, step: BodyStep, world: World) -> Iterator[Partial]:
    missing = _needs(step) - before.binding.keys()
    if missing:
        yield Partial(before.binding, (*before.waiting, Waiting(missing, step)))
    else:
        for after in _hold(step, before.binding, world):
            yield Partial(after.binding, before.waiting + after.waiting)


def _settle(partial: Partial, world: World) -> Iterator[Binding]:
    """Go through what waits until nothing does; a need that nothing meets is no solution."""
    binding, waiting = partial.binding, list(partial.waiting)
    while waiting:
        ready = next((item for item in waiting if item.needs <= binding.keys()), None)
        if ready is None:
            yield from _by_own_time(binding, waiting, world)
            return
        waiting.remove(ready)
        if not callable(ready.step):
            for after in _join(Partial(binding, tuple(waiting)), ready.step, world):
                yield from _settle(after, world)
            return
        if not ready.step(binding):
            return
    yield binding


def _by_own_time(binding: Binding, waiting: list[Waiting], world: World) -> Iterator[Binding]:
    """`p at T in [w] from T`, when nothing else binds T: every time point of p is tried."""
    for item in waiting:
        step = item.step
        if not isinstance(step, CheckedLiteral) or step.negated or not isinstance(step.at, Var):
            continue
        if item.needs - binding.keys() == {step.at.name} and step.binds_time:
            anywhere = replace(step, window=None, reference=None)
            for time in {found.time for found in matches(anywhere, binding, world)} - {None}:
                tried = Partial({**binding, step.at.name: to_term(time)}, tuple(waiting))
                yield from _settle(tried, world)
            return


def _needs(step: BodyStep) -> frozenset[str]:
    """The variables that must be bound before the step can be looked at."""
    match step:
        case CheckedLiteral(negated=True):
            return variables(step.at) | variables(step.reference) | _pattern_variables(step)
        case CheckedLiteral(at=Var()):
            return variables(step.reference)
        case CheckedLiteral():
            return variables(step.at) | variables(step.reference)
        case Comparison(left=left, right=right):
            return variables(left) | variables(right)
        case Assignment(value=value):
            return variables(value)
        case CheckedAggregate(groups=groups):
            return frozenset(groups)
        case _:
            assert_never(step)


def _pattern_variables(literal: CheckedLiteral) -> frozenset[str]:
    names = (arg.name for atom in literal.atoms for arg in atom.args if isinstance(arg, Var))
    return frozenset(name for name in names if not name.startswith("_:"))


def _hold(step: BodyStep, binding: Binding, world: World) -> Iterator[Partial]:
    """The extensions of the binding under which the step holds."""
    match step:
        case CheckedLiteral(negated=True):
            found = (b for partial in _literal(step, binding, world) for b in _settle(partial, world))
            if next(found, None) is None:
                yield Partial(binding)
        case CheckedLiteral():
            yield from _literal(step, binding, world)
        case Comparison():
            if is_true(step, binding, world.program):
                yield Partial(binding)
        case Assignment(target=target, value=value):
            try:
                yield Partial({**binding, target.name: evaluate(value, binding, world.program)})
            except NoValue:
                return
        case CheckedAggregate():
            result = _aggregate(step, binding, world)
            if result is not None:
                yield Partial({**binding, step.target.name: result})
        case _:
            assert_never(step)


def _literal(literal: CheckedLiteral, binding: Binding, world: World) -> Iterator[Partial]:
    at = literal.at
    for found in matches(literal, binding, world):
        if at is None:
            yield Partial(found.binding)
        elif found.time is None:
            # Background alone: every point of the timeline will do, but something else has to name it.
            seen, _ = look(literal, binding, world)
            assert seen is not None
            yield from _when(at, seen.contains, found.binding, world)
        elif isinstance(at, Var) and literal.binds_time and at.name not in found.binding:
            yield Partial({**found.binding, at.name: to_term(found.time)})
        else:
            yield from _when(at, found.time.__eq__, found.binding, world)


def _when(at: Expr, wanted: Callable[[int], bool], binding: Binding, world: World) -> Iterator[Partial]:
    """The binding, if the time point that `at` names is wanted; tested later when it names none yet."""

    def test(binding: Binding) -> bool:
        time = time_point(at, binding, world.program)
        return time is not None and wanted(time)

    missing = variables(at) - binding.keys()
    if missing:
        yield Partial(binding, (Waiting(missing, test),))
    elif test(binding):
        yield Partial(binding)


def _aggregate(step: CheckedAggregate, binding: Binding, world: World) -> Term | None:
    outside = {name: binding[name] for name in step.groups}
    tuples: set[tuple[Term, ...]] = set()
    for solution in solutions(step.body, outside, world):
        tuples.add(tuple(_value(member, solution) for member in step.members))
    return aggregate(step.function, tuples)


def _value(member: Var | Const | Wildcard, binding: Binding) -> Term:
    match member:
        case Var(name=name):
            return binding[name]
        case Const(term=term):
            return term
        case Wildcard():
            raise AssertionError("the parser does not let `_` into an aggregate's tuple")
        case _:
            assert_never(member)
