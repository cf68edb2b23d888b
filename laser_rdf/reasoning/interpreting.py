"""Joins carried out item by item over the engine's tables: slow, and only for explanations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, assert_never

from laser_rdf.check import Everything, TimeSpan
from laser_rdf.engine.annotations import FOREVER, phase_of, span_of, window_at
from laser_rdf.lang.ast import Binary, Call, Const, Expr, Unary, Var
from laser_rdf.plan.core import (
    Absent,
    C,
    CoreRule,
    Fresh,
    Group,
    HeadRow,
    InPhase,
    Item,
    Let,
    Match,
    NotEmptyAt,
    NowWithinAt,
    Opened,
    PointInPhase,
    Relation,
    Slot,
    Started,
    Test,
    Ticking,
    TimeOf,
    V,
    Within,
    WithinAt,
)
from laser_rdf.plan.order import Lookup, join_order
from laser_rdf.reasoning.incremental import Incremental

Bindings = dict[str, Any]
Used = tuple[Match | Absent | Group, tuple[Any, ...], int]
"""An item that was met, its row, and the row's horizon."""


@dataclass(frozen=True)
class Found:
    """A way in which a body holds."""

    bindings: Bindings
    rows: tuple[Used, ...]


@dataclass(frozen=True)
class Failure:
    """The item at which every attempt ended, with the bindings of one attempt."""

    item: Item
    bindings: Bindings


class Interpreter:
    """Reads the tables of an engine at work."""

    def __init__(self, work: Incremental) -> None:
        self.work = work
        self.domain = work.domain
        self.machine = work.built.machine
        self.now = work.built.machine.now

    def horizon(self, relation: Relation, row: tuple[Any, ...]) -> int:
        """How long a row holds; -1 when it does not."""
        table = self.work.built.tables.get(relation)
        return -1 if table is None else table.rows.get(row, -1)

    def solutions(self, rule: CoreRule, head: HeadRow, key: tuple[Any, ...]) -> Iterator[Found]:
        """The ways in which the rule gives the row."""
        bindings = self._fit(head.row, key)
        if bindings is not None:
            horizon = self.horizon(head.relation, key)
            yield from self._join(join_order(rule.body, bindings), Found(bindings, ()), horizon)

    def first_failure(self, rule: CoreRule, head: HeadRow, key: tuple[Any, ...]) -> Failure | None:
        """The item that nothing meets; None when the head does not fit the row."""
        bindings = self._fit(head.row, key)
        if bindings is None:
            return None
        attempts = [Found(bindings, ())]
        passed: Item | None = None
        for step in join_order(rule.body, bindings):
            after = [found for attempt in attempts for found in self._step(step, attempt, FOREVER)]
            item = step.item if isinstance(step, Lookup) else step
            if not after:
                return Failure(item, attempts[0].bindings)
            if isinstance(step, Lookup) and not self._is_kept(step.item):
                passed = item
            attempts = after
        # Everything that is kept is there: what is missing is the input that passes through.
        return None if passed is None else Failure(passed, attempts[0].bindings)

    def _fit(self, row: tuple[V | C | Fresh, ...], key: tuple[Any, ...]) -> Bindings | None:
        return self._match(tuple(None if isinstance(s, Fresh) else s for s in row), key, {})

    def _match(self, row: tuple[Slot, ...], key: tuple[Any, ...], bindings: Bindings) -> Bindings | None:
        found = dict(bindings)
        for slot, value in zip(row, key, strict=True):
            match slot:
                case V(name=name) if found.setdefault(name, value) != value:
                    return None
                case C(term=term) if self.domain.encode(term) != value:
                    return None
        return found

    def _join(self, steps: list[Lookup | Item], found: Found, horizon: int) -> Iterator[Found]:
        if not steps:
            yield found
            return
        for after in self._step(steps[0], found, horizon):
            yield from self._join(steps[1:], after, horizon)

    def _step(self, step: Lookup | Item, found: Found, horizon: int) -> Iterator[Found]:
        match step:
            case Lookup(item=item):
                yield from self._rows(item, found, horizon)
            case Absent(relation=relation, row=row):
                key = self._key(row, found.bindings)
                if self.horizon(relation, key) < self.now:
                    yield Found(found.bindings, (*found.rows, (step, key, FOREVER)))
            case Group(number=number, groups=groups, target=target):
                group = self._key(groups, found.bindings)
                value = self.work.built.groups[number].value(group)
                if value is not None:
                    for after in self._bind(target, value, found):
                        yield Found(after.bindings, (*after.rows, (step, (*group, value), FOREVER)))
            case Let(target=target, value=expr):
                value = self._value(expr, found.bindings)
                if value is not None:
                    yield from self._bind(target, value, found)
            case TimeOf(target=target, value=expr, lenient=lenient):
                value = self.domain.time(self._value(expr, found.bindings))
                if value is not None or lenient:
                    yield from self._bind(target, value, found)
            case Ticking(time=time):
                yield from self._bind(time, self.now, found)
            case _:
                if self._is_met(step, found.bindings):
                    yield found

    def _is_kept(self, item: Match) -> bool:
        """Input that no join looks up passes through: its trace is the head, which has all its values."""
        return item.relation in self.work.built.generated.stored

    def _rows(self, item: Match, found: Found, head_horizon: int) -> Iterator[Found]:
        if not self._is_kept(item):
            row = self._key(tuple(s for s in item.row if s is not None), found.bindings)
            yield Found(found.bindings, (*found.rows, (item, row, head_horizon)))
            return
        for row, horizon in self.work.built.tables[item.relation].rows.items():
            if horizon >= self.now and (bindings := self._match(item.row, row, found.bindings)) is not None:
                yield Found(bindings, (*found.rows, (item, row, horizon)))

    def _bind(self, target: V, value: Any, found: Found) -> Iterator[Found]:
        if found.bindings.get(target.name, value) == value:
            yield Found({**found.bindings, target.name: value}, found.rows)

    def _key(self, row: tuple[V | C, ...], bindings: Bindings) -> tuple[Any, ...]:
        return tuple(bindings[s.name] if isinstance(s, V) else self.domain.encode(s.term) for s in row)

    def _is_met(self, item: Item, bindings: Bindings) -> bool:
        start = self.machine.start
        match item:
            case Test(comparison=comparison):
                left, right = self._value(comparison.left, bindings), self._value(comparison.right, bindings)
                return self.domain.compare(comparison.op, left, right)
            case Started(time=time):
                return bool(bindings[time.name] >= start)
            case Within(time=time, window=window):
                first, last = self._span(bindings[time.name], window)
                return first <= self.now <= last
            case WithinAt(time=time, reference=reference, window=window):
                first, last = self._bounds(bindings[reference.name], window)
                return bool(first <= bindings[time.name] <= last)
            case NowWithinAt(reference=reference, window=window):
                first, last = self._bounds(bindings[reference.name], window)
                return first <= self.now <= last
            case NotEmptyAt(reference=reference, window=window):
                first, last = self._bounds(bindings[reference.name], window)
                return first <= last
            case InPhase(window=window):
                first, last, _ = phase_of(self.now, window.ahead, window.step)
                return first <= self.now <= last
            case PointInPhase(time=time, window=window):
                return bool(bindings[time.name] % window.step <= window.ahead)
            case Opened(window=window):
                return span_of(start, window.back, window.ahead, window.step)[0] <= self.now
            case Match() | Absent() | Group() | Let() | TimeOf() | Ticking():
                raise AssertionError(item)
            case _:
                assert_never(item)

    def _span(self, time: int, window: TimeSpan | Everything | None) -> tuple[int, int]:
        match window:
            case None:
                return time, time
            case Everything():
                return time, FOREVER
            case TimeSpan(back=back, ahead=ahead, step=step):
                return span_of(time, back, ahead, step)

    def _bounds(self, reference: int, window: TimeSpan | Everything) -> tuple[int, int]:
        if isinstance(window, Everything):
            return self.machine.start, reference
        return window_at(reference, window.back, window.ahead, window.step, self.machine.start)

    def _value(self, expr: Expr, bindings: Bindings) -> Any:
        match expr:
            case Var(name=name):
                return bindings[name]
            case Const(term=term):
                return self.domain.encode(term)
            case Unary(operand=operand):
                return self.domain.negate(self._value(operand, bindings))
            case Binary(op=op, left=left, right=right):
                return self.domain.binary(op, self._value(left, bindings), self._value(right, bindings))
            case Call(function=function, args=args):
                return self.domain.call(function, *(self._value(a, bindings) for a in args))
            case _:
                assert_never(expr)
