"""N-Triples text and the round trip between Python values and terms."""

from __future__ import annotations

import ast
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laser_rdf.errors import UsageError
from laser_rdf.values import (
    IRI,
    LANG_STRING,
    LOCAL_BASE,
    XSD_BOOLEAN,
    XSD_DOUBLE,
    XSD_INTEGER,
    BlankNode,
    Literal,
    from_term,
    ntriples,
    to_term,
)

from .strategies import terms


@pytest.mark.parametrize(
    ("term", "text"),
    [
        (IRI("http://e/a"), "<http://e/a>"),
        (IRI("http://e/<a>\\"), r"<http://e/\u003Ca\u003E\u005C>"),
        (BlankNode("b0"), "_:b0"),
        (Literal("x"), '"x"'),
        (Literal("x", language="en-GB"), '"x"@en-GB'),
        (Literal("5", XSD_INTEGER), '"5"^^<http://www.w3.org/2001/XMLSchema#integer>'),
        (Literal('\b\t\n\f\r"\\\x00\x7f\x0bé😀'), r'"\b\t\n\f\r\"\\\u0000\u007F\u000Bé😀"'),
        (Literal("\ud800"), r'"\uD800"'),
    ],
)
def test_ntriples(term, text):
    assert ntriples(term) == text
    assert str(term) == text


@settings(deadline=None)
@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=20))
def test_the_text_reads_back(text):
    quoted = ntriples(Literal(text))
    assert "\n" not in quoted
    assert ast.literal_eval(quoted) == text  # every escape of N-Triples is one of Python's, too


def test_a_language_makes_a_lang_string():
    assert Literal("x", language="en") == Literal("x", LANG_STRING, "en")


values = st.one_of(
    st.from_regex(r"\w([\w-]*\w)?", fullmatch=True),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    terms,
)


@settings(deadline=None)
@given(values)
def test_python_values_come_back(value):
    back = from_term(to_term(value))
    if isinstance(value, IRI | BlankNode | Literal):
        assert to_term(back) == value
    else:
        assert back == value
        assert type(back) is type(value)
        assert math.copysign(1, back) == math.copysign(1, value) if isinstance(value, float) else True


@settings(deadline=None)
@given(terms)
def test_terms_come_back(term):
    assert to_term(from_term(term)) == term


def test_nan_comes_back():
    assert math.isnan(from_term(to_term(math.nan)))
    assert to_term(from_term(Literal("NaN", XSD_DOUBLE))) == Literal("NaN", XSD_DOUBLE)


@pytest.mark.parametrize(
    "term",
    [
        Literal("05", XSD_INTEGER),
        Literal("1", XSD_BOOLEAN),
        Literal("1.5", XSD_DOUBLE),
        Literal("x"),
        Literal("9" * 4001, XSD_INTEGER),
        IRI(LOCAL_BASE),
        IRI(LOCAL_BASE + "a b"),
        IRI("http://e/a"),
    ],
)
def test_what_is_not_canonical_stays_a_term(term):
    assert from_term(term) is term


@pytest.mark.parametrize("value", [None, b"a", "", "a b", "-a", "a\n", 10**4000, object(), 1j, (1,)])
def test_what_is_no_value(value):
    with pytest.raises(UsageError):
        to_term(value)


def test_large_ints_come_back():
    assert from_term(to_term(10**4000 - 1)) == 10**4000 - 1
