"""Arithmetic of numbers, against Python's fractions and floats."""

from __future__ import annotations

import decimal
import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laser_rdf.values import (
    IRI,
    XSD,
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_FLOAT,
    XSD_INTEGER,
    Literal,
    NoValue,
    add,
    divide,
    equal,
    modulo,
    multiply,
    negate,
    number_of,
    subtract,
    to_term,
)

from .strategies import decimal_terms, doubles, integer_terms, terms

OPERATIONS = [add, subtract, multiply, divide, modulo]

exact_terms = integer_terms | decimal_terms


def exact(term):
    return Fraction(number_of(term).value)


@settings(deadline=None)
@given(exact_terms, exact_terms)
def test_exact_arithmetic(a, b):
    assert exact(add(a, b)) == exact(a) + exact(b)
    assert exact(subtract(a, b)) == exact(a) - exact(b)
    assert exact(multiply(a, b)) == exact(a) * exact(b)
    both_integer = a.datatype == b.datatype == XSD_INTEGER
    assert add(a, b).datatype == (XSD_INTEGER if both_integer else XSD_DECIMAL)
    if exact(b):
        quotient = divide(a, b)
        assert quotient.datatype == XSD_DECIMAL
        assert abs(exact(quotient) - exact(a) / exact(b)) <= Fraction(1, 2 * 10**18)
        rest = exact(modulo(a, b))
        assert abs(rest) < abs(exact(b))
        assert rest * exact(a) >= 0
        assert ((exact(a) - rest) / exact(b)).denominator == 1


@settings(deadline=None)
@given(st.integers(-(10**20), 10**20), st.integers(1, 10**20))
def test_division_rounds_as_decimal_does(a, b):
    with decimal.localcontext() as context:
        context.prec = 80
        # 80 digits are more than any tie has, so that rounding twice is rounding once
        expected = (decimal.Decimal(a) / decimal.Decimal(b)).quantize(
            decimal.Decimal("1e-18"), rounding=decimal.ROUND_HALF_EVEN
        )
    assert exact(divide(to_term(a), to_term(b))) == Fraction(expected)


@settings(deadline=None)
@given(doubles, doubles)
def test_doubles_are_ieee(a, b):
    def same(term, x):
        y = number_of(term).value
        return (math.isnan(x) and math.isnan(y)) or (x == y and math.copysign(1, x) == math.copysign(1, y))

    assert same(add(to_term(a), to_term(b)), a + b)
    assert same(subtract(to_term(a), to_term(b)), a - b)
    assert same(multiply(to_term(a), to_term(b)), a * b)
    if b:
        assert same(divide(to_term(a), to_term(b)), a / b)
    assert same(negate(to_term(a)), -a)


@pytest.mark.parametrize(
    ("operation", "a", "b", "expected"),
    [
        (divide, Literal("6", XSD_INTEGER), Literal("3", XSD_INTEGER), Literal("2.0", XSD_DECIMAL)),
        (divide, to_term(1.0), to_term(-0.0), Literal("-INF", XSD_DOUBLE)),
        (divide, to_term(0.0), to_term(0), Literal("NaN", XSD_DOUBLE)),
        (modulo, to_term(5.5), to_term(0), Literal("NaN", XSD_DOUBLE)),
        (modulo, to_term(math.inf), to_term(2), Literal("NaN", XSD_DOUBLE)),
        (modulo, to_term(-5.5), to_term(2), Literal("-1.5E0", XSD_DOUBLE)),
        (add, Literal("0.1", XSD_FLOAT), Literal("1", XSD_INTEGER), Literal("1.1E0", XSD_FLOAT)),
        (add, Literal("0.5", XSD_FLOAT), Literal("0.5", XSD_DOUBLE), Literal("1.0E0", XSD_DOUBLE)),
        (multiply, Literal("3e38", XSD_FLOAT), Literal("2", XSD_FLOAT), Literal("INF", XSD_FLOAT)),
        (add, to_term(10**400), to_term(1.0), Literal("INF", XSD_DOUBLE)),
        (add, Literal("100", XSD + "byte"), Literal("100", XSD + "byte"), Literal("200", XSD_INTEGER)),
    ],
)
def test_types_and_special_values(operation, a, b, expected):
    assert operation(a, b) == expected


NINES = Literal("9" * 4000, XSD_INTEGER)


@pytest.mark.parametrize(
    ("operation", "a", "b"),
    [
        (divide, to_term(1), to_term(0)),
        (divide, Literal("1.0", XSD_DECIMAL), Literal("0.0", XSD_DECIMAL)),
        (modulo, to_term(1), to_term(0)),
        (add, NINES, NINES),
        (multiply, NINES, NINES),
        (add, to_term(1), Literal("1")),
        (add, to_term(1), Literal("x", XSD_INTEGER)),
        (multiply, IRI("urn:a"), to_term(1)),
        (multiply, IRI("urn:a"), IRI("urn:a")),
        (divide, IRI("urn:a"), to_term(1)),
        (modulo, IRI("urn:a"), to_term(1)),
    ],
)
def test_no_value(operation, a, b):
    with pytest.raises(NoValue):
        operation(a, b)


@pytest.mark.parametrize("operation", OPERATIONS)
@settings(deadline=None)
@given(a=terms, b=terms)
def test_a_literal_or_no_value_and_nothing_else(operation, a, b):
    try:
        result = operation(a, b)
    except NoValue:
        return
    assert isinstance(result, Literal)
    # what was computed can be computed with: it reads back, or is NaN
    assert equal(result, result) or result.lexical == "NaN"


def test_negation_needs_a_number():
    with pytest.raises(NoValue):
        negate(Literal("a"))
