"""Graphs become the facts that programs mention."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from laser_rdf.check import TRIPLE, Mentions, Predicate, check, mentions_of
from laser_rdf.lang.parser import parse
from laser_rdf.rdf import Interner
from laser_rdf.rdf.interner import ox_term
from laser_rdf.rdf.mapping import GraphMapping, interned
from laser_rdf.reasoning.inputs import Batch
from laser_rdf.values import RDF_TYPE
from tests.rdf.graphs import TRIPLES, ex, ox

TYPE = ox.NamedNode(RDF_TYPE)
EX = "http://example.org/"


def mentions(rules: str) -> Mentions:
    return mentions_of(check(parse(f"PREFIX ex: <{EX}>\nPREFIX rdf: <{RDF_TYPE[:-4]}>\n{rules}")))


def told(batches: list[Batch]) -> set[tuple[Predicate, tuple[object, ...]]]:
    return {(predicate, tuple(map(ox_term, row))) for predicate, rows in batches for row in rows}


GRAPH = [
    ox.Triple(ex("s"), TYPE, ex("Sensor")),
    ox.Triple(ex("s"), TYPE, ex("Thing")),
    ox.Triple(ex("s"), TYPE, ox.BlankNode("b")),
    ox.Triple(ex("s"), ex("temperature"), ox.Literal(0)),
    ox.Triple(ex("s"), ex("unheard"), ox.Literal("of")),
]


def mapped(rules: str) -> set[tuple[Predicate, tuple[object, ...]]]:
    mapping = GraphMapping(interner := Interner(), mentions(rules))
    found = told(mapping.batches(GRAPH))
    assert found == told(mapping.batches_of_values(interned(GRAPH, interner)))
    return found


def test_only_what_is_mentioned_is_mapped() -> None:
    assert mapped("q(X) :- ex:Sensor(X), ex:temperature(X, V), not ex:off(X), V > 0 .") == {
        (Predicate(EX + "Sensor", 1), (ex("s"),)),
        (Predicate(EX + "temperature", 2), (ex("s"), ox.Literal(0))),
    }


def test_inside_blocks_and_aggregates_too() -> None:
    found = mapped(
        "q(N) :- N := count { X : ex:temperature(X, V) in [3] } . r(X) :- { ?X a ex:Thing } in [2] ."
    )
    assert {predicate.name for predicate, _ in found} == {EX + "Thing", EX + "temperature"}


def test_all_memberships_when_the_class_is_a_variable() -> None:
    found = mapped("q(C) :- rdf:type(X, C) , ex:Sensor(X) .")
    assert found == {
        (Predicate(EX + "Sensor", 1), (ex("s"),)),
        (TRIPLE, (ex("s"), TYPE, ex("Thing"))),
        (TRIPLE, (ex("s"), TYPE, ox.BlankNode("b"))),
    }


def test_every_triple_when_the_predicate_is_a_variable() -> None:
    found = mapped("q(P) :- triple(X, P, O), ex:temperature(X, V) .")
    assert (TRIPLE, (ex("s"), ex("unheard"), ox.Literal("of"))) in found
    assert (Predicate(EX + "temperature", 2), (ex("s"), ox.Literal(0))) in found
    assert len(found) == len(GRAPH)


def test_windows_that_count_atoms_see_them_all_in_their_order() -> None:
    known = mentions("q(X) :- ex:temperature(X, V) in [#2] .")
    assert known.everything
    assert known.ordered
    batches = GraphMapping(Interner(), known).batches(GRAPH)
    assert [len(rows) for _, rows in batches] == [1] * len(GRAPH)
    assert batches[3][0] == Predicate(EX + "temperature", 2)


@given(triples=st.lists(TRIPLES, max_size=12), data=st.data())
def test_terms_and_values_are_mapped_alike(triples: list[ox.Triple], data: st.DataObject) -> None:
    names = [t.predicate.value for t in triples] + [EX + "never"]
    chosen = data.draw(st.sets(st.sampled_from(names)))
    known = Mentions(frozenset(Predicate(name, 2) for name in chosen), types=data.draw(st.booleans()))
    mapping = GraphMapping(interner := Interner(), known)
    found = told(mapping.batches(triples))
    assert found == told(mapping.batches_of_values(interned(triples, interner)))
    properties = {(Predicate(t.predicate.value, 2), (t.subject, t.object)) for t in triples}
    assert {each for each in found if each[0] != TRIPLE} == {
        each for each in properties if each[0].name in chosen and each[0].name != RDF_TYPE
    }
