from __future__ import annotations

import pytest
from hypothesis import given

from laser_rdf.errors import UsageError
from laser_rdf.rdf import Interner, from_value, ox_term, term_of, to_value
from laser_rdf.rdf.interner import TRIPLE_TERM
from laser_rdf.values import IRI, Literal, equal
from tests.rdf.graphs import TRIPLES, XSD, ex, literal, ox


@given(triple=TRIPLES)
def test_terms_come_back_as_they_were(triple: ox.Triple) -> None:
    interner = Interner()
    terms = (triple.subject, triple.predicate, triple.object)
    values = [interner.value(term) for term in terms]
    assert [ox_term(value) for value in values] == list(terms)
    assert [from_value(term_of(value)) for value in values] == list(terms)
    assert [interner.of_term(to_value(term)) for term in terms] == values
    assert len(interner) == len(set(terms))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (literal("01", "integer"), literal("1", "integer")),
        (literal("2.50", "decimal"), literal("2.5", "decimal")),
        (literal("5", "long"), literal("5", "integer")),
        (literal("2020-01-01T00:00:00.000Z", "dateTime"), literal("2020-01-01T00:00:00Z", "dateTime")),
    ],
)
def test_lexical_forms_survive_and_compare_by_value(one: ox.Literal, other: ox.Literal) -> None:
    interner = Interner()
    first, second = interner.value(one), interner.value(other)
    assert first != second
    assert ox_term(first).value == one.value  # type: ignore[union-attr]
    assert equal(term_of(first), term_of(second)) is True
    assert interner.find(one) == first
    assert one in interner


def test_what_is_no_term_is_refused() -> None:
    interner = Interner()
    with pytest.raises(UsageError, match="not a valid RDF term"):
        interner.of_term(IRI("no iri"))
    assert interner.find(ex("a")) is None
    assert term_of(interner.of_term(Literal("5", XSD + "long"))) == Literal("5", XSD + "long")


def test_symbols_that_nobody_has_are_forgotten_and_the_others_stay_themselves() -> None:
    interner = Interner()
    kept = [interner.value(ex(f"kept{n}")) for n in range(10)]
    assert interner.sweep() == 0, "nothing happens while the vocabulary is small"
    for n in range(100_000):
        interner.value(ex(f"passing{n}"))
        interner.value(literal(str(n), "integer"))
    assert interner.sweep() == 200_000
    assert len(interner) == 10
    assert [interner.value(ex(f"kept{n}")) for n in range(10)] == kept


@pytest.mark.parametrize(
    "term",
    [
        ox.Triple(ex("a"), ex("b"), ox.Triple(ex("a"), ex("b"), ox.Literal('x "y"\n'))),
        ox.Literal("a", language="ar", direction=ox.BaseDirection.RTL),
        ox.Literal("no triple", datatype=ox.NamedNode(TRIPLE_TERM)),
    ],
)
def test_terms_that_programs_cannot_look_into_pass_through(term: ox.Triple | ox.Literal) -> None:
    assert from_value(to_value(term)) == term
