"""Lexical forms, ranges, limits and canonical forms of numbers."""

from __future__ import annotations

import math
import struct
import sys
import time
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
    Number,
    NumberKind,
    number_literal,
    number_of,
    time_point_of,
)
from laser_rdf.values.rounding import nearest_single

from .strategies import TEXTS, decimals, doubles, integers, singles, terms

NUMERIC = [XSD_INTEGER, XSD_DECIMAL, XSD_FLOAT, XSD_DOUBLE]


@pytest.mark.parametrize(
    ("text", "datatype", "value"),
    [
        ("5", XSD_INTEGER, 5),
        (" \t\n\r+05 ", XSD_INTEGER, 5),
        ("-0", XSD_INTEGER, 0),
        ("5.", XSD_DECIMAL, 5),
        ("-.5", XSD_DECIMAL, Fraction(-1, 2)),
        ("1e3", XSD_DOUBLE, 1000.0),
        ("INF", XSD_DOUBLE, math.inf),
        ("+INF", XSD_DOUBLE, math.inf),
        ("-INF", XSD_FLOAT, -math.inf),
        ("1e999", XSD_DOUBLE, math.inf),
        ("1e39", XSD_FLOAT, math.inf),
        ("16777217", XSD_FLOAT, 16777216.0),
        # just above the middle of two singles, but rounded to a double it is the middle
        ("1.000000059604644775390626", XSD_FLOAT, 1.0000001192092896),
        ("127", XSD + "byte", 127),
        ("-128", XSD + "byte", -128),
        ("18446744073709551615", XSD + "unsignedLong", 2**64 - 1),
        ("-1", XSD + "negativeInteger", -1),
        ("0", XSD + "nonPositiveInteger", 0),
        ("-0", XSD + "nonNegativeInteger", 0),
    ],
)
def test_lexical_forms(text, datatype, value):
    assert number_of(Literal(text, datatype)).value == value


@pytest.mark.parametrize(
    ("text", "datatype"),
    [
        *(
            (text, datatype)
            for datatype in NUMERIC
            for text in ("", "+", ".", "1_000", "٣", "0x1", "1 2", "a", "\u00a05")
        ),
        *((text, XSD_DOUBLE) for text in ("inf", "nan", "Infinity", "-NaN", "e5", "1e", "1e1.5")),
        *((text, XSD_DECIMAL) for text in ("1e3", "INF", "NaN", "--1")),
        *((text, XSD_INTEGER) for text in ("5.0", "1e0", "INF")),
        ("128", XSD + "byte"),
        ("-1", XSD + "unsignedInt"),
        ("0", XSD + "positiveInteger"),
        ("0", XSD + "negativeInteger"),
        ("1", XSD + "nonPositiveInteger"),
        (str(2**63), XSD + "long"),
        ("5", XSD + "string"),
        ("9" * 4001, XSD_INTEGER),
        ("0." + "9" * 4000, XSD_DECIMAL),
    ],
)
def test_no_number(text, datatype):
    assert number_of(Literal(text, datatype)) is None


def test_other_terms_are_no_numbers():
    assert number_of(IRI("urn:5")) is None
    assert number_of(Literal("5", language="en")) is None


@settings(deadline=None)
@given(
    st.one_of(
        integers.map(lambda n: Number(NumberKind.INTEGER, n)),
        decimals.map(lambda q: Number(NumberKind.DECIMAL, q)),
        singles.map(lambda x: Number(NumberKind.FLOAT, x)),
        doubles.map(lambda x: Number(NumberKind.DOUBLE, x)),
    )
)
def test_canonical_literals_read_back(number):
    literal = number_literal(number)
    again = number_of(literal)
    assert again.kind is number.kind
    if number.value != number.value:
        assert math.isnan(again.value)
    else:
        assert again.value == number.value
        assert isinstance(number.value, int | Fraction) or str(again.value) == str(number.value)
    assert number_literal(again) == literal


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        (NumberKind.DECIMAL, Fraction(0), "0.0"),
        (NumberKind.DECIMAL, Fraction(-1, 1000), "-0.001"),
        (NumberKind.DECIMAL, Fraction(100), "100.0"),
        (NumberKind.DOUBLE, 0.0, "0.0E0"),
        (NumberKind.DOUBLE, 1e100, "1.0E100"),
        (NumberKind.DOUBLE, 0.1, "1.0E-1"),
        (NumberKind.DOUBLE, 5e-324, "5.0E-324"),
        (NumberKind.DOUBLE, -math.inf, "-INF"),
        (NumberKind.FLOAT, nearest_single(Fraction(1, 10)), "1.0E-1"),
        (NumberKind.FLOAT, 2.0**-149, "1.0E-45"),
        (NumberKind.FLOAT, nearest_single(Fraction(34028235, 1) * 10**31), "3.4028235E38"),
    ],
)
def test_canonical_text(kind, value, text):
    assert number_literal(Number(kind, value)).lexical == text


@pytest.mark.parametrize(
    "number",
    [
        Number(NumberKind.INTEGER, 10**4000),
        Number(NumberKind.INTEGER, -(10**9000)),
        Number(NumberKind.DECIMAL, Fraction(1, 10**4000)),
        Number(NumberKind.DECIMAL, Fraction(10**4000)),
        Number(NumberKind.DECIMAL, Fraction(1, 2**9000)),
        Number(NumberKind.DECIMAL, Fraction(1, 3)),
    ],
)
def test_too_long_for_a_literal(number):
    with pytest.raises(NoValue):
        number_literal(number)


@settings(deadline=None)
@given(decimals)
def test_singles_are_rounded_once(value):
    single = nearest_single(value)
    bits = struct.unpack("<i", struct.pack("<f", single))[0]
    for other in (bits - 1, bits + 1):
        neighbour = (
            struct.unpack("<f", struct.pack("<i", other))[0] if -(2**31) <= other < 2**31 else math.nan
        )
        if math.isfinite(neighbour):
            assert abs(Fraction(single) - value) <= abs(Fraction(neighbour) - value)


def test_huge_texts_cost_little():
    start = time.perf_counter()
    for text in (
        "9" * 10**6,
        "1e" + "9" * 10**6,
        "." * 10**6,
        " " * 10**6 + "5",
        "-" * 10**6,
        "0." + "0" * 10**6,
    ):
        for datatype in NUMERIC:
            number_of(Literal(text, datatype))
    assert time.perf_counter() - start < 5


def test_the_interpreters_digit_limit_does_not_matter():
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    try:
        number = number_of(Literal("9" * 4000, XSD_INTEGER))
        assert number_literal(number).lexical == "9" * 4000
        assert number_of(Literal("1." + "3" * 3999, XSD_DECIMAL)) is not None
        assert number_of(Literal("1." + "3" * 3999, XSD_FLOAT)) is not None
        assert number_of(Literal("1e" + "0" * 3900 + "1", XSD_FLOAT)).value == 10.0
        assert number_of(Literal("1e" + "0" * 3900 + "1", XSD_DOUBLE)).value == 10.0
    finally:
        sys.set_int_max_str_digits(limit)


@settings(deadline=None)
@given(terms)
def test_reading_never_fails(term):
    number_of(term)
    time_point_of(term)


@pytest.mark.parametrize("datatype", NUMERIC)
@pytest.mark.parametrize("text", TEXTS)
def test_reading_odd_texts_never_fails(text, datatype):
    number = number_of(Literal(text, datatype))
    if text == "9" * 4000 and datatype == XSD_DECIMAL:
        assert number is not None  # although its canonical form has one digit too many
    elif number is not None:
        assert number_of(number_literal(number)).kind is number.kind


@pytest.mark.parametrize(
    ("text", "datatype", "expected"),
    [
        ("5", XSD_INTEGER, 5),
        ("05", XSD_INTEGER, 5),
        ("-5.0", XSD_DECIMAL, -5),
        ("5e0", XSD_DOUBLE, 5),
        ("5", XSD_FLOAT, 5),
        ("5.5", XSD_DECIMAL, None),
        ("INF", XSD_DOUBLE, None),
        ("NaN", XSD_DOUBLE, None),
        ("5", XSD + "string", None),
    ],
)
def test_time_point_of(text, datatype, expected):
    assert time_point_of(Literal(text, datatype)) == expected
