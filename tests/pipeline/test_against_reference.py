"""The whole pipeline beside the definitions: each graph closed by hand, its atoms given to the judge."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laser_rdf.check import GroundAtom, Predicate, canonical_ground, check
from laser_rdf.lang.ast import Program
from laser_rdf.pipeline import Pipeline
from laser_rdf.rdf import TimedGraph, from_value, to_value
from laser_rdf.rdf.event_program import event_predicate, with_events
from laser_rdf.rdf.event_query import EventQuery
from laser_rdf.rdf.naming import skolem_iri
from laser_rdf.reference import ReferenceEvaluator
from laser_rdf.values import RDF_TYPE, RDFS, Clock
from tests.pipeline.building import EX, PREFIXES, program, triples

ONTOLOGY = """
ex:Hot rdfs:subClassOf ex:Warm . ex:p rdfs:domain ex:Hot ; rdfs:subPropertyOf ex:q . ex:r rdfs:range ex:Hot .
"""

PROGRAMS = [
    "ex:A(X) :- ex:Warm(X) in [2 s] . ex:b(X, V) :- ex:q(X, V) in [3 s], not ex:Cold(X) in [1 s] .",
    "ex:n(X, N) :- ex:Warm(X), N := count { V : ex:q(X, V) in [3 s] } .",
    "ex:A(X) :- ex:Warm(X) on one . ex:B(X) :- ex:q(X, _) in [2 s] on two .",
    "ex:last(X, Y) :- ex:q(X, Y) in [#2] . ex:per(X, Y) :- ex:q(X, Y) in [#1 per X] .",
    "ex:of(X, Y) :- ex:p(X, Y) in [#2 of ex:p] on one .",
    "ex:any(X, P) :- triple(X, P, Y) in [1 s], Y > 1 . ex:Kind(C) :- triple(X, rdf:type, C) .",
    "ex:Seen(X) :- seen(X, Y) in [2 s] . ex:More(X) :- more(X) in [1 s] .",
    "ex:path(X, Y) :- ex:r(X, Y) in [2 s] . ex:path(X, Z) :- ex:path(X, Y), ex:r(Y, Z) in [2 s] .",
    "ex:Steady(X) :- ex:Warm(X) always in [1 s] . ex:when(X, T) :- ex:Hot(X) at T in [2 s] .",
]
EVENTS = [
    ("seen", "SELECT ?x ?y WHERE { ?x ex:q ?y . FILTER(isIRI(?y) || ?y > 1) }"),
    ("more", "SELECT ?x WHERE { ?x ex:r+ ?y }"),
]

NODES = st.sampled_from(["ex:a", "ex:b", "ex:c", "_:d"])
VALUES = st.one_of(NODES, st.sampled_from(["1", "2", "3"]))
SAID = st.one_of(
    st.builds("{} {} {} .".format, NODES, st.sampled_from(["ex:p", "ex:q", "ex:r"]), VALUES),
    st.builds("{} a {} .".format, NODES, st.sampled_from(["ex:Hot", "ex:Cold", "ex:Warm"])),
)
GRAPHS = st.lists(SAID, max_size=4).map(" ".join)
STREAMS = st.lists(st.tuples(st.integers(0, 9), GRAPHS), max_size=6).map(
    lambda found: [
        TimedGraph(time, tuple(dict.fromkeys(triples(text))), time, ox.NamedNode(f"{EX}g{i}"))
        for i, (time, text) in enumerate(sorted(found, key=lambda each: each[0]))
    ]
)

TYPE, DOMAIN, RANGE = ox.NamedNode(RDF_TYPE), ox.NamedNode(RDFS + "domain"), ox.NamedNode(RDFS + "range")
SUB_CLASS, SUB_PROPERTY = ox.NamedNode(RDFS + "subClassOf"), ox.NamedNode(RDFS + "subPropertyOf")


def closed(said: Iterable[ox.Triple]) -> set[ox.Triple]:
    """The RDFS closure, written down once more: rules 2, 3, 7 and 9 until nothing is new."""
    found = set(said)
    while True:
        new: set[ox.Triple] = set()
        for t in found:
            for axiom in found:
                match axiom.predicate:
                    case p if p == DOMAIN and axiom.subject == t.predicate:
                        new.add(ox.Triple(t.subject, TYPE, axiom.object))
                    case p if (
                        p == RANGE and axiom.subject == t.predicate and type(t.object) is not ox.Literal
                    ):
                        new.add(ox.Triple(t.object, TYPE, axiom.object))
                    case p if p == SUB_PROPERTY and axiom.subject == t.predicate:
                        new.add(ox.Triple(t.subject, axiom.object, t.object))
                    case p if p == SUB_CLASS and t.predicate == TYPE and axiom.subject == t.object:
                        new.add(ox.Triple(t.subject, TYPE, axiom.object))
        if new <= found:
            return found
        found |= new


def atoms(found: Iterable[ox.Triple]) -> list[GroundAtom]:
    return [
        canonical_ground("urn:laser:local:triple", tuple(map(to_value, (t.subject, t.predicate, t.object))))
        for t in found
    ]


class Judge:
    """The definitions, with nothing clever about them."""

    def __init__(
        self, rules: Program, queries: Sequence[EventQuery], background: list[ox.Triple], start: int
    ) -> None:
        self.background = closed(background)
        self.rules, self.queries = rules, queries
        checked = check(with_events(rules, queries), clock=Clock(), streams=["one", "two"])
        always = [*atoms(self.background), *self.events(queries, self.background)]
        self.evaluator = ReferenceEvaluator(checked, always, start=start)

    def events(self, queries: Iterable[EventQuery], graph: Iterable[ox.Triple]) -> list[GroundAtom]:
        return [
            GroundAtom(event_predicate(query, self.rules), tuple(map(to_value, row)))
            for query in queries
            for row in query.solutions(graph)
        ]

    def at(self, time: int, arrived: dict[str, list[TimedGraph]]) -> set[tuple[Predicate, tuple[str, ...]]]:
        graphs = [(name, graph) for name in ("one", "two") for graph in arrived.get(name, ())]
        graphs.sort(key=lambda each: (each[1].timestamp, each[0], str(each[1].name)))
        for name, graph in graphs:
            self.evaluator.add(time, atoms(sorted(graph.triples, key=str)), name)
        said = {t for _, graph in graphs for t in graph.triples}
        for name in arrived:
            own = {t for graph in arrived[name] for t in graph.triples}
            self.evaluator.add(
                time, atoms(closed({*own, *self.background}) - self.background), name, counts=False
            )
        union = closed({*said, *self.background})
        self.evaluator.add(time, atoms(union - self.background), counts=False)
        if arrived:
            self.evaluator.add(time, self.events(self.queries, union), counts=False)
        holds = self.evaluator.answer(time).holds
        return {(atom.predicate, tuple(map(_leaving, atom.args))) for atom in holds}


def _leaving(term: object) -> str:
    node = from_value(term)  # type: ignore[arg-type]
    return f"<{skolem_iri(node)}>" if isinstance(node, ox.BlankNode) else str(node)


def _told(graph: Iterable[ox.Triple]) -> set[tuple[Predicate, tuple[str, ...]]]:
    return {
        (Predicate(t.object.value, 1), (str(t.subject),))
        if t.predicate == TYPE
        else (Predicate(t.predicate.value, 2), (str(t.subject), str(t.object)))
        for t in graph
    }


@pytest.mark.fuzz
@pytest.mark.parametrize("number", range(len(PROGRAMS)))
@pytest.mark.parametrize("enriched", [False, True])
def test_the_pipeline_says_what_the_definitions_say(number: int, enriched: bool) -> None:
    text = "PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>\n" + PROGRAMS[number]
    queries = [EventQuery.parse(name, PREFIXES + query) for name, query in EVENTS if f" {name}(" in text]
    told = 0

    @settings(max_examples=40)
    @given(one=STREAMS, two=STREAMS, background=GRAPHS)
    def agree(one: list[TimedGraph], two: list[TimedGraph], background: str) -> None:
        nonlocal told
        if not one and not two:
            return
        known = triples(background + (ONTOLOGY if enriched else ""))
        rules = program(text)
        start = min(graph.time for graph in (*one, *two))
        pipeline = Pipeline(start=start, until=12)
        pipeline.stream("one", one)
        pipeline.stream("two", two)
        if enriched:
            pipeline.ontology(known, profile="rdfs")
        else:
            pipeline.background(known)
        for query in queries:
            pipeline.event(query.name, query)
        pipeline.register("p", rules, emit="R")
        found = {graph.time: _told(graph.triples) for graph in pipeline}

        judge = Judge(rules, queries, known, start)
        before: set[tuple[Predicate, tuple[str, ...]]] = set()
        for time in range(start, 13):
            arrived = {
                name: graphs
                for name, stream in (("one", one), ("two", two))
                if (graphs := [graph for graph in stream if graph.time == time])
            }
            expected = judge.at(time, arrived)
            # Where nothing is told, nothing arrived and nothing has changed.
            assert found.get(time, before if not arrived else None) == expected, f"at {time}"
            before = expected
            told += len(expected)

    agree()
    assert told
