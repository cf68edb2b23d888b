"""The built-in functions, and functions registered from Python."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laser_rdf.errors import UsageError
from laser_rdf.values import (
    BUILTINS,
    DEFAULT_FUNCTIONS,
    IRI,
    XSD,
    XSD_DATE,
    XSD_DATE_TIME,
    XSD_DECIMAL,
    XSD_FLOAT,
    XSD_INTEGER,
    XSD_STRING,
    XSD_TIME,
    BlankNode,
    Clock,
    Literal,
    NoValue,
    number_of,
    to_term,
)

from .strategies import terms

CLOCK = Clock.parse("1 min", origin="2020-01-01T00:00:00Z")
TRUE, FALSE = to_term(True), to_term(False)


def call(name, *args):
    return BUILTINS[name].call(tuple(args), CLOCK)


def decimal(text):
    return Literal(text, XSD_DECIMAL)


def english(text):
    return Literal(text, language="en")


NOON = Literal("2020-02-29T12:34:56.5+02:00", XSD_DATE_TIME)


@pytest.mark.parametrize(
    ("name", "args", "expected"),
    [
        ("abs", [to_term(-5)], to_term(5)),
        ("abs", [decimal("-0.5")], decimal("0.5")),
        ("abs", [to_term(-0.0)], to_term(0.0)),
        ("floor", [decimal("-0.5")], decimal("-1.0")),
        ("ceil", [decimal("0.5")], decimal("1.0")),
        ("ceil", [to_term(-0.5)], to_term(-0.0)),
        ("round", [decimal("2.5")], decimal("3.0")),
        ("round", [decimal("-2.5")], decimal("-2.0")),
        ("round", [to_term(0.49999999999999994)], to_term(0.0)),
        ("round", [to_term(-math.inf)], to_term(-math.inf)),
        ("round", [to_term(7)], to_term(7)),
        ("round", [Literal("2.5", XSD_FLOAT)], Literal("3.0E0", XSD_FLOAT)),
        ("sqrt", [to_term(9)], to_term(3.0)),
        ("sqrt", [to_term(-1)], to_term(math.nan)),
        ("min", [to_term(3), decimal("2.5"), to_term(7)], decimal("2.5")),
        ("max", [Literal("a"), Literal("b")], Literal("b")),
        ("max", [to_term(1), to_term(1.0)], to_term(1)),
        ("str", [IRI("urn:a")], Literal("urn:a")),
        ("str", [to_term(5)], Literal("5")),
        ("lang", [english("a")], Literal("en")),
        ("lang", [to_term(5)], Literal("")),
        ("datatype", [to_term(5)], IRI(XSD_INTEGER)),
        ("datatype", [Literal("a")], IRI(XSD_STRING)),
        ("strlen", [english("a😀")], to_term(2)),
        ("lcase", [english("ÄB")], english("äb")),
        ("ucase", [Literal("äb")], Literal("ÄB")),
        ("concat", [Literal("a"), english("b")], Literal("ab")),
        ("contains", [Literal("abc"), Literal("bc")], TRUE),
        ("contains", [english("abc"), Literal("x")], FALSE),
        ("strstarts", [english("abc"), english("ab")], TRUE),
        ("strends", [Literal("abc"), Literal("ab")], FALSE),
        ("regex", [Literal("a\nb"), Literal("a.b")], FALSE),
        ("regex", [Literal("a\nb"), Literal("a.b"), Literal("s")], TRUE),
        ("regex", [Literal("a\nb"), Literal("^b$")], FALSE),
        ("regex", [Literal("a\nb"), Literal("^B$"), Literal("mi")], TRUE),
        ("regex", [english("Äpfel"), Literal("^ä"), Literal("i")], TRUE),
        ("regex", [Literal("x"), Literal("")], TRUE),
        ("year", [NOON], to_term(2020)),
        ("month", [NOON], to_term(2)),
        ("day", [Literal("2020-02-29", XSD_DATE)], to_term(29)),
        ("hours", [NOON], to_term(12)),
        ("minutes", [NOON], to_term(34)),
        ("seconds", [NOON], decimal("56.5")),
        ("hours", [Literal("24:00:00", XSD_TIME)], to_term(0)),
        ("timestamp", [to_term(90)], Literal("2020-01-01T01:30:00Z", XSD_DATE_TIME)),
        ("timepoint", [Literal("2020-01-01T01:30:59.9Z", XSD_DATE_TIME)], to_term(90)),
        ("timepoint", [Literal("2019-12-31T23:59:59Z", XSD_DATE_TIME)], to_term(-1)),
        ("distance", [to_term(0), to_term(0), to_term(0), to_term(0)], to_term(0.0)),
    ],
)
def test_values(name, args, expected):
    assert call(name, *args) == expected


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("abs", [Literal("5")]),
        ("sqrt", [IRI("urn:a")]),
        ("min", [to_term(1), Literal("1")]),
        ("max", [IRI("urn:a"), IRI("urn:b")]),
        ("str", [BlankNode("b")]),
        ("lang", [IRI("urn:a")]),
        ("datatype", [IRI("urn:a")]),
        ("strlen", [to_term(5)]),
        ("concat", [Literal("a"), to_term(5)]),
        ("contains", [Literal("a"), english("a")]),
        ("regex", [Literal("a"), Literal("(")]),
        ("regex", [Literal("a"), Literal("(?=a)")]),
        ("regex", [Literal("a"), Literal(r"(a)\1")]),
        ("regex", [Literal("a"), Literal("a"), Literal("x")]),
        ("regex", [Literal("a"), Literal("((a{100}){100}){100}")]),
        ("regex", [Literal("a"), Literal("a" * 10_001)]),
        ("regex", [Literal("a"), Literal("\ud800")]),
        ("regex", [Literal("\ud800"), Literal("a")]),
        ("regex", [Literal("a"), Literal("a)|(?:b"), Literal("m")]),
        ("regex", [to_term(5), Literal("5")]),
        ("year", [Literal("12:00:00", XSD_TIME)]),
        ("hours", [Literal("2020-01-01", XSD_DATE)]),
        ("timestamp", [decimal("0.5")]),
        ("timestamp", [Literal("9" * 100, XSD_INTEGER)]),
        ("timepoint", [to_term(5)]),
        ("timepoint", [Literal("2020-01-01", XSD_DATE)]),
        ("distance", [to_term(91), to_term(0), to_term(0), to_term(0)]),
        ("distance", [to_term(math.nan), to_term(0), to_term(0), to_term(0)]),
        ("distance", [to_term(0), to_term(math.inf), to_term(0), to_term(0)]),
    ],
)
def test_no_value(name, args):
    with pytest.raises(NoValue):
        call(name, *args)


def test_distance_is_in_metres():
    half_way_round = number_of(call("distance", to_term(0), to_term(0), to_term(0), to_term(180))).value
    assert half_way_round == pytest.approx(math.pi * 6_371_008.8)


def test_a_wrong_pattern_is_not_printed(capfd):
    with pytest.raises(NoValue):
        call("regex", Literal("a"), Literal("["))
    assert capfd.readouterr() == ("", "")


def test_a_hostile_pattern_takes_linear_time():
    assert call("regex", Literal("a" * 100_000), Literal("(a*)*b")) == FALSE


def test_strings_do_not_grow_without_bound():
    long = Literal("a" * 6_000_000)
    with pytest.raises(NoValue):
        call("concat", long, long)


@pytest.mark.parametrize("name", sorted(BUILTINS))
@settings(deadline=None, max_examples=40)
@given(data=st.data())
def test_a_term_or_no_value_and_nothing_else(name, data):
    function = BUILTINS[name]
    most = 4 if function.max_args is None else function.max_args
    args = data.draw(st.lists(terms, min_size=function.min_args, max_size=most))
    try:
        result = function.call(tuple(args), CLOCK)
    except NoValue:
        return
    assert isinstance(result, IRI | BlankNode | Literal)
    if function.returns_boolean:
        assert result in (TRUE, FALSE)


def test_boolean_functions():
    assert {name for name, f in BUILTINS.items() if f.returns_boolean} == {
        "contains",
        "strstarts",
        "strends",
        "regex",
    }


def test_arity():
    assert BUILTINS["min"].accepts(9)
    assert not BUILTINS["min"].accepts(1)
    assert [n for n in range(6) if BUILTINS["distance"].accepts(n)] == [4]


def test_python_functions_get_and_return_python_values():
    seen = []

    def label(*args):
        seen.extend(args)
        return Literal("ok")

    table = DEFAULT_FUNCTIONS.with_function("label", label, None)
    assert table["label"].call((to_term(1), to_term("a"), Literal("x")), CLOCK) == Literal("ok")
    assert seen == [1, "a", Literal("x")]
    assert "label" not in DEFAULT_FUNCTIONS
    assert len(table) == len(DEFAULT_FUNCTIONS) + 1
    assert list(table)[-1] == "label"


@pytest.mark.parametrize(
    "fn", [lambda x: 1 / 0, lambda x: None, lambda x: "no name!", lambda: 1, lambda x: [][1]]
)
def test_a_python_function_without_a_result(fn):
    table = DEFAULT_FUNCTIONS.with_function("f", fn, 1)
    with pytest.raises(NoValue):
        table["f"].call((to_term(1),), CLOCK)


def test_interrupts_are_not_swallowed():
    def interrupt(x):
        raise KeyboardInterrupt

    table = DEFAULT_FUNCTIONS.with_function("f", interrupt, 1)
    with pytest.raises(KeyboardInterrupt):
        table["f"].call((to_term(1),), CLOCK)


@pytest.mark.parametrize(("name", "arity"), [("abs", 1), ("no name", 1), ("", 1), ("Upper", 1), ("f", -1)])
def test_functions_that_cannot_be_registered(name, arity):
    with pytest.raises(UsageError):
        DEFAULT_FUNCTIONS.with_function(name, abs, arity)


def test_derived_integers_are_numbers():
    assert call("abs", Literal("-5", XSD + "byte")) == to_term(5)
