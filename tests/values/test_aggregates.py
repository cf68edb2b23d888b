"""Aggregates over sets of tuples, and sums that can be taken back."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laser_rdf.errors import UsageError
from laser_rdf.values import (
    IRI,
    XSD_BOOLEAN,
    XSD_DAY_TIME_DURATION,
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_DURATION,
    XSD_FLOAT,
    XSD_INTEGER,
    ExactSum,
    Literal,
    aggregate,
    number_of,
    to_term,
)

from .strategies import double_terms, float_terms, number_terms, terms

FUNCTIONS = ["count", "sum", "avg", "min", "max"]
finite_numbers = number_terms.filter(lambda term: math.isfinite(float(term.lexical.replace("INF", "inf"))))


def rows(*values):
    return [(to_term(value), to_term(position)) for position, value in enumerate(values)]


def literals(datatype, *texts):
    return [(Literal(text, datatype),) for text in texts]


@pytest.mark.parametrize(
    ("function", "expected"),
    [("count", to_term(0)), ("sum", to_term(0)), ("avg", None), ("min", None), ("max", None)],
)
def test_of_nothing(function, expected):
    assert aggregate(function, []) == expected


@pytest.mark.parametrize(
    ("function", "tuples", "expected"),
    [
        ("count", rows(1, 1, "a"), to_term(3)),
        ("sum", rows(1, 1, 3), to_term(5)),
        ("avg", rows(1, 1), Literal("1.0", XSD_DECIMAL)),
        ("avg", rows(1, 0, 0), Literal("0.333333333333333333", XSD_DECIMAL)),
        ("sum", literals(XSD_DECIMAL, "0.10", "0.2"), Literal("0.3", XSD_DECIMAL)),
        ("sum", literals(XSD_FLOAT, "0.1", "0.2"), Literal("3.0E-1", XSD_FLOAT)),
        ("sum", rows(0.1, 0.2, 0.3), Literal("6.0E-1", XSD_DOUBLE)),
        ("sum", [*literals(XSD_FLOAT, "1"), *rows(1.5)], Literal("2.5E0", XSD_DOUBLE)),
        ("sum", rows(math.inf, 1), Literal("INF", XSD_DOUBLE)),
        ("sum", rows(math.inf, -math.inf), Literal("NaN", XSD_DOUBLE)),
        ("avg", rows(math.nan, 1), Literal("NaN", XSD_DOUBLE)),
        ("sum", rows(1.7e308, 1.7e308), Literal("INF", XSD_DOUBLE)),
        ("avg", rows(1.7e308, 1.7e308), Literal("1.7E308", XSD_DOUBLE)),
        ("sum", rows(1, "a"), None),
        ("avg", rows(1, "a"), None),
        ("sum", literals(XSD_INTEGER, "1", "x"), None),
        (
            "sum",
            [(Literal("9" * 4000, XSD_INTEGER), to_term(1)), (Literal("9" * 4000, XSD_INTEGER), to_term(2))],
            None,
        ),
        ("min", rows(2, 10), to_term(2)),
        ("max", rows(2, 10), to_term(10)),
        ("max", rows(2, math.inf), to_term(math.inf)),
        ("min", literals(XSD_INTEGER, "2", "02"), Literal("02", XSD_INTEGER)),
        ("max", literals(XSD_INTEGER, "2", "02"), Literal("02", XSD_INTEGER)),
        ("min", [*rows(math.nan, 1), *literals(XSD_FLOAT, "NaN")], Literal("NaN", XSD_DOUBLE)),
        ("max", [(Literal("10"),), (Literal("9"),)], Literal("9")),
        ("max", literals(XSD_BOOLEAN, "0", "true"), Literal("true", XSD_BOOLEAN)),
        ("max", literals(XSD_DAY_TIME_DURATION, "P1D", "PT25H"), Literal("PT25H", XSD_DAY_TIME_DURATION)),
        # exactly, the decimal is less than the double, and that is less than the single
        (
            "max",
            [(Literal("0.1", d),) for d in (XSD_FLOAT, XSD_DECIMAL, XSD_DOUBLE)],
            Literal("0.1", XSD_FLOAT),
        ),
        (
            "min",
            [(Literal("0.1", d),) for d in (XSD_FLOAT, XSD_DECIMAL, XSD_DOUBLE)],
            Literal("0.1", XSD_DECIMAL),
        ),
        ("min", [(to_term(1),), (Literal("1"),)], None),
        ("min", [(IRI("urn:a"),)], None),
        ("max", literals(XSD_DURATION, "P1D"), None),
        ("max", [(Literal("a", language="en"),)], None),
    ],
)
def test_aggregates(function, tuples, expected):
    assert aggregate(function, tuples) == expected
    assert aggregate(function, tuples[::-1]) == expected


def test_an_unknown_aggregate():
    with pytest.raises(UsageError):
        aggregate("median", [])


tuples_of_terms = st.lists(st.tuples(st.one_of(number_terms, terms)), max_size=6, unique=True)


@pytest.mark.parametrize("function", FUNCTIONS)
@settings(deadline=None)
@given(data=st.data(), tuples=tuples_of_terms | st.lists(st.tuples(number_terms), max_size=8, unique=True))
def test_order_does_not_matter(function, data, tuples):
    assert aggregate(function, tuples) == aggregate(function, data.draw(st.permutations(tuples)))


@settings(deadline=None)
@given(st.lists(finite_numbers, min_size=1, max_size=8))
def test_sums_are_exact_up_to_one_rounding(numbers):
    exact = sum((Fraction(number_of(term).value) for term in numbers), Fraction(0))
    result = number_of(ExactSum(numbers).result(avg=False))
    if isinstance(result.value, float):
        if math.isfinite(result.value) and not any(term.datatype == XSD_FLOAT for term in numbers):
            assert result.value == float(exact)
    else:
        assert result.value == exact


@settings(deadline=None)
@given(
    st.lists(double_terms | float_terms | number_terms | terms, max_size=8),
    st.lists(double_terms | number_terms | terms, max_size=8),
)
def test_taking_back_is_never_having_added(kept, removed):
    running = ExactSum()
    for term in removed:
        running.add(term)
    for term in kept:
        running.add(term)
    for term in removed:
        running.remove(term)
    for avg in (False, True):
        assert running.result(avg=avg) == ExactSum(kept).result(avg=avg)
