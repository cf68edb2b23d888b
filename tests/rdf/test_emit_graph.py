"""Result graphs: their names, what is said about them, and the way through files and back."""

from __future__ import annotations

import io
import subprocess
import sys
from fractions import Fraction

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laser_rdf.check import Predicate
from laser_rdf.errors import UsageError
from laser_rdf.rdf import Interner, StreamReader, TimedGraph, read_stream
from laser_rdf.rdf.emit import Emitter
from laser_rdf.rdf.emit_writing import ResultWriter
from laser_rdf.rdf.naming import ResultNames, skolem_iri
from laser_rdf.rdf.vocabulary import LASER, PROV
from laser_rdf.values import Clock
from tests.rdf.graphs import TRIPLES, ex, literal

VALUES = Interner()
FORMATS = ("trig", "nquads", "trig-messages", "nquads-messages", "json-lines")
NAMES = st.text(min_size=1, max_size=12).filter(lambda name: name not in (".", ".."))


def results(triples_by_time, **options):
    """One result for each list of triples; the triples as property atoms."""
    emitter = Emitter(options.pop("program", "heat"), **options)
    found = []
    for time, triples in enumerate(triples_by_time, 36):
        rows = [
            (Predicate(t.predicate.value, 2), [(VALUES.value(t.subject), VALUES.value(t.object))])
            for t in dict.fromkeys(triples)
        ]
        found += emitter.emit(time, rows, (), lambda rows=rows: rows)
    return found


def write(graphs, form, **options) -> bytes:
    out = io.BytesIO()
    with ResultWriter(out, form, **options) as writer:
        for graph in graphs:
            writer.write(graph)
    return out.getvalue()


def canonical(graph: TimedGraph):
    return graph.time, graph.timestamp, graph.name, frozenset(graph.triples)


@pytest.mark.parametrize("clock", [None, Clock(), Clock(unit_ms=1500, origin_ms=-7)])
@pytest.mark.parametrize("form", FORMATS)
@given(st.lists(st.lists(TRIPLES, min_size=1, max_size=4), max_size=3))
def test_round_trip_with_the_metadata_inside(form, clock, lists):
    graphs = results(lists, clock=clock)
    back = list(read_stream(write(graphs, form, inside=True), form, clock=clock or Clock()))
    assert list(map(canonical, back)) == [canonical(graph.timed(inside=True)) for graph in graphs]


@pytest.mark.parametrize("form", ["trig", "nquads"])
@given(st.lists(st.lists(TRIPLES, max_size=4), max_size=3))
def test_round_trip_with_the_metadata_in_the_default_graph(form, lists):
    graphs = results(lists, clock=Clock(), emit="R")
    reader = StreamReader(write(graphs, form), form)
    assert list(map(canonical, reader)) == [canonical(graph.timed()) for graph in graphs]
    assert reader.ignored == 3 * len(graphs)


@pytest.mark.parametrize("form", ["trig-messages", "nquads-messages", "json-lines"])
@given(st.lists(st.lists(TRIPLES, min_size=1, max_size=4), max_size=3))
def test_messages_keep_what_graphs_say_and_when(form, lists):
    graphs = results(lists, clock=Clock())
    back = list(read_stream(write(graphs, form), form))
    assert [graph.time for graph in back] == [graph.time for graph in graphs]
    for read, graph in zip(back, graphs, strict=True):
        assert set(graph.triples) <= set(read.triples) <= {*graph.triples, *graph.metadata}


def test_lexical_forms_survive():
    odd = [("01", "integer"), ("2.50", "decimal"), ("5", "long"), ("2020-01-01T00:00:00.000Z", "dateTime")]
    triples = [ox.Triple(ex("a"), ex("p"), literal(*each)) for each in odd]
    for form in FORMATS:
        [back] = read_stream(write(results([triples]), form, inside=True), form)
        assert set(triples) <= set(back.triples)


def test_what_is_said_about_a_graph():
    [graph] = results([[ox.Triple(ex("a"), ex("p"), ex("b"))]], clock=Clock(unit_ms=60_000))
    assert {t.predicate.value: t.object for t in graph.metadata} == {
        PROV + "generatedAtTime": literal("1970-01-01T00:36:00Z", "dateTime"),
        PROV + "wasGeneratedBy": ox.NamedNode("urn:laser:program:heat"),
        LASER + "timePoint": literal("36", "integer"),
        LASER + "emit": ox.NamedNode(LASER + "Insertions"),
    }
    assert {t.subject for t in graph.metadata} == {graph.name}


@pytest.mark.parametrize(
    ("ms", "seconds"), [(1000, 36), (500, 18), (1, Fraction(36, 1000)), (86_400_000, 36 * 86_400)]
)
def test_a_stamp_is_the_start_of_the_time_point(ms, seconds):
    [graph] = results([[ox.Triple(ex("a"), ex("p"), ex("b"))]], clock=Clock(unit_ms=ms))
    assert graph.timestamp == seconds
    assert graph.metadata[0].object.value == Clock(unit_ms=ms).timestamp(36).lexical


def test_without_a_clock_the_stamp_is_the_time_point():
    [graph] = results([[ox.Triple(ex("a"), ex("p"), ex("b"))]])
    assert graph.timestamp is None
    assert graph.metadata[0].object == literal("36", "integer")


def test_a_year_that_cannot_be_written_is_an_error():
    [graph] = Emitter("p", "R", clock=Clock()).emit(10**17)
    with pytest.raises(UsageError, match="cannot be written as a dateTime"):
        graph.nquads()


@pytest.mark.parametrize("form", ["trig", "nquads"])
def test_a_metadata_graph_of_its_own(form):
    graphs = results([[ox.Triple(ex("a"), ex("p"), ex("b"))]], metadata_graph=ex("about").value)
    quads = list(
        ox.parse(write(graphs, form), format=getattr(ox.RdfFormat, {"trig": "TRIG"}.get(form, "N_QUADS")))
    )
    assert [quad.graph_name for quad in quads] == [ex("about")] * 4 + [graphs[0].name]
    assert quads == graphs[0].quads(inside=True)


def test_timed_graphs_can_be_written_in_between():
    out = write([TimedGraph(1, (), None, ex("g"))], "trig")
    assert [graph.name for graph in read_stream(out, "trig")] == [ex("g")]


def test_json_has_no_triple_terms():
    term = ox.Triple(ex("a"), ex("p"), ex("b"))
    with pytest.raises(UsageError, match="JSON-LD"):
        write(results([[ox.Triple(ex("a"), ex("p"), term)]]), "json-lines")


def test_an_rdflib_graph_on_demand():
    rdflib = pytest.importorskip("rdflib")
    [graph] = results([[ox.Triple(ex("a"), ex("p"), literal("01", "integer"))]])
    found = graph.to_rdflib()
    assert str(found.identifier) == graph.iri
    [(_, _, value)] = found
    assert (str(value), value.datatype) == ("01", rdflib.XSD.integer)


# --- names -------------------------------------------------------------------------------------------


@given(NAMES, NAMES, st.integers(-5, 5))
def test_names_are_iris_and_differ(one, other, time):
    first, second = ResultNames(one), ResultNames(other)
    assert ox.NamedNode(first.graph("insertions", time))
    assert ox.NamedNode(first.state)
    assert first.program_iri
    assert (first.graph("insertions", time) == second.graph("insertions", time)) == (one == other)


@pytest.mark.parametrize(
    "program", ["a> <b", "a b", "%", "a/../b", "\ud800", "é", "a\n.", "x:y z", "http://ex.org/p"]
)
@pytest.mark.parametrize("form", ["trig", "nquads"])
def test_a_hostile_name_breaks_nothing(program, form):
    graphs = results([[ox.Triple(ex("a"), ex("p"), ex("b"))]], program=program)
    [back] = read_stream(write(graphs, form), form)
    assert back.name == graphs[0].name
    assert back.triples == graphs[0].triples


@pytest.mark.parametrize("program", ["", ".", ".."])
def test_what_is_no_name_is_refused(program):
    with pytest.raises(UsageError, match="not the name of a program"):
        Emitter(program)


@pytest.mark.parametrize("options", [{"base": "no iri "}, {"metadata_graph": "a> b"}])
def test_what_is_no_iri_is_refused(options):
    with pytest.raises(UsageError, match="is not an IRI"):
        Emitter("p", **options)


@given(
    st.lists(
        st.sampled_from(["b", "b0", "x.y", "é", "a-b", "a_b", "ab"]), min_size=2, max_size=2, unique=True
    )
)
def test_blank_nodes_stay_apart(labels):
    one, other = map(skolem_iri, map(ox.BlankNode, labels))
    assert ox.NamedNode(one) != ox.NamedNode(other)


def test_another_process_gives_the_same_names():
    code = """
from laser_rdf.check import Predicate
from laser_rdf.rdf.emit import Emitter
emitter = Emitter("p", "intervals")
emitter.emit(1, [(Predicate("urn:q", 3), [(1, 2, 3)]), (Predicate("urn:r", 0), [()])])
print(emitter.finish()[0].nquads())
"""
    runs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1
