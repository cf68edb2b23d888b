"""Rules with the same body become one rule with several heads, so that the join is done once.

a(X) ← p(X, Y), r(Y)     b(Z) ← p(Z, U), r(U)     →     a(X), b(X) ← p(X, Y), r(Y)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from typing import Any

from laser_rdf.lang.ast import Binary, Call, Comparison, Const, Expr, Unary, Var
from laser_rdf.plan.core import (
    Absent,
    CoreRule,
    Fresh,
    Group,
    HeadRow,
    Item,
    Let,
    Match,
    NotEmptyAt,
    NowWithinAt,
    PointInPhase,
    Started,
    Test,
    Ticking,
    TimeOf,
    V,
    Within,
    WithinAt,
)


def merge(rules: Iterable[CoreRule]) -> list[CoreRule]:
    """The rules with those of equal bodies put together, in order of first appearance."""
    merged: dict[tuple[Item, ...], CoreRule] = {}
    for rule in map(renamed, rules):
        same = merged.get(rule.body)
        if same is None:
            merged[rule.body] = rule
        else:
            merged[rule.body] = CoreRule(
                tuple(dict.fromkeys((*same.heads, *rule.heads))),
                rule.body,
                tuple(dict.fromkeys((*same.sources, *rule.sources))),
                same.limited or rule.limited,
                same.names,
            )
    return list(merged.values())


def renamed(rule: CoreRule) -> CoreRule:
    """The rule with its variables called X1, X2, … in the order in which the body mentions them."""
    names: dict[str, str] = {}

    def name(old: str) -> str:
        return names.setdefault(old, f"X{len(names) + 1}")

    body = tuple(_renamed(item, name) for item in rule.body)
    heads = tuple(HeadRow(head.relation, tuple(_renamed(s, name) for s in head.row)) for head in rule.heads)
    written = tuple((new, old) for old, new in names.items() if old[0] not in "#_")
    return replace(rule, heads=heads, body=body, names=written)


def _renamed(value: Any, name: Callable[[str], str]) -> Any:
    """Anything of a core rule with its variables renamed."""
    match value:
        case V(name=old):
            return V(name(old))
        case Fresh(variables=variables, time=time):
            return replace(
                value, variables=tuple(map(name, variables)), time=None if time is None else name(time)
            )
        case Var() | Const() | Unary() | Binary() | Call():
            return rename_expression(value, name)
        case Comparison(op=op, left=left, right=right):
            return Comparison(op, rename_expression(left, name), rename_expression(right, name))
        case Match(relation=relation, row=row):
            return Match(relation, tuple(_renamed(s, name) for s in row))
        case Absent(relation=relation, row=row):
            return Absent(relation, tuple(_renamed(s, name) for s in row))
        case Group(number=number, groups=groups, target=target):
            return Group(number, tuple(V(name(g.name)) for g in groups), V(name(target.name)))
        case Let() | Test() | TimeOf() | Within() | WithinAt() | NowWithinAt() | NotEmptyAt() | Ticking():
            return _with_renamed_fields(value, name)
        case PointInPhase() | Started():
            return _with_renamed_fields(value, name)
        case _:
            return value


def _with_renamed_fields(item: Any, name: Callable[[str], str]) -> Any:
    changed = {f.name: _renamed(getattr(item, f.name), name) for f in fields(item)}
    return replace(item, **changed)


def rename_expression(expr: Expr, name: Callable[[str], str]) -> Expr:
    """The expression with its variables renamed."""
    match expr:
        case Var(name=old):
            return Var(name(old))
        case Unary(op=op, operand=operand):
            return Unary(op, rename_expression(operand, name))
        case Binary(op=op, left=left, right=right):
            return Binary(op, rename_expression(left, name), rename_expression(right, name))
        case Call(function=function, args=args):
            return Call(function, tuple(rename_expression(a, name) for a in args))
        case Const():
            return expr
