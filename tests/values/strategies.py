"""What the property tests of values draw from: all sorts of terms, well-typed, ill-typed and odd."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from laser_rdf.values import (
    IRI,
    XSD,
    XSD_BOOLEAN,
    XSD_DATE,
    XSD_DATE_TIME,
    XSD_DATE_TIME_STAMP,
    XSD_DAY_TIME_DURATION,
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_DURATION,
    XSD_FLOAT,
    XSD_INTEGER,
    XSD_STRING,
    XSD_TIME,
    XSD_YEAR_MONTH_DURATION,
    BlankNode,
    Literal,
)

DATATYPES = [
    XSD_BOOLEAN, XSD_DATE, XSD_DATE_TIME, XSD_DATE_TIME_STAMP, XSD_DAY_TIME_DURATION, XSD_DECIMAL, XSD_DOUBLE,
    XSD_DURATION, XSD_FLOAT, XSD_INTEGER, XSD_STRING, XSD_TIME, XSD_YEAR_MONTH_DURATION, XSD + "byte",
    XSD + "unsignedLong", "http://example.org/unknown",
]  # fmt: skip

# Texts that are right for some datatype and wrong for the others.
TEXTS = [
    "", "0", "-0", "1", "01", "+5", "5.0", "5.", ".5", "1e3", "1E400", "-1e-400", "INF", "-INF", "+INF",
    "NaN",
    "nan", "inf", "Infinity", "1_000", "٣", "0x10", "true", "false", " 7 ", "7\n", "\u00a07", "9" * 4000,
    "9" * 4001,
    "9" * 5000, "1e" + "9" * 5000, "." + "0" * 3998 + "1", "0.1", "16777217", "1e-46", "3.5e38",
    "2024-02-29", "2023-02-29", "0000-01-01", "-0001-12-31Z", "123456789-01-01", "1234567890-01-01",
    "2024-01-01T24:00:00", "2024-01-01T24:00:01", "2024-12-31T23:59:59.999999Z", "2024-01-01T00:00:00+14:00",
    "2024-01-01T00:00:00+14:01", "24:00:00", "12:00:00-05:00", "12:00:00.5Z", "999999999-12-31T24:00:00",
    "P", "PT", "P1Y", "P12M", "-P1D", "PT24H", "P1DT0S", "P1M2DT3H", "PT0.5S", "PT.5S", "P" + "9" * 18 + "D",
    "P" + "9" * 19 + "D", "PT1.0000000000000000001S", "P0D", "P0M",
]  # fmt: skip

integers = st.integers(-(10**30), 10**30)
decimals = st.builds(Fraction, integers, st.integers(0, 25).map(lambda places: 10**places))
doubles = st.floats()
singles = st.floats(width=32)

integer_terms = integers.map(lambda n: Literal(str(n), XSD_INTEGER))
decimal_terms = st.builds(
    lambda n, places: Literal(
        f"{'-' if n < 0 else ''}{abs(n) // 10**places}.{abs(n) % 10**places:0{places}d}", XSD_DECIMAL
    ),
    integers,
    st.integers(1, 25),
)
double_terms = doubles.map(lambda x: Literal(repr(x).replace("inf", "INF").replace("nan", "NaN"), XSD_DOUBLE))
float_terms = singles.map(lambda x: Literal(repr(x).replace("inf", "INF").replace("nan", "NaN"), XSD_FLOAT))
number_terms = st.one_of(
    integer_terms,
    st.integers(-3, 3).map(lambda n: Literal(str(n), XSD_INTEGER)),
    decimal_terms,
    double_terms,
    float_terms,
)

date_time_terms = st.builds(
    lambda moment, zone: Literal(moment.isoformat() + zone, XSD_DATE_TIME),
    st.datetimes(),
    st.sampled_from(["", "Z", "+02:00", "-11:30"]),
)
day_time_terms = st.builds(
    lambda sign, d, h, s: Literal(f"{sign}P{d}DT{h}H{s}.25S", XSD_DAY_TIME_DURATION),
    st.sampled_from(["", "-"]),
    st.integers(0, 10**6),
    st.integers(0, 100),
    st.integers(0, 100),
)
year_month_terms = st.builds(
    lambda sign, y, m: Literal(f"{sign}P{y}Y{m}M", XSD_YEAR_MONTH_DURATION),
    st.sampled_from(["", "-"]),
    st.integers(0, 2000),
    st.integers(0, 100),
)

odd_literals = st.builds(Literal, st.sampled_from(TEXTS) | st.text(max_size=8), st.sampled_from(DATATYPES))
tagged = st.builds(
    lambda text, tag: Literal(text, language=tag), st.text(max_size=4), st.sampled_from(["en", "de"])
)
resources = st.one_of(
    st.sampled_from("abc").map(lambda c: IRI("urn:laser:local:" + c)),
    st.text(max_size=5).map(IRI),
    st.sampled_from("xy").map(BlankNode),
)
terms = st.one_of(
    odd_literals, number_terms, date_time_terms, day_time_terms, year_month_terms, tagged, resources
)
