"""Files: what is written is read again as the same stream, at any moment and after a replay."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import given

from laser_rdf.errors import SinkError, UsageError
from laser_rdf.rdf import read_stream
from laser_rdf.rdf.emit_graph import ResultGraph
from laser_rdf.stream import open_sink
from tests.stream.results import EX, ex, result, ten_triple_results
from tests.stream.test_hostile_text import TRIPLES

SUFFIXES = ["trig", "nq", "trig.gz", "nq.gz"]


def as_read(results: list[ResultGraph]) -> list[object]:
    return [graph.timed() for graph in results]


def read(path: Path) -> list[object]:
    return list(read_stream(path))


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_written_and_read_results_are_the_same(suffix: str, tmp_path: Path) -> None:
    path, results = tmp_path / f"out.{suffix}", ten_triple_results(1_000)
    with open_sink(f"file:{path}", batch=300) as sink:
        sink.check()
        for number, graph in enumerate(results, 1):
            sink.write(graph)
            if number == 600:  # what has been flushed can be read while the run goes on
                assert read(path) == as_read(results[:600])
    assert read(path) == as_read(results)
    assert sink.counters.requests == 4
    assert sink.counters.bytes == path.stat().st_size
    assert (sink.counters.graphs, sink.counters.triples) == (1_000, 10_000)


@pytest.mark.parametrize("suffix", ["trig", "nq"])
@given(triples=TRIPLES)
def test_hostile_text_in_files(
    suffix: str, tmp_path_factory: pytest.TempPathFactory, triples: list[ox.Triple]
) -> None:
    path = tmp_path_factory.getbasetemp() / f"hostile.{suffix}"
    graphs = [result(f"{EX}g1", triples), result(f"{EX}g2", triples, 37, None)]
    with open_sink(f"file:{path}") as sink:
        for graph in graphs:
            sink.write(graph)
    assert read(path) == as_read(graphs)


def test_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    graphs = ten_triple_results(3)
    with open_sink(f"file:{path}") as sink:
        for graph in graphs:
            sink.write(graph)
    documents = path.read_bytes().splitlines()
    assert [set(ox.parse(line, format=ox.RdfFormat.JSON_LD)) for line in documents] == [
        set(graph.quads()) for graph in graphs
    ]
    assert [graph.time for graph in read_stream(path)] == [0, 1, 2]


def test_json_lines_have_no_triple_terms(tmp_path: Path) -> None:
    nested = ox.Triple(ex("a"), ex("p"), ox.Triple(ex("a"), ex("p"), ex("b")))
    with open_sink(f"file:{tmp_path / 'out.jsonl'}") as sink, pytest.raises(UsageError, match="JSON-LD"):
        sink.write(result(EX, [nested]))


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_replay_writes_anew_and_append_goes_on(suffix: str, tmp_path: Path) -> None:
    path, results = tmp_path / f"out.{suffix}", ten_triple_results(4)
    for _ in range(2):
        with open_sink(f"file:{path}") as sink:
            for graph in results[:2]:
                sink.write(graph)
        assert read(path) == as_read(results[:2])
    with open_sink(f"file:{path}", append=True) as sink:
        for graph in results[2:]:
            sink.write(graph)
    assert read(path) == as_read(results)


def test_checking_touches_nothing_and_a_run_without_results_empties(tmp_path: Path) -> None:
    path = tmp_path / "out.trig"
    sink = open_sink(f"file:{path}")
    sink.check()
    assert not path.exists()
    path.write_text("# old\n")
    sink.check()
    assert path.read_text() == "# old\n"
    sink.close()
    assert path.read_bytes() == b""


def test_what_is_said_about_graphs_in_a_graph_of_its_own(tmp_path: Path) -> None:
    path, graph = tmp_path / "out.nq", ten_triple_results(1)[0]
    with open_sink(f"file:{path}", metadata_graph=f"{EX}about") as sink:
        sink.write(graph)
    quads = list(ox.parse(path=path))
    assert {quad.triple for quad in quads if quad.graph_name == ex("about")} == set(graph.metadata)
    assert {quad.triple for quad in quads if quad.graph_name == graph.name} == set(graph.triples)


def test_standard_output(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    graph = ten_triple_results(1)[0]
    with open_sink("file:-") as sink:
        sink.check()
        sink.write(graph)
    assert list(read_stream(capfdbinary.readouterr().out, "trig")) == [graph.timed()]


def test_a_batch_that_does_not_fit_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    signal = pytest.importorskip("signal")
    path, results = tmp_path / "out.trig", ten_triple_results(100)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, limits[1]))
        sink = open_sink(f"file:{path}", batch=1_000)
        sink.write(results[0])
        sink.flush()
        for graph in results[1:]:
            sink.write(graph)
        with pytest.raises(SinkError, match="File too large"):
            sink.flush()
        assert read(path) == as_read(results[:1])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    sink.close()  # there is room now, and nothing was lost
    assert read(path) == as_read(results)
