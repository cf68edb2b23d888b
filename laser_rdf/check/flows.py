"""How values travel around a recursion: from which argument, or time point, to which.

The recursive rules enter, Flows leave: a graph of places. A place is an argument of a predicate, the time
point at which its atoms sit, or a variable of a rule. Values flow from the body literals of the recursion
through variables and assignments to the head; each flow says whether it copies the value, moves it back
(`T - 2`) or changes it in any other way. Where every cycle only copies, recursion makes no new values and
ends. (This is weak acyclicity of the chase, with arithmetic in the place of invented values.)

Nothing flows through a variable that takes finitely many values anyway: an argument of a literal outside the
recursion, what an aggregate makes of them, or the `at` of a literal with a window, which lies around now.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import assert_never

from laser_rdf.check.binding import own_variables
from laser_rdf.check.checked import TRIPLE, BodyStep, CheckedAggregate, CheckedLiteral, Predicate
from laser_rdf.check.dependencies import ANY, Dependencies, is_rdf, read_by
from laser_rdf.check.drafts import Draft
from laser_rdf.check.graph import components
from laser_rdf.check.variables import among, names
from laser_rdf.errors import Span
from laser_rdf.lang.ast import Assignment, Binary, Comparison, Const, Expr, Unary, Var
from laser_rdf.values import Literal

TIME = -1
"""The position, beside the arguments 0, 1, …, of the time point an atom sits at."""

_SHORT_NUMBER = re.compile(r"[+-]?[0-9]{1,30}(?:\.[0-9]{1,30})?")


class Change(enum.Enum):
    """What happens to a value on its way."""

    COPY = "copy"
    BACK = "back"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class Flow:
    """A value goes from one place to another; rule and span say where that is written."""

    source: int
    target: int
    change: Change
    rule: Draft | None = None
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """An argument (or TIME) of a predicate, or a variable of a rule; and the component it lies in."""

    owner: int
    position: int | str
    component: int


@dataclass(frozen=True, slots=True)
class Flows:
    """The graph of places; `capped` are variables that a comparison bounds from above."""

    places: tuple[Place, ...]
    flows: tuple[Flow, ...]
    capped: frozenset[int]

    def cycles(self, leaving_out: frozenset[int] = frozenset()) -> Iterator[tuple[Flow, list[Place]]]:
        """The flows on a cycle that change the value, each with all places on cycles with it."""
        edges: list[list[int]] = [[] for _ in self.places]
        kept = [f for f in self.flows if f.source not in leaving_out and f.target not in leaving_out]
        for flow in kept:
            edges[flow.source].append(flow.target)
        component = components(edges)
        members: dict[int, list[Place]] = {}
        for number, place in zip(component, self.places, strict=True):
            members.setdefault(number, []).append(place)
        for flow in kept:
            if flow.change is not Change.COPY and component[flow.source] == component[flow.target]:
                yield flow, members[component[flow.source]]


def flows_of(graph: Dependencies) -> Flows:
    """The places of all recursive rules and what flows between them."""
    work = _Flowing(graph)
    for node, draft in graph.recursive_rules():
        work.rule(node, draft)
    work.generic()
    return Flows(tuple(work.places), tuple(work.flows), frozenset(work.capped))


class _Flowing:
    """Collects places and flows, rule by rule."""

    def __init__(self, graph: Dependencies) -> None:
        self.graph = graph
        self.places: dict[Place, int] = {}
        self.flows: list[Flow] = []
        self.capped: set[int] = set()

    def place(self, owner: int, position: int | str) -> int:
        """The number of a place."""
        place = Place(owner, position, self.graph.component[owner])
        return self.places.setdefault(place, len(self.places))

    def _inside(self, predicate: Predicate, component: int) -> int | None:
        """The node of a predicate when it belongs to the recursion, None otherwise."""
        node = self.graph.node.get(predicate)
        return node if node is not None and self.graph.component[node] == component else None

    def rule(self, node: int, draft: Draft) -> None:
        """What flows through one rule."""
        component = self.graph.component[node]
        finite = _finite(draft.body.steps, lambda p: self._inside(read_by(p), component) is not None)
        for step in draft.body.steps:
            if isinstance(step, CheckedLiteral) and not step.negated:
                self._read(node, step, finite)
        for step in draft.body.steps:
            if isinstance(step, Assignment) and step.target.name not in finite:
                self._change(step.value, node, self.place(node, step.target.name), draft, finite)
            elif isinstance(step, CheckedAggregate):
                target = self.place(node, step.target.name)
                for name in sorted(_aggregated(step) - finite):
                    self._flow(node, Var(name), target, Change.ANY, draft, step.span)
        for atom in draft.head:
            head = self._inside(atom.predicate, component)
            if head is None:
                continue
            for position, arg in enumerate(atom.args):
                if isinstance(arg, Var) and arg.name not in finite:
                    self._flow(node, arg, self.place(head, position), Change.COPY, draft, arg.span)
            if draft.rule.head.at is not None:
                self._change(draft.rule.head.at, node, self.place(head, TIME), draft, finite)
        for name in _capped(draft.body.steps, finite):
            self.capped.add(self.place(node, name))

    def _read(self, node: int, literal: CheckedLiteral, finite: set[str]) -> None:
        if literal.input_only:
            return
        for atom in literal.atoms:
            source = self._inside(read_by(atom.predicate), self.graph.component[node])
            if source is None:
                continue
            for position, arg in enumerate(atom.args):
                if isinstance(arg, Var) and arg.name not in finite:
                    self.flows.append(
                        Flow(self.place(source, position), self.place(node, arg.name), Change.COPY)
                    )
            if isinstance(literal.at, Var) and literal.at.name not in finite:
                self.flows.append(
                    Flow(self.place(source, TIME), self.place(node, literal.at.name), Change.COPY)
                )

    def _change(self, expr: Expr, node: int, target: int, draft: Draft, finite: set[str]) -> None:
        """An expression flows from its variables to a place."""
        change = change_of(expr)
        for name in sorted(names(expr) - finite):
            self._flow(node, Var(name), target, change, draft, expr.span)

    def _flow(self, node: int, var: Var, target: int, change: Change, draft: Draft, span: Span) -> None:
        self.flows.append(Flow(self.place(node, var.name), target, change, draft, span))

    def generic(self) -> None:
        """What generic heads derive flows to each predicate, and from each to what generic patterns read."""
        graph = self.graph
        for predicate, node in graph.node.items():
            if graph.component[node] not in graph.recursive:
                continue
            if is_rdf(predicate):
                objects = [(1, 2)] if predicate.arity == 2 else []
                places = [(0, 0), *objects, (TIME, TIME)]
                self._link(TRIPLE, predicate, [(whole, own) for own, whole in places])
                self._link(predicate, ANY, places)
        self._link(TRIPLE, ANY, [(0, 0), (1, 1), (2, 2), (TIME, TIME)])

    def _link(self, source: Predicate, target: Predicate, positions: list[tuple[int, int]]) -> None:
        if target not in self.graph.node or source not in self.graph.node:
            return
        start, end = self.graph.node[source], self.graph.node[target]
        if self.graph.component[start] == self.graph.component[end]:
            for before, behind in positions:
                self.flows.append(Flow(self.place(start, before), self.place(end, behind), Change.COPY))


def change_of(expr: Expr) -> Change:
    """What an expression does to the variables in it.

    >>> one = Const(Literal("1", "http://www.w3.org/2001/XMLSchema#integer"))
    >>> change_of(Var("T")), change_of(Binary("-", Var("T"), one)), change_of(Binary("+", Var("T"), one))
    (<Change.COPY: 'copy'>, <Change.BACK: 'back'>, <Change.ANY: 'any'>)
    """
    shift = shifted(expr)
    if shift is None or shift[1] > 0:
        return Change.ANY
    return Change.COPY if shift[1] == 0 else Change.BACK


def shifted(expr: Expr) -> tuple[str, Fraction] | None:
    """The variable and the number when an expression is `X`, `X + 2` or `X - 2`."""
    total = Fraction(0)
    while isinstance(expr, Binary):
        left, right = _number(expr.left), _number(expr.right)
        if right is not None and expr.op in ("+", "-"):
            total += right if expr.op == "+" else -right
            expr = expr.left
        elif left is not None and expr.op == "+":
            total += left
            expr = expr.right
        else:
            return None
    return (expr.name, total) if isinstance(expr, Var) else None


def _number(expr: Expr) -> Fraction | None:
    sign = 1
    while isinstance(expr, Unary):
        sign, expr = -sign, expr.operand
    if (
        isinstance(expr, Const)
        and isinstance(expr.term, Literal)
        and _SHORT_NUMBER.fullmatch(expr.term.lexical)
    ):
        return sign * Fraction(expr.term.lexical)
    return None


def _finite(steps: tuple[BodyStep, ...], is_recursive: Callable[[Predicate], bool]) -> set[str]:
    """The variables of a rule that take finitely many values at one evaluation."""
    finite: set[str] = set()
    for step in steps:
        match step:
            case CheckedLiteral(negated=False):
                if step.input_only or not any(is_recursive(atom.predicate) for atom in step.atoms):
                    finite |= own_variables(step)
                # A window taken `from` elsewhere may lie anywhere; a bare `at` matches background everywhere.
                if isinstance(step.at, Var) and step.window is not None and step.reference is None:
                    finite.add(step.at.name)
            case CheckedLiteral() | Comparison() | Assignment() | CheckedAggregate():
                pass
            case _:
                assert_never(step)
    for step in steps:
        match step:
            case Assignment(target=target, value=value) if names(value) <= finite:
                finite.add(target.name)
            case CheckedAggregate(target=target) if _aggregated(step) <= finite:
                finite.add(target.name)
            case _:
                pass
    return finite


def _aggregated(aggregate: CheckedAggregate) -> set[str]:
    """The groups that an aggregate computes its value from.

    What it reads lies below the recursion and is finite, and so is every count; but a group that is a
    member of the tuple, or that an assignment between the braces may use, comes back in the value.
    """
    if aggregate.function == "count":
        return set()
    if any(isinstance(step, Assignment) for step in aggregate.body):
        return set(aggregate.groups)
    return {v.name for v in among(aggregate.members)} & set(aggregate.groups)


def _capped(steps: tuple[BodyStep, ...], finite: set[str]) -> Iterator[str]:
    """The variables that a comparison with finitely many values bounds from above."""
    for step in steps:
        match step:
            case Comparison():
                comparisons: tuple[Comparison, ...] = (step,)
            case CheckedLiteral(negated=False, conditions=conditions):
                comparisons = conditions
            case CheckedLiteral() | Assignment() | CheckedAggregate():
                continue
            case _:
                assert_never(step)
        for c in comparisons:
            for low, high, ops in ((c.left, c.right, ("<", "<=", "=")), (c.right, c.left, (">", ">=", "="))):
                shift = shifted(low)
                if c.op in ops and shift is not None and names(high) <= finite:
                    yield shift[0]
