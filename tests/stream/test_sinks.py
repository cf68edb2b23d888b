"""Batches, the sinks inside Python, and what is kept when writing fails."""

from __future__ import annotations

import pyoxigraph as ox
import pytest
import rdflib

from laser_rdf.errors import SinkError, UsageError
from laser_rdf.rdf.emit_graph import ResultGraph
from laser_rdf.rdf.rdflib_terms import from_rdflib
from laser_rdf.stream import Batches, Mode, Sink, open_sink
from laser_rdf.stream.python_sinks import RdflibSink
from laser_rdf.stream.results import GraphText
from tests.stream.results import EX, ex, result, ten_triple_results


class Notebook(Sink):
    """Notes what is written together; fails while it is told to."""

    def __init__(self, batches: Batches) -> None:
        super().__init__("notebook", Mode.LOG, batches)
        self.fails = False
        self.taken: list[str] = []
        self.written: list[list[str]] = []

    def check(self) -> None:
        pass

    def _take(self, result: ResultGraph, text: GraphText) -> None:
        self.taken.append(text.iri)

    def _write(self) -> None:
        if self.fails:
            raise SinkError("not now", transient=True)
        self.written.append(self.taken)
        self.taken = []

    def _close(self) -> None:
        pass


def test_batches_by_count() -> None:
    with Notebook(Batches(graphs=3, seconds=1_000)) as sink:
        for name in "abcdefg":
            sink.write(result(f"urn:{name}"))
        assert sink.written == [["urn:a", "urn:b", "urn:c"], ["urn:d", "urn:e", "urn:f"]]
        sink.flush_if_due()
        assert len(sink.written) == 2
    assert sink.written[2:] == [["urn:g"]]


def test_batches_by_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("laser_rdf.stream.sink.monotonic", lambda: now[0])
    with Notebook(Batches(graphs=1_000, seconds=5)) as sink:
        sink.write(result("urn:a"))
        now[0] = 104.9
        sink.write(result("urn:b"))
        assert sink.written == []
        now[0] = 105.0
        sink.flush_if_due()  # as the pipeline does when nothing comes
        assert sink.written == [["urn:a", "urn:b"]]
        sink.write(result("urn:c"))
        now[0] = 111.0
        sink.write(result("urn:d"))
        assert sink.written[1:] == [["urn:c", "urn:d"]]


def test_what_could_not_be_written_is_kept() -> None:
    sink = Notebook(Batches(graphs=2))
    sink.fails = True
    sink.write(result("urn:a"))
    with pytest.raises(SinkError):
        sink.write(result("urn:b"))
    sink.fails = False
    sink.flush()
    assert sink.written == [["urn:a", "urn:b"]]


def test_an_error_under_way_is_not_hidden() -> None:
    def work() -> None:
        with Notebook(Batches()) as sink:
            sink.fails = True
            sink.write(result("urn:a"))
            raise KeyError

    with pytest.raises(KeyError):
        work()


def test_a_function_gets_every_result_at_once() -> None:
    seen: list[ResultGraph] = []
    graphs = ten_triple_results(3)
    with open_sink(seen.append) as sink:
        sink.check()
        for number, graph in enumerate(graphs, 1):
            sink.write(graph)
            assert len(seen) == number
    assert seen == graphs


def test_a_dataset_is_kept_current() -> None:
    dataset = rdflib.Dataset()
    dataset.graph(rdflib.URIRef(f"{EX}mine")).add(
        (rdflib.URIRef(EX), rdflib.URIRef(EX), rdflib.Literal("mine"))
    )
    graphs = ten_triple_results(3)
    with open_sink("rdflib", dataset=dataset) as sink:
        sink.check()
        sink.write(result(graphs[0].iri, [ox.Triple(ex("old"), ex("old"), ex("old"))]))
        for graph in graphs:
            sink.write(graph)
    for graph in graphs:
        found = {
            ox.Triple(*(from_rdflib(term) for term in triple))  # type: ignore[arg-type]
            for triple in dataset.graph(rdflib.URIRef(graph.iri))
        }
        assert found == {*graph.triples, *graph.metadata}
    assert len(dataset.graph(rdflib.URIRef(f"{EX}mine"))) == 1


def test_a_dataset_with_a_metadata_graph() -> None:
    graphs = ten_triple_results(2)
    with open_sink("rdflib", metadata_graph=f"{EX}about") as sink:
        for graph in [*graphs, *graphs]:
            sink.write(graph)
    assert isinstance(sink, RdflibSink)
    assert len(sink.dataset.graph(rdflib.URIRef(f"{EX}about"))) == 8
    assert len(sink.dataset.graph(rdflib.URIRef(graphs[1].iri))) == 10


def test_rdflib_has_no_triple_terms() -> None:
    nested = ox.Triple(ex("a"), ex("p"), ox.Triple(ex("a"), ex("p"), ex("b")))
    with pytest.raises(UsageError):
        open_sink("rdflib").write(result(EX, [nested]))
