"""How deep expressions nest: checked once, so that everything behind the parser may recurse.

X := ((((1 + 2) + 3) + …      →   the expression, when it has more than MAX_DEPTH levels
"""

from __future__ import annotations

from collections.abc import Iterator

from laser_rdf.lang.ast import (
    Aggregate,
    Assignment,
    Binary,
    Block,
    BodyItem,
    Call,
    Comparison,
    Expr,
    Literal,
    Rule,
    Unary,
)

MAX_DEPTH = 100


def too_deep(rule: Rule) -> Iterator[Expr]:
    """The expressions of the rule that nest too deep."""
    return (expr for expr in expressions(rule) if _exceeds(expr))


def expressions(rule: Rule) -> Iterator[Expr]:
    """Every whole expression of the rule."""
    if rule.head.at is not None:
        yield rule.head.at
    for item in rule.body:
        yield from _of_item(item)


def _of_item(item: BodyItem) -> Iterator[Expr]:
    match item:
        case Literal(formula=formula, at=at, reference=reference):
            yield from (e for e in (at, reference) if e is not None)
            if isinstance(formula, Block):
                for condition in formula.conditions:
                    yield from _of_item(condition)
        case Comparison(left=left, right=right):
            yield left
            yield right
        case Assignment(value=value):
            yield value
        case Aggregate(body=body):
            for inner in body:
                yield from _of_item(inner)


def _exceeds(expr: Expr) -> bool:
    level: list[Expr] = [expr]
    for _ in range(MAX_DEPTH):
        level = [child for e in level for child in children(e)]
        if not level:
            return False
    return True


def children(expr: Expr) -> tuple[Expr, ...]:
    """The expressions directly inside one."""
    match expr:
        case Unary(operand=operand):
            return (operand,)
        case Binary(left=left, right=right):
            return (left, right)
        case Call(args=args):
            return args
        case _:
            return ()


__all__ = ["MAX_DEPTH", "children", "expressions", "too_deep"]
