"""What is written is what is read, in every format."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as configured

from laser_rdf.errors import UsageError
from laser_rdf.rdf import WRITE_FORMATS, StreamWriter, TimedGraph, read_stream, write_stream
from tests.rdf.graphs import canonical, ex, literal, ox, streams


def written(graphs: list[TimedGraph], form: str) -> bytes:
    out = io.BytesIO()
    write_stream(graphs, out, form)
    return out.getvalue()


@pytest.mark.fuzz
@pytest.mark.parametrize("form", WRITE_FORMATS)
@given(graphs=streams())
def test_written_and_read_graphs_are_the_same(form: str, graphs: list[TimedGraph]) -> None:
    data = written(graphs, form)
    again = list(read_stream(data, form))
    assert [canonical(graph, form) for graph in again] == [canonical(graph, form) for graph in graphs]
    # And once more, from what was read: names and labels are now those of the reader.
    twice = list(read_stream(written(again, form), form))
    assert [canonical(graph, form) for graph in twice] == [canonical(graph, form) for graph in graphs]


@pytest.mark.fuzz
@configured(max_examples=50)
@given(graphs=streams())
def test_reading_is_the_same_whatever_the_chunks(graphs: list[TimedGraph]) -> None:
    for form in WRITE_FORMATS:
        data = written(graphs, form)
        for size in (1, 7):
            pieces = Dribble(data, size if len(data) < 3000 else 1000 + size)
            assert list(read_stream(pieces, form, name="<bytes>")) == list(read_stream(data, form))


class Dribble(io.BytesIO):
    """A file that gives a few bytes at a time."""

    def __init__(self, data: bytes, size: int) -> None:
        super().__init__(data)
        self.few = size

    def read1(self, size: int | None = -1) -> bytes:
        return super().read(self.few)


@pytest.mark.parametrize("suffix", ["trig", "nq", "jsonl", "trig.gz", "nq.gz", "jsonl.gz"])
def test_files_by_suffix(suffix: str, tmp_path: Path) -> None:
    graph = TimedGraph(5, (ox.Triple(ex("a"), ex("p"), literal("01", "integer")),), 5, ex("g"))
    path = tmp_path / f"out.{suffix}"
    assert write_stream([graph], path) == 1
    assert list(read_stream(path)) == [graph]
    assert (path.read_bytes()[:2] == b"\x1f\x8b") == suffix.endswith(".gz")


def test_a_log_is_recognised_by_its_label(tmp_path: Path) -> None:
    graph = TimedGraph(5, (ox.Triple(ex("a"), ex("p"), ex("b")),), name=ex("g"))
    for form, suffix in (("trig-messages", "trig"), ("nquads-messages", "nq")):
        path = tmp_path / f"log.{suffix}"
        write_stream([graph, TimedGraph(6)], path, form)
        assert list(read_stream(path)) == [graph, TimedGraph(6)]


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="give a format"):
        StreamWriter(tmp_path / "out.xyz")
    with pytest.raises(UsageError, match="cannot write"):
        StreamWriter(tmp_path / "no" / "out.trig")
    with pytest.raises(UsageError, match="not an IRI"):
        StreamWriter(io.BytesIO(), "trig", stamp="no iri")
    nested = ox.Triple(ex("a"), ex("p"), ox.Triple(ex("a"), ex("p"), ex("b")))
    with pytest.raises(UsageError, match="JSON-LD"):
        write_stream([TimedGraph(1, (nested,))], io.BytesIO(), "json-lines")
    assert canonical(next(read_stream(written([TimedGraph(1, (nested,))], "trig"), "trig")))[3] == {
        str(nested)
    }
    closed = io.BytesIO()
    closed.close()
    with pytest.raises(UsageError, match="cannot write"):
        StreamWriter(closed, "trig-messages")
