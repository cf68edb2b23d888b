"""The rdflib plugins, found through entry points, and conversions to and from rdflib."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
import rdflib
from hypothesis import given, settings

import laser_rdf
from laser_rdf.errors import InputError, UsageError
from laser_rdf.rdf import TimedGraph, write_stream
from laser_rdf.rdf.plugin_datasets import from_dataset, to_dataset
from tests.rdf.graphs import PROV, canonical, ex, literal, ox, streams

LOG = f"<urn:g> <{PROV}> 5 . <urn:g> {{ <urn:a> <urn:p> '01' }} <urn:h> {{}} <urn:h> <{PROV}> 6 .".encode()


@pytest.mark.parametrize("form", ["laser-stream", "application/vnd.laser-stream+trig"])
def test_a_log_is_parsed_and_serialized_by_name_and_media_type(form: str, tmp_path: Path) -> None:
    path = tmp_path / "log.trig"
    path.write_bytes(LOG)
    dataset = rdflib.Dataset()
    dataset.parse(path, format=form)
    assert {str(graph.identifier) for graph in dataset.graphs()} >= {"urn:g", "urn:h"}
    assert dataset.default_graph.value(rdflib.URIRef("urn:g"), rdflib.PROV.generatedAtTime) == rdflib.Literal(
        5
    )
    assert str(next(iter(dataset.graph(rdflib.URIRef("urn:g"))))[2]) == "01"
    dataset.serialize(tmp_path / "out.trig", format=form)
    assert list(laser_rdf.read_stream(tmp_path / "out.trig")) == list(laser_rdf.read_stream(path))


@pytest.mark.parametrize("stream_format", ["nquads", "trig-messages", "json-lines", "jelly"])
def test_other_stream_formats(stream_format: str) -> None:
    graph = TimedGraph(5, (ox.Triple(ex("a"), ex("p"), literal("2.50", "decimal")),), 5, ex("g"))
    out = io.BytesIO()
    write_stream([graph], out, stream_format)
    dataset = rdflib.Dataset()
    dataset.parse(io.BytesIO(out.getvalue()), format="laser-stream", stream_format=stream_format)
    assert from_dataset(dataset) == [graph]
    text = dataset.serialize(format="laser-stream", stream_format=stream_format, encoding="utf-8")
    assert list(laser_rdf.read_stream(text, stream_format)) == [graph]


@settings(max_examples=50)
@given(graphs=streams())
def test_datasets_keep_timed_graphs(graphs: list[TimedGraph]) -> None:
    again = from_dataset(to_dataset(graphs))
    assert sorted(map(nameless, again)) == sorted(map(nameless, graphs))
    assert {g.name for g in graphs if g.name} <= {g.name for g in again}


def nameless(graph: TimedGraph) -> str:
    """What can be compared: rdflib writes language tags its own way, and made-up names are no names."""
    time, timestamp, _, triples = canonical(graph)
    return f"{time} {timestamp} {sorted(triples)}"  # type: ignore[call-overload]


def test_graphs_without_a_name_or_with_a_repeated_one_get_one_that_is_the_same_in_every_run() -> None:
    graphs = [
        TimedGraph(1),
        TimedGraph(2, name=ox.NamedNode("urn:g")),
        TimedGraph(3, name=ox.NamedNode("urn:g")),
    ]
    names = [[str(g.name) for g in from_dataset(to_dataset(graphs, stream="log"))] for _ in range(2)]
    assert names[0] == names[1]
    assert len(set(names[0])) == 3
    assert names[0][1] == "<urn:g>"


def test_what_the_default_graph_says_besides_is_kept() -> None:
    dataset = rdflib.Dataset().parse(data=LOG, format="laser-stream")
    dataset.add((rdflib.URIRef("urn:g"), rdflib.RDFS.label, rdflib.Literal("x")))
    text = dataset.serialize(format="laser-stream")
    assert '<urn:g> <http://www.w3.org/2000/01/rdf-schema#label> "x" .\n' in text
    assert len(list(laser_rdf.read_stream(text.encode(), "trig"))) == 2
    with pytest.raises(UsageError, match="no place"):
        dataset.serialize(format="laser-stream", stream_format="json-lines")


def test_what_is_wrong_is_said() -> None:
    with pytest.raises(UsageError, match=r"rdflib\.Dataset"):
        rdflib.Graph().parse(data=LOG, format="laser-stream")
    with pytest.raises(UsageError, match=r"rdflib\.Dataset"):
        rdflib.Graph().serialize(format="laser-stream")
    with pytest.raises(InputError, match="I101"):
        rdflib.Dataset().parse(data="<urn:g> {", format="laser-stream")
    dataset = rdflib.Dataset()
    home = dataset.graph(rdflib.URIRef("urn:g"))
    home.add((rdflib.URIRef("urn:a"), rdflib.URIRef("urn:p"), rdflib.URIRef("urn:b")))
    for stamps, message in (
        ((), "no time stamp"),
        ((1, 2), "two time stamps"),
        (("soon",), "is no time stamp"),
    ):
        dataset.default_graph.remove((None, None, None))
        for stamp in stamps:
            dataset.add((home.identifier, rdflib.PROV.generatedAtTime, rdflib.Literal(stamp)))
        with pytest.raises(UsageError, match=message):
            dataset.serialize(format="laser-stream")


def test_graphs_to_and_from_rdflib() -> None:
    graph = TimedGraph(5, (ox.Triple(ex("a"), ex("p"), ox.Literal("x", language="en")),))
    assert TimedGraph.from_rdflib(5, graph.to_rdflib()) == graph
    assert laser_rdf.TimedGraph is TimedGraph
    assert laser_rdf.write_stream is write_stream
