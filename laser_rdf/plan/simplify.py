"""Two simplifications that leave the answers as they are.

*Twins*: relations that one rule fills with the same rows, and nothing else fills, are one relation.

    a(X), b(X) ← p(X, Y)      →   one table for a/1 and b/1

*Implied windows*: an atom that a rule pins at the time point of an input atom seen through [5] never holds
longer than five points behind that time point, so a window of five or more around it says nothing new.

    s(X) at T ← p(X) at T in [5];   q(X) ← s(X) at T, T within [5]      →   q(X) ← s(X) at T
"""

from __future__ import annotations

from dataclasses import replace

from laser_rdf.check import TimeSpan
from laser_rdf.lang.ast import Quantifier
from laser_rdf.plan.core import (
    Absent,
    CoreRule,
    Floating,
    HeadRow,
    Item,
    Match,
    Pinned,
    Relation,
    Streamed,
    V,
    Within,
)
from laser_rdf.plan.merge import merge

Twins = dict[Relation, Relation]


def unite_twins(rules: list[CoreRule]) -> tuple[list[CoreRule], Twins]:
    """The rules with one relation in the place of its twins, and which relation stands for which."""
    filled: dict[Relation, list[tuple[int, HeadRow]]] = {}
    for number, rule in enumerate(rules):
        for head in rule.heads:
            filled.setdefault(head.relation, []).append((number, head))
    first: dict[tuple[int, type, tuple[object, ...]], Relation] = {}
    twins: Twins = {}
    for relation, fillings in filled.items():
        if isinstance(relation, Floating) and len(fillings) == 1:
            ((number, head),) = fillings
            key = (number, type(relation), head.row)
            if first.setdefault(key, relation) != relation:
                twins[relation] = first[key]
    if not twins:
        return rules, {}
    return merge(_with_one_for_all(rule, twins) for rule in rules), twins


def _with_one_for_all(rule: CoreRule, twins: Twins) -> CoreRule:
    heads = (HeadRow(twins.get(head.relation, head.relation), head.row) for head in rule.heads)
    body = tuple(_with_one(item, twins) for item in rule.body)
    return replace(rule, heads=tuple(dict.fromkeys(heads)), body=body)


def _with_one(item: Item, twins: Twins) -> Item:
    if isinstance(item, Match | Absent) and item.relation in twins:
        return replace(item, relation=twins[item.relation])
    return item


def drop_implied_windows(rules: list[CoreRule]) -> tuple[list[CoreRule], frozenset[Relation]]:
    """The rules without windows that follow from how their rows were pinned; what is pinned in the past."""
    reaches = _reaches(rules)
    return [_without_implied(rule, reaches) for rule in rules], frozenset(reaches)


def _reaches(rules: list[CoreRule]) -> dict[Relation, int]:
    """For relations whose rows are pinned in the past: how long behind their time point they hold at most."""
    known: dict[Relation, int] = {}
    while True:
        found: dict[Relation, int] = {}
        open_relations: set[Relation] = set()
        for rule in rules:
            for head in rule.heads:
                if isinstance(head.relation, Pinned):
                    reach = _reach(rule, head.row[-1], known)
                    if reach is None:
                        open_relations.add(head.relation)
                    else:
                        found[head.relation] = max(reach, found.get(head.relation, 0))
        result = {relation: reach for relation, reach in found.items() if relation not in open_relations}
        if result == known:
            return known
        known = result


def _reach(rule: CoreRule, time: object, known: dict[Relation, int]) -> int | None:
    reaches = []
    for item in rule.body:
        match item:
            case Match(
                relation=Streamed(quantifier=Quantifier.AT, window=TimeSpan(back=back, step=1)), row=row
            ):
                if row[-1] == time:
                    reaches.append(back)
            case Match(relation=Pinned() as relation, row=row):
                if row[-1] == time and relation in known:
                    reaches.append(known[relation])
    return min(reaches, default=None)


def _without_implied(rule: CoreRule, reaches: dict[Relation, int]) -> CoreRule:
    limits: dict[V, int] = {}
    for item in rule.body:
        if isinstance(item, Match) and item.relation in reaches:
            time = item.row[-1]
            if isinstance(time, V):
                limits[time] = reaches[item.relation]
    body = (
        replace(item, past=True) if isinstance(item, Within) and item.time in limits else item
        for item in rule.body
        if not _is_implied(item, limits)
    )
    return replace(rule, body=tuple(body))


def _is_implied(item: Item, limits: dict[V, int]) -> bool:
    match item:
        case Within(time=time, window=TimeSpan(back=back, step=1)):
            return time in limits and limits[time] <= back
        case _:
            return False
