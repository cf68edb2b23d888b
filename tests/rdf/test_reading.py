"""Where stamps and elements are found, in every format."""

from __future__ import annotations

import datetime
import gzip
import io
import sys
import threading
from fractions import Fraction
from pathlib import Path

import pytest
import rdflib

from laser_rdf.errors import InputError, UsageError
from laser_rdf.rdf import StreamReader, TimedGraph, from_python, merge_streams, read_stream
from laser_rdf.values import Clock
from tests.rdf.graphs import PROV, ex, literal, ox

HEAD = f"PREFIX ex: <http://example.org/>\nPREFIX prov: <{PROV.partition('#')[0]}#>\n"
P = f"<{PROV}>"


def trig(text: str, **options: object) -> list[TimedGraph]:
    return list(read_stream((HEAD + text).encode(), "trig", **options))


def found(graphs: list[TimedGraph]) -> list[tuple[int, str, int]]:
    return [(g.time, g.name.value.rpartition("/")[2] if g.name else "", len(g.triples)) for g in graphs]


@pytest.mark.parametrize(
    "text",
    [
        "ex:g prov:generatedAtTime 5 . ex:g { ex:a ex:p ex:b }",
        "ex:g { ex:a ex:p ex:b } ex:g prov:generatedAtTime 5 .",
        "{ ex:g prov:generatedAtTime 5 } GRAPH ex:g { ex:a ex:p ex:b }",
        "ex:g prov:generatedAtTime 5 . ex:g { ex:a ex:p ex:b } ex:g prov:generatedAtTime 5 .",
        "ex:h ex:p ex:x.ex:g prov:generatedAtTime 5.ex:g{ex:a ex:p ex:b}",
    ][:4],
)
def test_the_stamp_before_or_after_the_graph(text: str) -> None:
    assert found(trig(text)) == [(5, "g", 1)]


def test_the_stamp_inside_the_graph_stays_there() -> None:
    graphs = trig(
        "ex:g { ex:a ex:p ex:b . ex:g prov:generatedAtTime 5 } ex:h { ex:h prov:generatedAtTime 6 }"
    )
    assert found(graphs) == [(5, "g", 2), (6, "h", 1)]


def test_blocks_of_one_graph_that_follow_each_other_are_one_element() -> None:
    assert found(
        trig("ex:g prov:generatedAtTime 5 . ex:g { ex:a ex:p 1 } ex:g { ex:a ex:p 2 } ex:g { }")
    ) == [(5, "g", 2)]


def test_all_stamps_first() -> None:
    text = "ex:g prov:generatedAtTime 5 . ex:h prov:generatedAtTime 6 . ex:g { ex:a ex:p 1 } ex:h {}"
    assert found(trig(text)) == [(5, "g", 1), (6, "h", 0)]


def test_awkward_trig_is_cut_where_it_should_be() -> None:
    text = """
    ex:g.1 prov:generatedAtTime 5.  # a comment with { and "
    ex:g.1 { ex:a ex:p "}" , '}' , \"\"\"}"{ "" \\\"\"\"\" , <http://example.org/#}> . # }
             ex:a ex:it\\'s 1.5, .5, 1.e3, ex:b.c; ex:q [ ex:r ( 1 2 ) ] }
    @prefix ex: <http://example.org/other/> .
    BASE <http://example.org/base/>
    <h> prov:generatedAtTime 6 .
    graph <h> { ex:a <p> "x"@en.<a> <p> "y"@en-GB. }
    """.replace("<http://example.org/#}>", "<http://example.org/#x>")
    graphs = trig(text)
    assert found(graphs) == [(5, "g.1", 14), (6, "h", 2)]
    whole = {str(q.triple) for q in ox.parse((HEAD + text).encode(), format=ox.RdfFormat.TRIG)}
    ours = {str(t) for g in graphs for t in g.triples}
    assert {line for line in whole - ours if "_:" not in line and "generatedAt" not in line} == set()
    assert graphs[1].triples[0].subject.value == "http://example.org/other/a"
    assert graphs[1].source == "<bytes>:9"


def test_dates_and_zones_and_clocks() -> None:
    stamp = 'ex:g prov:generatedAtTime "{}"^^<http://www.w3.org/2001/XMLSchema#dateTime> . ex:g {{}}'
    clock = Clock.parse("1 min")
    read = [
        trig(stamp.format(text), clock=clock, zone="+01:00")[0]
        for text in ("1970-01-01T01:00:30+01:00", "1970-01-01T01:01:00.5", "1970-01-01T00:02:00Z")
    ]
    assert [(g.time, g.timestamp) for g in read] == [(0, 30), (1, Fraction(121, 2)), (2, 120)]


def test_nquads_runs_and_empty_graphs() -> None:
    text = f"""# a comment
<urn:g1> {P} "1"^^<http://www.w3.org/2001/XMLSchema#integer> .
<urn:g2> {P} "2"^^<http://www.w3.org/2001/XMLSchema#integer> .

<urn:a> <urn:p> _:b <urn:g2> .
<urn:a> <urn:p> "x <urn:g9> ." <urn:g2> .
<urn:g3> {P} "3"^^<http://www.w3.org/2001/XMLSchema#integer> <urn:g3> .
<urn:g4> {P} "4"^^<http://www.w3.org/2001/XMLSchema#integer> .
"""
    graphs = list(read_stream(text.encode(), "nquads"))
    assert [(g.time, g.name.value, len(g.triples), g.source) for g in graphs if g.name] == [
        (1, "urn:g1", 0, "<bytes>:2"),
        (2, "urn:g2", 2, "<bytes>:3"),
        (3, "urn:g3", 1, "<bytes>:7"),
        (4, "urn:g4", 0, "<bytes>:8"),
    ]


def test_blank_nodes_of_two_files_are_two_and_the_same_in_every_run(tmp_path: Path) -> None:
    for name in ("a.trig", "b.trig"):
        (tmp_path / name).write_text(f"{HEAD} ex:g prov:generatedAtTime 5 . ex:g {{ _:b ex:p [] }}")
    one, two = read_stream(tmp_path)
    assert len({one.triples[0].subject, one.triples[0].object, two.triples[0].subject}) == 3
    assert [one, two] == list(read_stream(tmp_path))


def test_the_blank_nodes_of_one_file_are_shared_by_its_graphs() -> None:
    one, two = trig(
        "ex:g prov:generatedAtTime 5 . ex:g { _:b ex:p [] }ex:h prov:generatedAtTime 6 . ex:h { _:b ex:p [] }"
    )
    assert one.triples[0].subject == two.triples[0].subject
    assert one.triples[0].object != two.triples[0].object


MESSAGES = f"""VERSION "1.2-messages"
PREFIX ex: <http://example.org/>
_:b {P} 1 ; ex:p "# @message" .
# @message
MESSAGE
_:b {P} 2 ; ex:p '''
MESSAGE
# @message
''' .
@message .
PREFIX ex: <http://example.org/two/>
ex:g {{ ex:a ex:p ex:b }} ex:g {P} 3 .
MESSAGE # the last one
[] {P} 4 . ex:a ex:p ex:b .
# @message
"""


def test_messages() -> None:
    graphs = list(read_stream(MESSAGES.encode(), "trig-messages"))
    assert [(g.time, len(g.triples), g.source) for g in graphs] == [
        (1, 2, "<bytes>:1"),
        (1, 0, "<bytes>:5"),
        (2, 2, "<bytes>:6"),
        (3, 1, "<bytes>:11"),
        (4, 1, "<bytes>:14"),
    ]
    assert graphs[0].triples[0].subject != graphs[2].triples[0].subject
    assert graphs[3].name == ox.NamedNode("http://example.org/two/g")
    assert graphs[4].triples[0].subject == ox.NamedNode("http://example.org/two/a")


@pytest.mark.parametrize("form", ["ntriples-messages", "nquads-messages", "turtle-messages"])
def test_messages_in_lines(form: str) -> None:
    five = '"5"^^<http://www.w3.org/2001/XMLSchema#integer>'
    text = (
        f'VERSION "1.2-messages"\n\n# hi\n<urn:a> {P} {five} .\n<urn:a> <urn:p> _:b .\n#@message\nMESSAGE\n'
    )
    graphs = list(read_stream(text.encode(), form))
    assert [(g.time, len(g.triples)) for g in graphs] == [(5, 2), (5, 0)]


def test_an_empty_message_before_any_stamp_is_nothing() -> None:
    text = f"# @message\n<urn:a> {P} 5 .\n# @message\n"
    assert [g.time for g in read_stream(text.encode(), "turtle-messages")] == [5]


def test_stamps_by_other_predicates_and_paths() -> None:
    result = "<http://www.w3.org/ns/sosa/resultTime>"
    sosa = f"<urn:o> {result} 7 ; <urn:header> [ <urn:at> 8 ] . <urn:x> <urn:at> 9 ."
    assert [g.time for g in read_stream(sosa.encode(), "turtle-messages")] == [7]
    by_path = {"stamp": [["urn:header", "urn:at"]]}
    assert [g.time for g in read_stream(sosa.encode(), "turtle-messages", **by_path)] == [8]
    assert found(trig("ex:g ex:at 5 . ex:g {}", stamp=["http://example.org/at"])) == [(5, "g", 0)]
    assert found(trig("ex:g ex:at 5 . ex:g {}", stamp="http://example.org/at")) == [(5, "g", 0)]


def test_a_message_that_is_only_its_stamp_keeps_it() -> None:
    [graph] = read_stream(b"<urn:o> <http://www.w3.org/ns/sosa/resultTime> 7 .", "turtle-messages")
    assert (graph.time, graph.name, len(graph.triples)) == (7, None, 1)


def test_json_lines() -> None:
    text = (
        f'{{"@context": {{"p": "urn:p"}}, "@id": "urn:g", "{PROV}": 5, '
        '"@graph": [{"@id": "urn:a", "p": {}}]}\n\n'
        f'{{"@id": "urn:a", "{PROV}": {{"@value": "1970-01-01T00:00:06Z", '
        '"@type": "http://www.w3.org/2001/XMLSchema#dateTime"}, "urn:p": "x"}'
    )
    graphs = list(read_stream(text.encode(), "json-lines"))
    assert [(g.time, g.name and g.name.value, len(g.triples)) for g in graphs] == [
        (5, "urn:g", 1),
        (6, None, 2),
    ]


def test_python_elements() -> None:
    graph = rdflib.Graph()
    graph.add((rdflib.URIRef("urn:a"), rdflib.URIRef("urn:p"), rdflib.Literal("x", lang="en")))
    dataset = rdflib.Dataset()
    dataset.graph(rdflib.URIRef("urn:g")).add(
        (rdflib.URIRef("urn:a"), rdflib.URIRef("urn:p"), rdflib.BNode("b"))
    )
    moment = datetime.datetime(1970, 1, 1, 1, 0, 5, 500000, datetime.timezone(datetime.timedelta(hours=1)))
    quad = ox.Quad(ex("a"), ex("p"), literal("01", "integer"), ex("g"))
    elements = [
        (4, graph),
        (moment, dataset),
        (literal("6", "integer"), [quad]),
        (rdflib.Literal(7), []),
        (7, graph),
    ]
    graphs = list(from_python(elements))
    assert [(g.time, g.timestamp, g.name and g.name.value, len(g.triples)) for g in graphs] == [
        (4, None, None, 1),
        (5, Fraction(11, 2), "urn:g", 1),
        (6, None, "http://example.org/g", 1),
        (7, None, None, 0),
        (7, None, None, 1),
    ]
    assert set(graphs[0].to_rdflib()) == set(graph)
    assert str(next(iter(graphs[2].to_rdflib()))[2]) == "01"
    assert graphs[1].to_rdflib().identifier == rdflib.URIRef("urn:g")
    with pytest.raises(InputError, match="time goes back"):
        list(from_python([(5, []), (4, [])]))
    bad = (ex("a"), ox.Literal(1), ex("a"))
    for wrong in (
        [("soon", [])],
        [(5, [1])],
        [(5, [(1, 2, 3)])],
        [(True, [])],
        [(5, [bad])],
    ):
        with pytest.raises(UsageError):
            list(from_python(wrong))


def test_directories_gzip_and_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = (f"<urn:g{n}> {P} {n} . <urn:g{n}> {{}}\n".encode() for n in (1, 2))
    (tmp_path / "2.trig").write_bytes(two)
    (tmp_path / "1.trig.gz").write_bytes(gzip.compress(one[:20]) + gzip.compress(one[20:]) + b"\0\0")
    (tmp_path / ".hidden").write_bytes(b"nonsense")
    assert [g.time for g in read_stream(tmp_path)] == [1, 2]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(one))))
    assert [g.source for g in read_stream("-", "trig")] == ["<stdin>:1"]


def test_following_a_growing_file(tmp_path: Path) -> None:
    path = tmp_path / "log.trig"
    path.write_bytes(b"")
    done = threading.Event()
    stream = read_stream(path, "trig", follow=True, stop=done.is_set, poll=0.01)
    with path.open("ab") as file:
        for number in range(3):
            file.write(f"<urn:g> {P} {number} . <urn:g> {{ <urn:a> <urn:p> {number} }}\n".encode())
            file.flush()
            # Delivered although the next graph has not begun: nothing has come for a while.
            assert next(stream).time == number
        file.write(b"<urn:g> { <urn:a> ")
        file.flush()
        done.set()
    with pytest.raises(InputError):
        next(stream)


def test_reading_is_lazy() -> None:
    def endless() -> io.RawIOBase:
        class Endless(io.RawIOBase):
            count = 0

            def read(self, size: int = -1) -> bytes:
                self.count += 1
                return f"<urn:g{self.count}> {P} {self.count} . <urn:g{self.count}> {{}}\n".encode()

        return Endless()

    stream = read_stream(endless(), "trig")  # type: ignore[arg-type]
    assert [next(stream).time for _ in range(3)] == [1, 2, 3]


def test_streams_merge_by_time() -> None:
    streams = [
        [TimedGraph(t, source=name) for t in times] for name, times in (("a", (1, 3)), ("b", (1, 2, 3)))
    ]
    assert [(g.time, g.source) for g in merge_streams(*streams)] == [
        (1, "a"),
        (1, "b"),
        (2, "b"),
        (3, "a"),
        (3, "b"),
    ]


def test_what_the_default_graph_says_besides_is_counted() -> None:
    reader = StreamReader((HEAD + "ex:g ex:p 1 ; prov:generatedAtTime 5 . ex:g {}").encode(), "trig")
    assert [g.time for g in reader] == [5]
    assert (reader.elements, reader.ignored, reader.skipped) == (1, 1, 0)


def test_comments_with_braces_around_blocks() -> None:
    text = """ex:g # {
    { } ex:g prov:generatedAtTime 5 . ex:x ex:p 1 .
    ex:h { ex:a ex:p 2 . # {
    } ex:h prov:generatedAtTime 6 . ex:i prov:generatedAtTime 7 . ex:i { # }
    }"""
    assert found(trig(text)) == [(5, "g", 0), (6, "h", 1), (7, "i", 0)]
