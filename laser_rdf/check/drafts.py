"""Rules with their spellings worked out, before anything is known to be right.

A rule of the syntax tree enters, a Draft leaves: canonical atoms, windows in time points, bodies ordered as
far as they can be. Every pass reads drafts; those of a program without errors become its checked rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

from laser_rdf.check.binding import BLANK, Ordering, order
from laser_rdf.check.canonical import canonical_head, canonical_pattern
from laser_rdf.check.checked import (
    TRIPLE,
    BodyStep,
    CheckedAggregate,
    CheckedLiteral,
    HeadAtom,
    PatternAtom,
)
from laser_rdf.check.sizes import resolve
from laser_rdf.check.variables import head_variables, inside, item_variables
from laser_rdf.errors import Span
from laser_rdf.lang.ast import (
    Aggregate,
    Arg,
    Assignment,
    Atom,
    Blank,
    Block,
    Comparison,
    Head,
    Literal,
    Node,
    Rule,
    Var,
)
from laser_rdf.values import Clock


@dataclass(frozen=True, slots=True)
class DraftLiteral:
    """A literal as written and as it will be evaluated; `aggregate` is the one whose braces it stands in.

    `spans` are the places of the atoms: of a block, those of its patterns.
    """

    written: Literal
    literal: CheckedLiteral
    spans: tuple[Span, ...]
    aggregate: Aggregate | None = None


@dataclass(frozen=True, slots=True)
class DraftAggregate:
    """An aggregate as written, and the order of its inner body."""

    written: Aggregate
    aggregate: CheckedAggregate
    inner: Ordering


@dataclass(frozen=True, slots=True)
class Draft:
    """A rule worked out as far as it can be; `head_spans` are the places of the head atoms."""

    index: int
    rule: Rule
    head: tuple[HeadAtom, ...]
    head_spans: tuple[Span, ...]
    body: Ordering
    literals: tuple[DraftLiteral, ...]
    aggregates: tuple[DraftAggregate, ...]


def draft(index: int, rule: Rule, clock: Clock) -> Draft:
    """Work out one rule."""
    work = _Drafting(rule, clock)
    steps = tuple(work.step(item) for item in rule.body)
    head = tuple(_head_atoms(rule.head))
    return Draft(
        index,
        rule,
        tuple(atom for atom, _ in head),
        tuple(span for _, span in head),
        order(steps),
        tuple(work.literals),
        tuple(work.aggregates),
    )


def _head_atoms(head: Head) -> Iterator[tuple[HeadAtom, Span]]:
    match head.formula:
        case Atom(predicate=name, args=args, span=span):
            yield canonical_head(name, args), span
        case Block(patterns=patterns):
            for p in patterns:
                yield canonical_head(TRIPLE.name, (p.subject, p.predicate, p.object)), p.span
        case _:
            assert_never(head.formula)


class _Drafting:
    """Works out the body of one rule; knows what is shared between its items."""

    def __init__(self, rule: Rule, clock: Clock) -> None:
        self.clock = clock
        self.literals: list[DraftLiteral] = []
        self.aggregates: list[DraftAggregate] = []
        self._blanks: set[str] = set()
        self._blank_count = 0
        self._outside = {v.name for v in head_variables(rule)}
        for item in rule.body:
            if isinstance(item, Aggregate):
                self._outside.add(item.target.name)
            else:
                self._outside.update(v.name for v in item_variables(item))

    def step(self, item: Literal | Comparison | Assignment | Aggregate) -> BodyStep:
        """A body item as a step, not yet in its place."""
        match item:
            case Literal():
                return self._literal(item, None)
            case Comparison() | Assignment():
                return item
            case Aggregate():
                return self._aggregate(item)
            case _:
                assert_never(item)

    def _literal(self, literal: Literal, aggregate: Aggregate | None) -> CheckedLiteral:
        atoms, spans = self._atoms(literal.formula)
        checked = CheckedLiteral(
            atoms=atoms,
            quantifier=literal.quantifier,
            at=literal.at,
            window=resolve(literal.window, atoms, self.clock),
            reference=literal.reference,
            stream=literal.stream,
            negated=literal.negated,
            input_only=isinstance(literal.formula, Block),
            conditions=literal.formula.conditions if isinstance(literal.formula, Block) else (),
            span=literal.span,
        )
        self.literals.append(DraftLiteral(literal, checked, spans, aggregate))
        return checked

    def _atoms(self, formula: Atom | Block) -> tuple[tuple[PatternAtom, ...], tuple[Span, ...]]:
        match formula:
            case Atom(predicate=name, args=args, span=span):
                return (canonical_pattern(name, args),), (span,)
            case Block(patterns=patterns):
                fresh: dict[str, str] = {}
                atoms = [
                    tuple(self._argument(node, fresh) for node in (p.subject, p.predicate, p.object))
                    for p in patterns
                ]
                return tuple(canonical_pattern(TRIPLE.name, a) for a in atoms), tuple(
                    p.span for p in patterns
                )
            case _:
                assert_never(formula)

    def _argument(self, node: Node, fresh: dict[str, str]) -> Arg:
        """A place of a block's pattern; a blank node is a variable that no other block of the rule has."""
        if not isinstance(node, Blank):
            return node
        name = fresh.get(node.label)
        if name is None:
            name = BLANK + node.label
            while name in self._blanks:
                self._blank_count += 1
                name = f"{BLANK}b{self._blank_count}"
            self._blanks.add(name)
            fresh[node.label] = name
        return Var(name, node.span)

    def _aggregate(self, aggregate: Aggregate) -> CheckedAggregate:
        steps = tuple(
            self._literal(item, aggregate) if isinstance(item, Literal) else item for item in aggregate.body
        )
        # A dict keeps the order of first occurrence and drops repetitions.
        groups = tuple(dict.fromkeys(v.name for v in inside(aggregate) if v.name in self._outside))
        inner = order(steps, frozenset(groups))
        checked = CheckedAggregate(
            aggregate.target, aggregate.function, aggregate.members, inner.steps, groups, aggregate.span
        )
        self.aggregates.append(DraftAggregate(aggregate, checked, inner))
        return checked


def draft_all(rules: tuple[Rule, ...], clock: Clock) -> tuple[Draft, ...]:
    """Work out every rule; `index` is the rule's place in the program."""
    return tuple(draft(index, rule, clock) for index, rule in enumerate(rules))
