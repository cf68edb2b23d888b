"""Parsing many statements at once gives what parsing them one by one gives, on good input and on bad."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laser_rdf.errors import InputError
from laser_rdf.rdf import (
    FORMATS,
    StreamReader,
    TimedGraph,
    read_graphs,
    read_messages,
    statements,
    write_stream,
)
from laser_rdf.rdf.statements import Cutter
from laser_rdf.rdf.stretches import Stretch
from tests.rdf.graphs import PROV, streams

P = f"<{PROV}>"
TEXT_FORMATS = ("trig", "nquads", "turtle-messages", "trig-messages", "ntriples-messages", "nquads-messages")


@contextmanager
def slow() -> Iterator[None]:
    """One statement after the other."""
    with (
        mock.patch.object(Cutter, "_stretch", return_value=None),
        mock.patch.object(read_graphs, "parse_together", return_value=None),
        mock.patch.object(read_graphs, "_quads", return_value=None),
        mock.patch.object(read_messages, "parse_together", return_value=None),
    ):
        yield


@contextmanager
def without_guesses() -> Iterator[None]:
    with mock.patch.object(statements, "find_messages", return_value=False):
        yield


def everything(data: bytes, form: str, on_error: str, size: int | None = None) -> tuple[object, ...]:
    """All there is to see of a stream: its elements, what was counted, and the error."""
    source = io.BytesIO(data) if size is None else Dribble(data, size)
    reader = StreamReader(source, form, on_error=on_error, name="log")
    found, error = [], ""
    try:
        for graph in reader:
            found.append((graph, graph.source))
    except InputError as problem:
        error = str(problem)
    return found, error, reader.elements, reader.skipped, reader.ignored


class Dribble(io.BytesIO):
    def __init__(self, data: bytes, size: int) -> None:
        super().__init__(data)
        self.few = size

    def read1(self, size: int | None = -1) -> bytes:
        return super().read(self.few)


_STATEMENTS = st.one_of(
    st.builds("<urn:g{}> {} {} .".format, st.integers(0, 3), st.just(P), st.integers(0, 9)),
    st.builds("<urn:g{}> {{ <urn:a> <urn:p> {} }}".format, st.integers(0, 3), st.integers(0, 9)),
    st.builds("ex:g{} {{ ex:a ex:p _:b, [] ; ex:q ( 1 ) }}".format, st.integers(0, 3)),
    st.sampled_from(
        [
            "PREFIX ex: <urn:e:>",
            "@prefix ex: <urn:f:> .",
            "BASE <urn:base:>",
            "_:g { <urn:a> <urn:p> _:b }",
            f"_:g {P} 5 .",
            "[] { <urn:a> <urn:p> [] }",
            "<urn:g1> { }",
            "{ <urn:a> <urn:p> <urn:b> }",
            f"{{ <urn:g1> {P} 4 }}",
            f"GRAPH <urn:g2> {{ <urn:g2> {P} 7 }}",
            "<urn:a> <urn:p> <urn:b> .",
            "<urn:a> <urn:p> 'é' , \"}\" .",
            "<urn:laser:seam> <urn:laser:seam> <urn:laser:seam> .",
            "# a comment { [",
            "# @message",
            "MESSAGE",
            "MESSAGE # after",
            "@message .",
            f"<urn:a> {P} 3 . # @message",
            "<urn:a> <urn:p>\n# @message\n<urn:b> .",
            "<urn:a> <urn:p> '''\n# @message\n''' .",
            "<urn:g1> { <urn:a> <urn:p> 1 .\n# @message\n<urn:a> <urn:p> 2 }",
            "PREFIX ex:\n# @message\n<urn:x:>",
            f"<urn:g1> {P} 1.5 .",
            f"<urn:g1> {P} 3, 4 .",
            "<urn:a> oops <urn:b> .",
            "<urn:g3> { <urn:a> oops <urn:b> }",
            "<urn:g3> { <urn:a> <urn:p> ",
            "}",
            '"',
            "<<( <urn:a> <urn:p> <urn:b> )>> .",
            "<urn:a> <urn:p> <urn:b> {| <urn:q> 1 |} .",
            'VERSION "1.2-messages"',
        ]
    ),
)
_TEXTS = st.lists(
    st.tuples(_STATEMENTS, st.sampled_from(["\n", "\n", "\n", " ", "\r\n", "\n\n  "])), max_size=10
).map(lambda parts: "".join(text + space for text, space in parts).encode())
_FIVE = '"5"^^<http://www.w3.org/2001/XMLSchema#integer>'
_LINES = st.lists(
    st.sampled_from(
        [
            *(f"<urn:g{n}> {P} {_FIVE.replace('5', str(n))} ." for n in range(4)),
            *(f"<urn:a> <urn:p> _:b <urn:g{n}> ." for n in range(3)),
            f"<urn:g1> {P} {_FIVE} <urn:g1> .",
            f"_:x {P} {_FIVE} .",
            "<urn:a> <urn:p> <urn:b> .",
            "<urn:a> oops <urn:b> <urn:g1> .",
            "<urn:a> oops",
            "# a comment",
            f"_:x {P} {_FIVE} . # a comment",
            f"_:x {P} {_FIVE} .\r<urn:a> <urn:p> <urn:b> .",
            f"_:x {P} {_FIVE} .\r",
            f"_:x {P} {_FIVE} . <urn:a> <urn:p> <urn:b> .",
            f"_:x {P} {_FIVE} _:x .",
            "<urn:a> <urn:p> _:x .",
            f"<urn:a> <urn:p> <<( _:x {P} _:y )>> .",
            '<urn:a> <urn:p> "a_:b" .',
            "# @message",
            "# @message",
            "# @message",
            "MESSAGE",
            "message # x",
            "@message .",
            'VERSION "1.2-messages"',
            "",
            "<urn:laser:seam> <urn:laser:seam> <urn:laser:seam> .",
        ]
    ),
    max_size=12,
).map(lambda lines: "\n".join(lines).encode())


@pytest.mark.fuzz
@given(
    data=_TEXTS,
    form=st.sampled_from(["trig", "turtle-messages", "trig-messages"]),
    on_error=st.sampled_from(["fail", "skip"]),
    size=st.sampled_from([None, 3, 40]),
)
def test_text_read_fast_and_slowly(data: bytes, form: str, on_error: str, size: int | None) -> None:
    fast = everything(data, form, on_error, size)
    with without_guesses():
        assert everything(data, form, on_error) == fast
    with slow():
        assert everything(data, form, on_error) == fast


@pytest.mark.fuzz
@given(
    data=_LINES,
    form=st.sampled_from(["nquads", "ntriples-messages", "nquads-messages"]),
    on_error=st.sampled_from(["fail", "skip"]),
    size=st.sampled_from([None, 3, 40]),
)
def test_lines_read_fast_and_slowly(data: bytes, form: str, on_error: str, size: int | None) -> None:
    fast = everything(data, form, on_error, size)
    with slow():
        assert everything(data, form, on_error) == fast


@pytest.mark.fuzz
@given(graphs=streams())
@pytest.mark.parametrize("form", TEXT_FORMATS)
def test_streams_read_fast_and_slowly(form: str, graphs: list[TimedGraph]) -> None:
    out = io.BytesIO()
    write_stream(graphs, out, form)
    fast = everything(out.getvalue(), form, "fail")
    with slow():
        assert everything(out.getvalue(), form, "fail") == fast


@pytest.mark.fuzz
@given(data=_TEXTS)
def test_the_same_bytes_are_quarantined(data: bytes) -> None:
    def kept() -> list[tuple[bytes, bytes]]:
        with tempfile.TemporaryDirectory() as folder:
            everything(data, "trig", f"quarantine:{folder}")
            names = sorted(path.stem for path in Path(folder).glob("*.bin"))
            return [
                (Path(folder, f"{n}.bin").read_bytes(), Path(folder, f"{n}.txt").read_bytes()) for n in names
            ]

    fast = kept()
    with slow():
        assert kept() == fast


def test_the_fast_path_is_taken() -> None:
    good = [f"<urn:g{n}> {P} {n} .\n<urn:g{n}> {{ <urn:a> <urn:p> {n} }}\n" for n in range(3000)]
    good[1500] += "<urn:x> <urn:p> '''" + "x" * 300_000 + "''' .\n"
    data = "".join(good).encode()
    found = list(Cutter("log", 1 << 20).stretches(data[i : i + 65536] for i in range(0, len(data), 65536)))
    assert all(isinstance(stretch, Stretch) for stretch in found)
    assert len(found) < 10
    assert [graph.time for graph in StreamReader(data, "trig")] == list(range(3000))


def test_every_text_format_is_compared() -> None:
    assert set(TEXT_FORMATS) == set(FORMATS) - {"json-lines", "jelly"}
