from __future__ import annotations

import pytest
from hypothesis import given

from laser_rdf.errors import UsageError
from laser_rdf.rdf import Interner, from_value, to_value
from laser_rdf.values import IRI, Literal, equal
from tests.rdf.graphs import TRIPLES, XSD, ex, literal, ox


@given(triple=TRIPLES)
def test_terms_come_back_as_they_were(triple: ox.Triple) -> None:
    interner = Interner()
    terms = (triple.subject, triple.predicate, triple.object)
    ids = [interner.id(term) for term in terms]
    assert [interner.term(number) for number in ids] == list(terms)
    assert [from_value(interner.value(number)) for number in ids] == list(terms)
    assert [interner.id_of_value(to_value(term)) for term in terms] == ids
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
    first, second = interner.id(one), interner.id(other)
    assert first != second
    assert interner.term(first).value == one.value  # type: ignore[union-attr]
    assert equal(interner.value(first), interner.value(second)) is True
    assert interner.find(one) == first
    assert one in interner


def test_what_is_no_term_is_refused() -> None:
    interner = Interner()
    with pytest.raises(UsageError, match="no term has the number 0"):
        interner.term(0)
    with pytest.raises(UsageError, match="not a valid RDF term"):
        interner.id_of_value(IRI("no iri"))
    with pytest.raises(UsageError, match="triple term"):
        to_value(ox.Triple(ex("a"), ex("b"), ex("c")))
    with pytest.raises(UsageError, match="direction"):
        to_value(ox.Literal("a", language="ar", direction=ox.BaseDirection.RTL))
    assert interner.find(ex("a")) is None
    assert interner.value(interner.id_of_value(Literal("5", XSD + "long"))) == Literal("5", XSD + "long")
