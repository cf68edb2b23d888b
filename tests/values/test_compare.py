"""Comparison by value."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from laser_rdf.errors import UsageError
from laser_rdf.values import (
    IRI,
    XSD_BOOLEAN,
    XSD_DATE,
    XSD_DATE_TIME,
    XSD_DAY_TIME_DURATION,
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_DURATION,
    XSD_FLOAT,
    XSD_INTEGER,
    XSD_TIME,
    XSD_YEAR_MONTH_DURATION,
    BlankNode,
    Literal,
    compare,
    equal,
    less,
)

from .strategies import number_terms, terms

ORDER = ["<", "<=", ">", ">="]
NAN = Literal("NaN", XSD_DOUBLE)


def test_numeric_equality_is_by_pair_and_not_transitive():
    single, exact, double = (Literal("0.1", datatype) for datatype in (XSD_FLOAT, XSD_DECIMAL, XSD_DOUBLE))
    assert equal(single, exact)
    assert equal(exact, double)
    assert not equal(single, double)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (Literal("01", XSD_INTEGER), Literal("1.0", XSD_DECIMAL)),
        (Literal("0", XSD_INTEGER), Literal("-0.0", XSD_DOUBLE)),
        (Literal("1", XSD_BOOLEAN), Literal("true", XSD_BOOLEAN)),
        (Literal("x", XSD_INTEGER), Literal("x", XSD_INTEGER)),
        (IRI("urn:a"), IRI("urn:a")),
        (BlankNode("a"), BlankNode("a")),
        (Literal("9" * 400, XSD_INTEGER), Literal("1e400", XSD_DOUBLE)),
    ],
)
def test_equal(a, b):
    assert equal(a, b)
    assert compare("=", a, b)
    assert not compare("!=", a, b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (NAN, NAN),
        (Literal("x", XSD_INTEGER), Literal("x", XSD_DECIMAL)),
        (Literal("1", XSD_INTEGER), Literal("1")),
        (Literal("1", XSD_INTEGER), Literal("true", XSD_BOOLEAN)),
        (Literal("a"), Literal("a", language="en")),
        (Literal("a", language="de"), Literal("a", language="en")),
        (IRI("urn:a"), BlankNode("urn:a")),
        (IRI("urn:a"), Literal("urn:a")),
    ],
)
def test_unequal(a, b):
    assert not equal(a, b)
    assert compare("!=", a, b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (Literal("9", XSD_INTEGER), Literal("1e1", XSD_DOUBLE)),
        (Literal("-INF", XSD_DOUBLE), Literal("-" + "9" * 100, XSD_INTEGER)),
        (Literal("10"), Literal("9")),
        (Literal("\uffff"), Literal("\U00010000")),
        (Literal("false", XSD_BOOLEAN), Literal("1", XSD_BOOLEAN)),
        (Literal("2024-01-01T00:00:00+01:00", XSD_DATE_TIME), Literal("2024-01-01T00:00:00", XSD_DATE_TIME)),
        (Literal("2024-01-01", XSD_DATE), Literal("12024-01-01", XSD_DATE)),
        (Literal("01:00:00", XSD_TIME), Literal("01:00:00.1", XSD_TIME)),
        (Literal("PT59M", XSD_DAY_TIME_DURATION), Literal("PT1H", XSD_DAY_TIME_DURATION)),
        (Literal("-P1Y", XSD_YEAR_MONTH_DURATION), Literal("P0M", XSD_YEAR_MONTH_DURATION)),
    ],
)
def test_less(a, b):
    assert less(a, b) is True
    assert less(b, a) is False
    assert [compare(op, a, b) for op in ORDER] == [True, True, False, False]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (IRI("urn:a"), IRI("urn:b")),
        (IRI("urn:a"), IRI("urn:a")),
        (Literal("1", XSD_INTEGER), Literal("2")),
        (Literal("a", language="en"), Literal("b", language="en")),
        (Literal("P1M", XSD_DURATION), Literal("P1M", XSD_DURATION)),
        (Literal("P1D", XSD_DAY_TIME_DURATION), Literal("P1M", XSD_YEAR_MONTH_DURATION)),
        (Literal("2024-01-01", XSD_DATE), Literal("2024-01-02T00:00:00", XSD_DATE_TIME)),
        (Literal("x", XSD_INTEGER), Literal("5", XSD_INTEGER)),
    ],
)
def test_what_cannot_be_ordered_is_false(a, b):
    assert less(a, b) is None
    assert not any(compare(op, x, y) for op in ORDER for x, y in [(a, b), (b, a)])


def test_nan_is_before_and_after_nothing():
    for other in (NAN, Literal("1", XSD_INTEGER)):
        assert not any(compare(op, x, y) for op in ORDER for x, y in [(NAN, other), (other, NAN)])


def test_an_unknown_comparison():
    with pytest.raises(UsageError):
        compare("==", NAN, NAN)


@settings(deadline=None, max_examples=300)
@given(terms, terms)
def test_comparisons_agree_with_each_other(a, b):
    assert equal(a, b) is equal(b, a)
    assert compare("!=", a, b) is (not equal(a, b))
    before, after = less(a, b), less(b, a)
    assert (before is None) is (after is None)
    assert not (before and after)
    assert compare("<", a, b) is bool(before) is compare(">", b, a)
    assert compare("<=", a, b) is compare(">=", b, a)
    assert compare("<=", a, b) is (before is not None and (before or equal(a, b)))


@settings(deadline=None)
@given(number_terms, number_terms)
def test_numbers_are_before_after_or_equal(a, b):
    if "NaN" not in (a.lexical, b.lexical):
        assert [less(a, b), equal(a, b), less(b, a)].count(True) == 1


@settings(deadline=None)
@given(terms)
def test_a_term_equals_itself(term):
    assert equal(term, term) or term.lexical.strip(" \t\r\n") == "NaN"
