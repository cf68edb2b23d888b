"""What depends on what among relations, and in which order they are brought up to date.

Rules enter; components leave, lowest first: sets of relations that depend on each other. A component is
*volatile* when its rows can be withdrawn before their horizon: by negation, aggregates, tuple windows, or
anything that depends on those.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from laser_rdf.check.graph import components
from laser_rdf.plan.core import (
    Absent,
    Arriving,
    Background,
    CoreRule,
    Counted,
    Covering,
    Floating,
    Group,
    GroupOf,
    Match,
    Pinned,
    Relation,
    Streamed,
    is_block,
)


@dataclass(frozen=True, slots=True)
class Component:
    """Relations that are brought up to date together."""

    relations: tuple[Relation, ...]
    recursive: bool
    volatile: bool


def read_by(rule: CoreRule, groups: list[GroupOf]) -> list[Relation]:
    """The relations a rule's body reads."""
    found: list[Relation] = []
    for item in rule.body:
        match item:
            case Match(relation=relation) | Absent(relation=relation):
                found.append(relation)
            case Group(number=number):
                found.append(groups[number].relation)
    return found


def sources_of(relation: Relation) -> tuple[Relation, ...]:
    """What a relation is made from without a rule."""
    if isinstance(relation, Streamed | Covering | Background) and is_block(relation.predicate):
        return (Arriving(relation.predicate),)
    if isinstance(relation, Covering) and not relation.input_only and relation.stream is None:
        return (Floating(relation.predicate), Pinned(relation.predicate))
    return ()


def arrange(rules: list[CoreRule], groups: list[GroupOf]) -> list[Component]:
    """The components, each after those it depends on."""
    below: dict[Relation, set[Relation]] = {relation: set() for relation in _mentioned(rules, groups)}
    withdrawing: set[Relation] = {relation for relation in below if isinstance(relation, Counted)}
    for rule in rules:
        read = read_by(rule, groups)
        for head in rule.heads:
            below[head.relation].update(read)
            if any(isinstance(item, Absent | Group) for item in rule.body):
                withdrawing.add(head.relation)
    for relation in below:
        below[relation].update(source for source in sources_of(relation) if source in below)
    arranged: list[Component] = []
    for found in _components(below):
        recursive = len(found) > 1 or found[0] in below[found[0]]
        volatile = any(r in withdrawing or below[r] & withdrawing for r in found)
        if volatile:
            withdrawing.update(found)
        arranged.append(Component(found, recursive, volatile))
    return arranged


def _mentioned(rules: list[CoreRule], groups: list[GroupOf]) -> Iterable[Relation]:
    for rule in rules:
        yield from read_by(rule, groups)
        yield from (head.relation for head in rule.heads)
    yield from (group.relation for group in groups)


def _components(below: dict[Relation, set[Relation]]) -> list[tuple[Relation, ...]]:
    """Strongly connected components, what they depend on first."""
    nodes = list(below)
    number = {relation: i for i, relation in enumerate(nodes)}
    members: dict[int, list[Relation]] = {}
    for node, component in enumerate(components([sorted(number[b] for b in below[r]) for r in nodes])):
        members.setdefault(component, []).append(nodes[node])
    return [tuple(members[component]) for component in sorted(members)]
