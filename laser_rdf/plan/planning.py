"""The hops from a checked program to a plan, in one place.

CheckedProgram  →  core rules  →  merged rules  →  components in order
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from laser_rdf.check import CheckedProgram, Predicate
from laser_rdf.plan.accesses import NotIncremental
from laser_rdf.plan.core import Absent, CoreRule, Covering, Group, GroupOf, Relation
from laser_rdf.plan.graph import Component, arrange
from laser_rdf.plan.merge import merge
from laser_rdf.plan.simplify import drop_implied_windows, unite_twins
from laser_rdf.plan.translate import Translator


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything the code generator needs."""

    program: CheckedProgram
    rules: tuple[CoreRule, ...]
    groups: tuple[GroupOf, ...]
    components: tuple[Component, ...]
    twins: dict[Relation, Relation]
    """Relations that always have the rows of another one, which stands for them."""

    past: frozenset[Relation]
    """Relations whose rows are never pinned in the future."""

    @property
    def relations(self) -> list[Relation]:
        """All relations, lowest first; a relation's number is its place here."""
        return [relation for component in self.components for relation in component.relations]

    @property
    def volatile(self) -> set[Relation]:
        """The relations whose rows can be withdrawn before their horizon."""
        return {r for component in self.components if component.volatile for r in component.relations}


def make_plan(
    program: CheckedProgram,
    background: frozenset[Predicate] = frozenset(),
    streamed: frozenset[Predicate] = frozenset(),
) -> Plan:
    """The plan; NotIncremental when a form of the program is not maintained incrementally."""
    translator = Translator(program, background, streamed)
    translator.translate()
    simpler, past = drop_implied_windows(translator.rules)
    rules, twins = unite_twins(merge(simpler))
    components = arrange(rules, translator.groups)
    for component in components:
        if component.recursive:
            _refuse_knots(component, rules, translator.groups)
    volatile = {r for component in components if component.volatile for r in component.relations}
    split = [part for rule in rules for part in _by_volatility(rule, volatile)]
    return Plan(program, tuple(split), tuple(translator.groups), tuple(components), twins, past)


def _refuse_knots(component: Component, rules: list[CoreRule], groups: list[GroupOf]) -> None:
    """Recursion that its phases cannot follow.

    The program is stratified; but a negated literal, or an aggregate, that takes values from the recursion it
    stands in (as in `not p(X) in [5] from T` with T derived there) ties its helper relation into it.
    """
    inside = set(component.relations)
    if any(isinstance(relation, Covering) for relation in inside):
        raise NotIncremental("recursion through `always`")
    for rule in rules:
        if any(head.relation in inside for head in rule.heads):
            for item in rule.body:
                asked: Relation | None = None
                if isinstance(item, Absent):
                    asked = item.relation
                elif isinstance(item, Group):
                    asked = groups[item.number].relation
                if asked in inside:
                    raise NotIncremental("negation or an aggregate over values from its own recursion")


def _by_volatility(rule: CoreRule, volatile: set[Relation]) -> list[CoreRule]:
    """A rule's heads that can lose rows apart from those that only expire: they are run in other phases."""
    heads = [[h for h in rule.heads if (h.relation in volatile) is kind] for kind in (False, True)]
    return [replace(rule, heads=tuple(part)) for part in heads if part]


__all__ = ["NotIncremental", "Plan", "make_plan"]
