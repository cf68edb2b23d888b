"""Moments, durations, their arithmetic, and the clock."""

from __future__ import annotations

import datetime
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laser_rdf.errors import UsageError
from laser_rdf.values import (
    XSD_DATE,
    XSD_DATE_TIME,
    XSD_DATE_TIME_STAMP,
    XSD_DAY_TIME_DURATION,
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_DURATION,
    XSD_INTEGER,
    XSD_TIME,
    XSD_YEAR_MONTH_DURATION,
    Clock,
    Literal,
    Moment,
    MomentKind,
    NoValue,
    add,
    divide,
    duration_literal,
    duration_of,
    equal,
    milliseconds,
    moment_literal,
    moment_of,
    multiply,
    subtract,
)
from laser_rdf.values.moments import civil_from_days, days_from_civil

from .strategies import date_time_terms, day_time_terms, odd_literals, year_month_terms

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
zones = st.integers(-14 * 60, 14 * 60).map(lambda m: datetime.timezone(datetime.timedelta(minutes=m)))


def date_time(text):
    return Literal(text, XSD_DATE_TIME)


def day_time(text):
    return Literal(text, XSD_DAY_TIME_DURATION)


def year_month(text):
    return Literal(text, XSD_YEAR_MONTH_DURATION)


def date(text):
    return Literal(text, XSD_DATE)


def time(text):
    return Literal(text, XSD_TIME)


@settings(deadline=None)
@given(
    st.datetimes(datetime.datetime(2, 1, 1), datetime.datetime(9998, 12, 31), timezones=zones)
    | st.datetimes()
)
def test_instants_agree_with_datetime(moment):
    utc = moment if moment.tzinfo else moment.replace(tzinfo=datetime.UTC)
    passed = utc - EPOCH
    expected = Fraction(passed.days * 86400 + passed.seconds) + Fraction(passed.microseconds, 10**6)
    assert moment_of(date_time(moment.isoformat())).instant == expected


@settings(deadline=None)
@given(st.integers(-400_000_000_000, 400_000_000_000))
def test_the_calendar_is_its_own_inverse(days):
    assert days_from_civil(*civil_from_days(days)) == days


@settings(deadline=None)
@given(odd_literals | date_time_terms | day_time_terms | year_month_terms)
def test_canonical_literals_read_back(term):
    moment, duration = moment_of(term), duration_of(term)
    if moment is not None:
        again = moment_of(moment_literal(moment))
        assert again == moment
    if duration is not None:
        assert duration_of(duration_literal(duration)) == duration


@pytest.mark.parametrize(
    "term",
    [
        date_time("2024-01-01"),
        date_time("2024-01-01T00:00"),
        date_time("2024-13-01T00:00:00"),
        date_time("2024-00-01T00:00:00"),
        date_time("2023-02-29T00:00:00"),
        date_time("1900-02-29T00:00:00"),
        date_time("2024-01-01T24:00:00.1"),
        date_time("2024-01-01T25:00:00"),
        date_time("2024-01-01T00:60:00"),
        date_time("2024-01-01T00:00:60"),
        date_time("2024-01-01T00:00:00+15:00"),
        date_time("2024-01-01T00:00:00z"),
        date_time("02024-01-01T00:00:00"),
        date_time("+2024-01-01T00:00:00"),
        date_time("1234567890-01-01T00:00:00"),
        date_time("999999999-12-31T24:00:00"),
        date_time("2024-01-01T00:00:00." + "1" * 19),
        date_time("٢٠٢٤-01-01T00:00:00"),
        Literal("2024-01-01T00:00:00", XSD_DATE_TIME_STAMP),
        date("2024-04-31"),
        time("24:00:01"),
    ],
)
def test_no_moment(term):
    assert moment_of(term) is None


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (date_time("2023-12-31T24:00:00"), date_time("2024-01-01T00:00:00Z")),
        (date_time("2024-01-01T00:00:00.500"), date_time("2023-12-31T22:00:00.5-02:00")),
        (date_time("2024-01-01T00:00:00Z"), Literal("2024-01-01T00:00:00Z", XSD_DATE_TIME_STAMP)),
        (date_time("-0001-01-01T00:00:00"), date_time("-0001-01-01T01:00:00+01:00")),
        (date("2024-01-01Z"), date("2024-01-01+00:00")),
        (time("24:00:00"), time("00:00:00")),
        (time("21:30:00+10:30"), time("06:00:00-05:00")),
        (day_time("P1D"), day_time("PT24H")),
        (day_time("P0D"), year_month("P0M")),
        (Literal("P1Y1D", XSD_DURATION), Literal("P12MT24H", XSD_DURATION)),
        (Literal("P1D", XSD_DURATION), day_time("PT1440M")),
    ],
)
def test_equal_moments_and_durations(a, b):
    assert equal(a, b)


def test_unequal_moments():
    assert not equal(time("08:00:00+09:00"), time("17:00:00-06:00"))
    assert not equal(date("2024-01-01"), date_time("2024-01-01T00:00:00"))


@pytest.mark.parametrize(
    ("operation", "a", "b", "expected"),
    [
        (subtract, date_time("2024-03-01T00:00:00Z"), date_time("2024-02-28T12:00:00Z"), day_time("P1DT12H")),
        (
            subtract,
            date_time("2024-01-01T00:00:00Z"),
            date_time("2024-01-01T00:00:00.5Z"),
            day_time("-PT0.5S"),
        ),
        (subtract, date("2024-03-01"), date("2023-03-01"), day_time("P366D")),
        (subtract, time("11:00:00"), time("10:59:59"), day_time("PT1S")),
        (subtract, date_time("2024-01-01T00:00:00Z"), date_time("2024-01-01T00:00:00Z"), day_time("PT0S")),
        (
            add,
            date_time("2024-01-31T10:00:00+02:00"),
            year_month("P1M"),
            date_time("2024-02-29T10:00:00+02:00"),
        ),
        (subtract, date_time("2024-03-31T10:00:00"), year_month("P1Y1M"), date_time("2023-02-28T10:00:00")),
        (add, date_time("2024-12-31T23:59:59.5Z"), day_time("PT0.5S"), date_time("2025-01-01T00:00:00Z")),
        (add, day_time("P1D"), date_time("0000-02-28T00:00:00Z"), date_time("0000-02-29T00:00:00Z")),
        (subtract, date_time("0000-01-01T00:00:00"), day_time("PT1S"), date_time("-0001-12-31T23:59:59")),
        (add, date("2024-02-28Z"), day_time("PT30H"), date("2024-02-29Z")),
        (subtract, date("2024-03-01"), day_time("PT1S"), date("2024-02-29")),
        (add, date("2023-10-31"), year_month("P4M"), date("2024-02-29")),
        (add, time("23:00:00Z"), day_time("PT2H"), time("01:00:00Z")),
        (add, date("2024-01-31"), Literal("P1M1D", XSD_DURATION), date("2024-03-01")),
        (add, day_time("PT40M"), day_time("PT30M"), day_time("PT1H10M")),
        (subtract, year_month("P1Y"), year_month("P14M"), year_month("-P2M")),
        (subtract, year_month("P1Y"), year_month("P12M"), year_month("P0M")),
        (multiply, year_month("P1Y"), Literal("0.625", XSD_DECIMAL), year_month("P8M")),
        (multiply, Literal("3", XSD_INTEGER), day_time("PT40M"), day_time("PT2H")),
        (divide, day_time("PT1S"), Literal("3", XSD_INTEGER), day_time("PT0.333333333333333333S")),
        (divide, day_time("PT1S"), Literal("-INF", XSD_DOUBLE), day_time("PT0S")),
        (divide, day_time("P1D"), day_time("PT5H"), Literal("4.8", XSD_DECIMAL)),
    ],
)
def test_calendar_arithmetic(operation, a, b, expected):
    assert operation(a, b) == expected


@pytest.mark.parametrize(
    ("operation", "a", "b"),
    [
        (add, date_time("2024-01-01T00:00:00Z"), date_time("2024-01-01T00:00:00Z")),
        (add, date_time("2024-01-01T00:00:00Z"), Literal("1", XSD_INTEGER)),
        (subtract, date("2024-01-01"), date_time("2024-01-01T00:00:00Z")),
        (subtract, day_time("P1D"), date("2024-01-01")),
        (add, day_time("P1D"), year_month("P1M")),
        (add, Literal("P1D", XSD_DURATION), Literal("P1D", XSD_DURATION)),
        (add, time("01:00:00"), year_month("P1M")),
        (multiply, day_time("P1D"), Literal("NaN", XSD_DOUBLE)),
        (multiply, day_time("P1D"), Literal("INF", XSD_DOUBLE)),
        (multiply, day_time("P1D"), Literal("1e300", XSD_DOUBLE)),
        (multiply, day_time("P1D"), Literal("9" * 400, XSD_INTEGER)),
        (divide, day_time("P1D"), Literal("0", XSD_INTEGER)),
        (divide, day_time("P1D"), day_time("PT0S")),
        (divide, day_time("P1D"), year_month("P1M")),
        (divide, Literal("1", XSD_INTEGER), day_time("P1D")),
        (add, date("999999999-12-31"), day_time("P1D")),
        (add, date("2024-01-01"), year_month("P" + "9" * 18 + "Y")),
    ],
)
def test_undefined_calendar_arithmetic(operation, a, b):
    with pytest.raises(NoValue):
        operation(a, b)


@settings(deadline=None)
@given(date_time_terms, day_time_terms)
def test_what_is_added_can_be_taken_away(moment, duration):
    later = add(moment, duration)
    assert equal(subtract(later, duration), moment)
    assert equal(subtract(later, moment), duration)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("PT1.5S", 1500),
        ("P1DT2H", 93_600_000),
        ("PT5M", 300_000),
        ("PT0.001S", 1),
        ("PT0.0015S", None),
        ("P1M", None),
        ("P0Y1D", None),
        ("5 min", None),
        ("", None),
        ("P" + "9" * 5000 + "D", None),
    ],
)
def test_milliseconds(text, expected):
    assert milliseconds(text) == expected


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("1 s", 1000), ("1s", 1000), ("500 ms", 500), ("500msec", 500), ("2 sec", 2000), ("5 min", 300_000),
        ("2 h", 7_200_000), ("1 d", 86_400_000), ("PT5M", 300_000), (" 1.5 s ", 1500),
    ],
)  # fmt: skip
def test_clock_units(text, unit):
    assert Clock.parse(text) == Clock(unit)


@pytest.mark.parametrize(
    "text", ["", "s", "0 s", "-1 s", "1 week", "1.0001 s", "P1M", "PT0S", "-PT1S", "1 s s", "1 S"]
)
def test_clock_units_that_are_none(text):
    with pytest.raises(UsageError, match="unit of a clock"):
        Clock.parse(text)


@pytest.mark.parametrize("origin", ["", "2020-01-01", "2020-01-01T00:00:00.0001Z", "2020-02-30T00:00:00Z"])
def test_clock_origins_that_are_none(origin):
    with pytest.raises(UsageError, match="origin of a clock"):
        Clock.parse("1 s", origin)


def test_a_clock_needs_a_unit():
    with pytest.raises(UsageError):
        Clock(0)


@settings(deadline=None)
@given(
    st.integers(1, 10**9),
    st.integers(-(10**13), 10**13),
    st.integers(-(10**4), 10**4),
    st.fractions(0, 1).filter(lambda part: part < 1),
)
def test_a_time_point_lasts_one_unit(unit, origin, time_point, part):
    clock = Clock(unit, origin)
    start = moment_of(clock.timestamp(time_point)).instant
    assert clock.time_point(start) == time_point
    assert clock.time_point(start + part * Fraction(unit, 1000)) == time_point


def test_timestamps():
    clock = Clock.parse("1 min", origin="2020-01-01T01:00:00+01:00")
    assert clock.timestamp(0).lexical == "2020-01-01T00:00:00Z"
    assert clock.timestamp(-1).lexical == "2019-12-31T23:59:00Z"
    with pytest.raises(NoValue):
        clock.timestamp(10**30)


def test_moments_are_exact():
    moment = Moment(MomentKind.DATE_TIME, Fraction(1, 10**18), 0)
    assert moment_of(moment_literal(moment)) == moment
