"""The twelve questions: each has answers, and they are those of the definitions and of plain SPARQL."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pyoxigraph as ox
import pytest

from laser_rdf.bench.citybench import CityBench, clock_of
from laser_rdf.bench.citybench.generate import generate
from laser_rdf.bench.citybench.queries import CITY_QUERIES, WINDOW_SECONDS, CityQuery
from laser_rdf.check import TRIPLE, GroundAtom, canonical_ground, check, mentions_of
from laser_rdf.pipeline import Pipeline
from laser_rdf.rdf import TimedGraph, from_value, to_value
from laser_rdf.rdf.event_program import event_predicate, with_events
from laser_rdf.reference import ReferenceEvaluator

REAL = Path("/work/shared/citybench")
ROWS = 120
Told = tuple[str, ...]


@pytest.fixture(scope="module")
def city(tmp_path_factory: pytest.TempPathFactory) -> CityBench:
    return CityBench(generate(tmp_path_factory.mktemp("city"), sensors=6, hours=12, seed=3), strict=True)


def streams_of(query: CityQuery, data: CityBench, rows: int = ROWS) -> dict[str, list[TimedGraph]]:
    return {
        name: list(data.elements(name, query.rate_of(name, 1), limit=rows, clock=clock_of(1)))
        for name in query.streams
    }


def answers(
    query: CityQuery, data: CityBench, *, enriched: bool = False, rows: int = ROWS
) -> dict[int, set[Told]]:
    """What holds at each time point at which something is told."""
    pipeline = Pipeline(clock_of(1))
    for name, graphs in streams_of(query, data, rows).items():
        pipeline.stream(name, graphs)
    pipeline.background(*data.documents())
    if enriched:
        pipeline.ontology(*data.ontology_files(), profile=query.profile)
    for event in query.event_queries():
        pipeline.event(event.name, event)
    pipeline.register("q", query.parsed(), emit="R")
    return {graph.time: {told(t) for t in graph.triples} for graph in pipeline}


def told(triple: Iterable[object]) -> Told:
    """A triple as text; doubles by value, as SPARQL adds them up in another order."""
    return tuple(
        f"{float(term.value):.9g}"
        if isinstance(term, ox.Literal) and term.datatype.value.endswith("double")
        else str(term)
        for term in triple
    )


def in_window(query: CityQuery, data: CityBench, now: int) -> list[TimedGraph]:
    seen = (graph for graphs in streams_of(query, data).values() for graph in graphs)
    return sorted((g for g in seen if now - WINDOW_SECONDS <= g.time <= now), key=lambda g: g.time)


def by_definition(query: CityQuery, data: CityBench, now: int) -> set[Told]:
    program, events, background = query.parsed(), query.event_queries(), list(data.background())
    checked = check(with_events(program, events), clock=clock_of(1), streams=query.streams)
    names = {p.name for p in mentions_of(checked).predicates} | {n for e in events for n in _names(e)}

    def atoms(triples: Iterable[ox.Triple]) -> list[GroundAtom]:
        return [
            canonical_ground(TRIPLE.name, tuple(map(to_value, t)))
            for t in triples
            if t.predicate.value in names or getattr(t.object, "value", "") in names
        ]

    judge = ReferenceEvaluator(checked, atoms(background), start=0)
    for graph in in_window(query, data, now):
        judge.add(graph.time, atoms(graph.triples))
        found = [
            GroundAtom(event_predicate(event, program), tuple(map(to_value, row)))
            for event in events
            for row in event.solutions([*graph.triples, *background])
        ]
        judge.add(graph.time, found, counts=False)
    return {
        told(
            (from_value(a.args[0]), ox.NamedNode(a.predicate.name), from_value(a.args[1]))
            if a.predicate.arity == 2
            else (from_value(a.args[0]), _TYPE, ox.NamedNode(a.predicate.name))
        )
        for a in judge.answer(now).holds
    }


_TYPE = ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")


def _names(event: object) -> set[str]:
    return {p.name for p in event.mentions().predicates}  # type: ignore[attr-defined]


def by_sparql(query: CityQuery, data: CityBench, now: int) -> set[Told]:
    store = ox.Store()
    store.extend(ox.Quad(*t) for t in data.background())
    store.extend(ox.Quad(*t) for graph in in_window(query, data, now) for t in graph.triples)
    return {told(t) for t in store.query(query.check)}  # type: ignore[union-attr]


@pytest.mark.parametrize("name", CITY_QUERIES)
def test_programs_are_clean_and_say_their_question(name: str) -> None:
    query = CITY_QUERIES[name]
    checked = check(
        with_events(query.parsed(), query.event_queries()), clock=clock_of(1), streams=query.streams
    )
    assert checked.warnings == ()
    assert query.program.startswith(f"% {name}: ")


@pytest.mark.parametrize("name", CITY_QUERIES)
def test_answers_are_those_of_the_definitions_and_of_sparql(name: str, city: CityBench) -> None:
    query = CITY_QUERIES[name]
    found = answers(query, city)
    compared = 0
    for now in (0, 2, 7, 31, 64):
        expected = by_sparql(query, city, now)
        assert found.get(now, set()) == expected, f"SPARQL at {now}"
        assert by_definition(query, city, now) == expected, f"the definitions at {now}"
        compared += len(expected)
    assert compared, "nothing was compared"
    assert answers(query, city, enriched=True) == found


@pytest.mark.skipif(not REAL.exists(), reason="the data of CityBench are not here")
@pytest.mark.parametrize("name", CITY_QUERIES)
def test_there_are_answers_on_the_real_data(name: str) -> None:
    assert any(answers(CITY_QUERIES[name], CityBench(REAL), rows=300).values())
