"""The variables, calls and expressions of syntax: what occurs where, in text order.

Expressions enter, occurrences leave (the same variable several times). Nothing here recurses, so a
long sum cannot exhaust the stack.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import assert_never

from laser_rdf.lang.ast import (
    Aggregate,
    Arg,
    Assignment,
    Atom,
    Binary,
    Blank,
    Block,
    BodyItem,
    Call,
    Comparison,
    Const,
    Expr,
    Literal,
    Node,
    PartitionWindow,
    Rule,
    Unary,
    Var,
)

_UPPER = re.compile(r"[A-Z]\w*")


def parts(expr: Expr) -> Iterator[Expr]:
    """The expression and everything inside it, from left to right."""
    stack: list[Expr] = [expr]
    while stack:
        part = stack.pop()
        yield part
        match part:
            case Var() | Const():
                pass
            case Unary():
                stack.append(part.operand)
            case Binary():
                stack += (part.right, part.left)
            case Call():
                stack += reversed(part.args)
            case _:
                assert_never(part)


def variables(expr: Expr | None) -> Iterator[Var]:
    """The variables of an expression.

    >>> [v.name for v in variables(Binary("+", Var("X"), Call("abs", (Var("Y"), Var("X")))))]
    ['X', 'Y', 'X']
    """
    if expr is not None:
        yield from (part for part in parts(expr) if isinstance(part, Var))


def names(expr: Expr | None) -> set[str]:
    """The names of the variables of an expression."""
    return {v.name for v in variables(expr)}


def among(args: Iterable[Arg | Blank]) -> Iterator[Var]:
    """The variables among arguments."""
    return (arg for arg in args if isinstance(arg, Var))


def nodes(formula: Atom | Block) -> Iterator[Node]:
    """The arguments of an atom, or the places of a block's patterns."""
    match formula:
        case Atom():
            yield from formula.args
        case Block():
            for pattern in formula.patterns:
                yield from (pattern.subject, pattern.predicate, pattern.object)
        case _:
            assert_never(formula)


def item_expressions(item: BodyItem) -> Iterator[Expr]:
    """The expressions of a body item, those of an aggregate's braces too."""
    match item:
        case Literal():
            if isinstance(item.formula, Block):
                for condition in item.formula.conditions:
                    yield from (condition.left, condition.right)
            if item.at is not None:
                yield item.at
            if item.reference is not None:
                yield item.reference
        case Comparison():
            yield from (item.left, item.right)
        case Assignment():
            yield item.value
        case Aggregate():
            for inner in item.body:
                yield from item_expressions(inner)
        case _:
            assert_never(item)


def rule_expressions(rule: Rule) -> Iterator[Expr]:
    """The expressions of a rule."""
    if rule.head.at is not None:
        yield rule.head.at
    for item in rule.body:
        yield from item_expressions(item)


def literals(rule: Rule) -> Iterator[Literal]:
    """The literals of a rule, those of an aggregate's braces too."""
    for item in rule.body:
        match item:
            case Literal():
                yield item
            case Aggregate():
                yield from (inner for inner in item.body if isinstance(inner, Literal))
            case Comparison() | Assignment():
                pass
            case _:
                assert_never(item)


def item_variables(item: BodyItem) -> Iterator[Var]:
    """Every occurrence of a variable in a body item; of an aggregate, the target and the braces."""
    match item:
        case Literal():
            yield from (node for node in nodes(item.formula) if isinstance(node, Var))
            if isinstance(item.window, PartitionWindow):
                yield from item.window.per
        case Assignment():
            yield item.target
        case Aggregate():
            yield item.target
            yield from inside(item)
            return
        case Comparison():
            pass
        case _:
            assert_never(item)
    for expr in item_expressions(item):
        yield from variables(expr)


def inside(aggregate: Aggregate) -> Iterator[Var]:
    """Every occurrence of a variable between the braces."""
    yield from among(aggregate.members)
    for item in aggregate.body:
        yield from item_variables(item)


def head_variables(rule: Rule) -> Iterator[Var]:
    """Every occurrence of a variable in the head, that of `at` last."""
    yield from (node for node in nodes(rule.head.formula) if isinstance(node, Var))
    yield from variables(rule.head.at)


def written(name: str) -> str:
    """A variable as a user writes it: the tree does not keep the question mark.

    >>> written("X"), written("room")
    ('X', '?room')
    """
    return name if _UPPER.fullmatch(name) else f"?{name}"
