"""The value of an expression under a binding of its variables.

X + 1 with X ↦ 4   →   5
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from laser_rdf.check import CheckedProgram
from laser_rdf.check.variables import names
from laser_rdf.lang.ast import Binary, Call, Comparison, Const, Expr, Unary, Var
from laser_rdf.values import (
    NoValue,
    Term,
    add,
    compare,
    divide,
    modulo,
    multiply,
    negate,
    subtract,
    time_point_of,
)

Binding = Mapping[str, Term]

_OPERATORS = {"+": add, "-": subtract, "*": multiply, "/": divide, "mod": modulo}


def evaluate(expr: Expr, binding: Binding, program: CheckedProgram) -> Term:
    """The expression's term; NoValue when an operation is not defined for its operands."""
    match expr:
        case Var(name=name):
            return binding[name]
        case Const(term=term):
            return term
        case Unary(operand=operand):
            return negate(evaluate(operand, binding, program))
        case Binary(op=op, left=left, right=right):
            return _OPERATORS[op](evaluate(left, binding, program), evaluate(right, binding, program))
        case Call(function=function, args=args):
            values = tuple(evaluate(arg, binding, program) for arg in args)
            return program.functions[function].call(values, program.clock)
        case _:
            assert_never(expr)


def time_point(expr: Expr, binding: Binding, program: CheckedProgram) -> int | None:
    """The time point an expression names; None when it names none."""
    try:
        return time_point_of(evaluate(expr, binding, program))
    except NoValue:
        return None


def is_true(comparison: Comparison, binding: Binding, program: CheckedProgram) -> bool:
    """Whether the comparison holds; one without a value does not."""
    try:
        left = evaluate(comparison.left, binding, program)
        right = evaluate(comparison.right, binding, program)
    except NoValue:
        return False
    return compare(comparison.op, left, right)


def variables(expr: Expr | None) -> frozenset[str]:
    """The names of the expression's variables."""
    return frozenset(names(expr))
