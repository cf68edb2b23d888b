"""`+ - * / mod` and unary minus on terms: by value, in the types that SPARQL and XPath say.

Terms go in, the canonical literal of the result comes out. An operation that is not defined for its operands
(or overflows the limits of `numbers`, `durations` or `moments`) raises `NoValue`.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction

from laser_rdf.values import calendar_arithmetic as calendar
from laser_rdf.values.numbers import (
    DECIMAL,
    FLOAT,
    INTEGER,
    NoValue,
    Number,
    NumberKind,
    number_literal,
    number_of,
    promote,
)
from laser_rdf.values.rounding import nearest_single, to_places
from laser_rdf.values.terms import Literal, Term

Exact = int | Fraction


def add(left: Term, right: Term) -> Literal:
    """The sum of two numbers, of two durations, or of a moment and a duration.

    >>> from laser_rdf.values.native import to_term
    >>> print(add(to_term(2), to_term(3)).lexical, add(to_term(2), to_term(0.5)).lexical)
    5 2.5E0
    """
    x, y = number_of(left), number_of(right)
    if x is None or y is None:
        return calendar.add(left, right)
    return _compute(x, y, operator.add, operator.add)


def subtract(left: Term, right: Term) -> Literal:
    """The difference of two numbers, durations or moments; or a moment, a duration earlier.

    >>> from laser_rdf.values.terms import XSD_DATE_TIME
    >>> noon = Literal("2024-01-01T12:00:00Z", XSD_DATE_TIME)
    >>> subtract(noon, Literal("2024-01-01T11:15:00+01:00", XSD_DATE_TIME)).lexical
    'PT1H45M'
    """
    x, y = number_of(left), number_of(right)
    if x is None or y is None:
        return calendar.subtract(left, right)
    return _compute(x, y, operator.sub, operator.sub)


def multiply(left: Term, right: Term) -> Literal:
    """The product of two numbers, or of a duration and a number.

    >>> from laser_rdf.values.terms import XSD_DECIMAL
    >>> multiply(Literal("0.1", XSD_DECIMAL), Literal("0.1", XSD_DECIMAL)).lexical
    '0.01'
    """
    x, y = number_of(left), number_of(right)
    if x is not None and y is not None:
        return _compute(x, y, operator.mul, operator.mul)
    if x is not None:
        return calendar.scale(right, x)
    if y is not None:
        return calendar.scale(left, y)
    raise NoValue


def divide(left: Term, right: Term) -> Literal:
    """The quotient of two numbers (of integers: a decimal), of a duration and a number, of two durations.

    >>> from laser_rdf.values.native import to_term
    >>> divide(to_term(2), to_term(3)).lexical, divide(to_term(1.0), to_term(0)).lexical
    ('0.666666666666666667', 'INF')
    """
    x, y = number_of(left), number_of(right)
    if y is None:
        return calendar.ratio(left, right)
    if x is None:
        return calendar.scale_down(left, y)
    if x.kind is INTEGER and y.kind is INTEGER:
        x = Number(DECIMAL, Fraction(x.value))
    return _compute(x, y, _exact_quotient, _ieee_quotient)


def modulo(left: Term, right: Term) -> Literal:
    """What division leaves, with the sign of the dividend.

    >>> from laser_rdf.values.native import to_term
    >>> modulo(to_term(-7), to_term(3)).lexical, modulo(to_term(7), to_term(-3)).lexical
    ('-1', '1')
    """
    x, y = number_of(left), number_of(right)
    if x is None or y is None:
        raise NoValue
    return _compute(x, y, _exact_remainder, _ieee_remainder)


def negate(operand: Term) -> Literal:
    """The number with the other sign.

    >>> from laser_rdf.values.native import to_term
    >>> negate(to_term(5)).lexical, negate(to_term(0.0)).lexical
    ('-5', '-0.0E0')
    """
    number = number_of(operand)
    if number is None:
        raise NoValue
    return number_literal(Number(number.kind, -number.value))


def _compute(
    x: Number,
    y: Number,
    exact: Callable[[Exact, Exact], Exact],
    ieee: Callable[[float, float], float],
) -> Literal:
    kind, a, b = promote(x, y)
    if isinstance(a, float) or isinstance(b, float):
        return number_literal(Number(kind, _rounded(kind, ieee(float(a), float(b)))))
    return number_literal(Number(kind, exact(a, b)))


def _rounded(kind: NumberKind, value: float) -> float:
    # Singles may be computed as doubles: 53 bits are more than twice 24, so rounding again does no harm.
    return nearest_single(value) if kind is FLOAT else value


def _exact_quotient(a: Exact, b: Exact) -> Exact:
    if b == 0:
        raise NoValue
    return to_places(Fraction(a) / b)


def _ieee_quotient(a: float, b: float) -> float:
    if b != 0:
        return a / b
    return math.nan if a == 0 or math.isnan(a) else math.copysign(math.inf, a) * math.copysign(1.0, b)


def _exact_remainder(a: Exact, b: Exact) -> Exact:
    if b == 0:
        raise NoValue
    rest = (-a if a < 0 else a) % (-b if b < 0 else b)
    return -rest if a < 0 else rest


def _ieee_remainder(a: float, b: float) -> float:
    if math.isinf(a) or b == 0:
        return math.nan
    return math.fmod(a, b)
