"""Checked rules to core rules: operators and kinds of facts become relations and items.

A rule whose literals can hold in several ways (see `accesses`) becomes several core rules. A negated
literal, and an aggregate, ask a helper relation that holds what the literal or the braces say.

    a(X) :- b(X) at T in [5].   b derived by an `at` head   →   a(X) ← pinned b(X, T), T within [5]
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from typing import TypeGuard, assert_never

from laser_rdf.check import (
    TRIPLE,
    BodyStep,
    CheckedAggregate,
    CheckedLiteral,
    CheckedProgram,
    CheckedRule,
    HeadAtom,
    Predicate,
)
from laser_rdf.lang.ast import Arg, Assignment, Blank, Comparison, Const, Quantifier, Var
from laser_rdf.plan.accesses import Access, Accesses, NotIncremental, can_be_bound, slot_of
from laser_rdf.plan.core import (
    ANY,
    Absent,
    C,
    CoreRule,
    Counted,
    Floating,
    Fresh,
    Group,
    GroupOf,
    HeadRow,
    Helper,
    Item,
    Let,
    Match,
    Output,
    Pinned,
    Started,
    Streamed,
    Test,
    Ticking,
    TimeOf,
    V,
    Within,
)
from laser_rdf.plan.variables import bound_by, needed_by

FEW_WAYS = 4
"""From here on, further predicates that can hold in several ways get a helper relation."""


class Translator(Accesses):
    """Translates one program; collects core rules, helper relations and aggregates."""

    def __init__(
        self,
        program: CheckedProgram,
        background: frozenset[Predicate] = frozenset(),
        streamed: frozenset[Predicate] = frozenset(),
    ) -> None:
        super().__init__(program, background, streamed)
        self.groups: list[GroupOf] = []
        self._helpers = count(1)
        self._given: frozenset[str] = frozenset()  # the groups of the aggregate that is being translated

    def translate(self) -> None:
        """All rules of the program, and what is output of predicates with `at` heads."""
        if TRIPLE in self.floating | self.pinned:
            raise NotIncremental("a head whose predicate or class is a variable")
        for rule in self.program.rules:
            self._rule(rule)
        for predicate in sorted(self.pinned):
            if self.program.is_shown(predicate):
                self._output(predicate)

    def _output(self, predicate: Predicate) -> None:
        row = tuple(V(f"A{i}") for i in range(predicate.arity))
        head = (HeadRow(Output(predicate), row),)
        time = V("T")
        self.rules.append(CoreRule(head, (Match(Pinned(predicate), (*row, time)), Within(time, None)), ()))
        if predicate in self.floating:
            self.rules.append(CoreRule(head, (Match(Floating(predicate), row),), ()))

    # --- rules -----------------------------------------------------------------------------------------

    def _rule(self, rule: CheckedRule) -> None:
        for body in self._bodies(rule.body):
            heads, extra = self._heads(rule, body)
            self._add(heads, [*body, *extra], (rule.index,), limited=rule.limited)

    def _bodies(self, steps: Iterable[BodyStep], outside: Iterable[Item] = ()) -> list[Access]:
        """The ways in which the steps can hold together."""
        ways: list[Access] = [list(outside)]
        for step in steps:
            if len(ways) > FEW_WAYS and _is_positive(step):
                more = self._united(self._positive(step))
                ways = [[*way, *access] for way in ways for access in more]
            else:
                ways = [[*way, *access] for way in ways for access in self._step(step, way)]
        return ways

    def _united(self, ways: list[Access]) -> list[Access]:
        """Ways that stand on their own and bind the same variables as one helper relation.

        Otherwise a rule over many predicates that can hold in several ways becomes very many rules.
        """
        alike: dict[frozenset[str], list[Access]] = {}
        others: list[Access] = []
        for way in ways:
            if can_be_bound((), way):
                alike.setdefault(frozenset(n for n in bound_by(way) if n[0] != "#"), []).append(way)
            else:
                others.append(way)
        for names, same in alike.items():
            key = tuple(V(name) for name in sorted(names))
            if len(same) == 1:
                others += same
                continue
            helper = Helper(next(self._helpers), len(key))
            for way in same:
                self._add((HeadRow(helper, key),), way, ())
            others.append([Match(helper, key)])
        return others

    def _step(self, step: BodyStep, before: Access) -> list[Access]:
        match step:
            case CheckedLiteral(negated=True):
                return [self._negative(step, before)]
            case CheckedLiteral():
                return self._positive(step)
            case Comparison():
                return [[Test(step)]]
            case Assignment(target=target, value=value):
                return [[Let(V(target.name), value)]]
            case CheckedAggregate():
                return [[self._aggregate(step, before)]]
            case _:
                assert_never(step)

    def _heads(self, rule: CheckedRule, body: Access) -> tuple[tuple[HeadRow, ...], Access]:
        """The rows the rule adds, and what its `at` needs computed."""
        extra: Access = []
        time: V | None = None
        if rule.head_at is not None:
            if isinstance(rule.head_at, Var) and rule.head_at.name in _time_variables(body):
                time = V(rule.head_at.name)
            else:
                time = V(next(self._names))
                extra = [TimeOf(time, rule.head_at), Started(time)]
        return tuple(self._head(atom, rule, time) for atom in rule.head), extra

    def _head(self, atom: HeadAtom, rule: CheckedRule, time: V | None) -> HeadRow:
        def slot(arg: Arg | Blank) -> V | C | Fresh:
            match arg:
                case Var(name=name):
                    return V(name)
                case Const(term=term):
                    return C(term)
                case Blank(label=label):
                    return Fresh(rule.text, label, rule.head_variables, time.name if time else None)
                case _:
                    raise AssertionError(arg)

        row = tuple(map(slot, atom.args))
        if time is None:
            return HeadRow(Floating(atom.predicate), row)
        return HeadRow(Pinned(atom.predicate), (*row, time))

    # --- negation and aggregates -----------------------------------------------------------------------

    def _negative(self, literal: CheckedLiteral, before: Access) -> Access:
        time = V(next(self._names)) if literal.at is not None else None
        ways = self._ways(literal, time)
        asked: Access = []
        if literal.at is not None:
            assert time is not None
            asked.append(TimeOf(time, literal.at, lenient=True))
        if len(ways) == 1 and len(ways[0]) == 1 and isinstance(ways[0][0], Match):
            match = ways[0][0]
            row = tuple(
                s for s in match.row if s is not ANY and not (isinstance(s, V) and s.name.startswith("_:"))
            )
            if len(row) == len(match.row):
                return [*asked, Absent(match.relation, row)]
        known = bound_by(before) | self._given
        inside: set[str] = set()
        for way in ways:
            inside |= bound_by(way) | needed_by(way)
        key = tuple(V(name) for name in sorted(inside & known)) + ((time,) if time is not None else ())
        helper = Helper(next(self._helpers), len(key))
        domain = [item for item in before if not isinstance(item, Absent)]
        strict: Access = [TimeOf(time, literal.at)] if time is not None and literal.at is not None else []
        for way in ways:
            head = (HeadRow(helper, key),)
            body = way if can_be_bound(head, way) else [*domain, *strict, *way]
            self._add(head, body, ())
        return [*asked, Absent(helper, key)]

    def _aggregate(self, step: CheckedAggregate, before: Access) -> Group:
        groups = tuple(V(name) for name in step.groups)
        members = tuple(slot for m in step.members if (slot := slot_of(m)) is not ANY)
        helper = Helper(next(self._helpers), len(groups) + len(members))
        head = (HeadRow(helper, (*groups, *members)),)
        domain = [item for item in before if not isinstance(item, Absent)]
        inside = {
            a.name
            for s in step.body
            if _is_positive(s)
            for m in s.atoms
            for a in m.args
            if isinstance(a, Var)
        }
        self._given = frozenset(step.groups)
        # What is negated comes last, when the groups it may ask for are bound.
        ordered = sorted(step.body, key=lambda s: isinstance(s, CheckedLiteral) and s.negated)
        for body in self._bodies(ordered, () if self._given <= inside else domain):
            self._add(head, body, ())
        self._given = frozenset()
        group = GroupOf(len(self.groups), step.function, helper, len(groups))
        self.groups.append(group)
        return Group(group.number, groups, V(step.target.name))


def _is_positive(step: BodyStep) -> TypeGuard[CheckedLiteral]:
    return isinstance(step, CheckedLiteral) and not step.negated


def _time_variables(body: Access) -> set[str]:
    """Variables that are bound to time points of facts, none of which lies before the start."""
    found: set[str] = set()
    for item in body:
        match item:
            case Match(
                relation=Streamed(quantifier=Quantifier.AT) | Counted(quantifier=Quantifier.AT) | Pinned()
            ):
                last = item.row[-1]
                if isinstance(last, V):
                    found.add(last.name)
            case Ticking(time=time) | TimeOf(target=time):
                found.add(time.name)
    return found - {item.target.name for item in body if isinstance(item, TimeOf)}
