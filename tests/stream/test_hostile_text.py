"""Text that would like to be SPARQL arrives as text, in real stores."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

import pyoxigraph as ox
import pytest
from hypothesis import HealthCheck, assume, given
from hypothesis import settings as configured
from hypothesis import strategies as st

from laser_rdf.errors import SinkError, UsageError
from laser_rdf.rdf.emit_graph import ResultGraph
from laser_rdf.stream import Sink, open_sink
from laser_rdf.stream.lines import lines
from tests.stream.results import EX, ex, result
from tests.stream.servers import Store

SPARQL = [
    '" } } ; DROP ALL ; INSERT DATA { GRAPH <urn:x> { <urn:a> <urn:b> "',
    "' } } ; CLEAR ALL #",
    '"""',
    "'''",
    "\\",
    '\\"',
    "\\u0022 } } ; DROP ALL #",
    "\\\\u0022",
    "\\U0001F600",
    "\\n",
    "> <urn:b> <urn:c> . } } ; DROP ALL #",
    "?g $x ?s ?p ?o",
    "# comment",
    "<html><body>",
    "@prefix : <urn:> .",
    "<?xml version='1.0'?><rdf:RDF/>",
    "\r\n .\n",
    "\x00\x01\x1f\x7f\x85\u2028\ufeff\uffff",
    "%22%3E%0A",
    "{{{}}}",
]
TEXT = st.lists(
    st.one_of(st.sampled_from(SPARQL), st.text(st.characters(exclude_categories=["Cs"]), max_size=6)),
    max_size=5,
).map("".join)
# What an IRI may hold: no quote and no backslash, but everything else that means something in SPARQL.
IRI_TEXT = st.lists(
    st.sampled_from(["DROP", "%20", "%3E", *"'();,.*$?&=#%!~@:/[]-+_aé温\u00a0\U0001f600"]), max_size=12
).map("".join)


def _iri(text: str) -> ox.NamedNode | None:
    try:
        return ox.NamedNode(f"{EX}x/{text}")
    except ValueError:
        return None


IRIS = IRI_TEXT.map(_iri).filter(lambda node: node is not None)
LITERALS = st.one_of(
    st.builds(ox.Literal, TEXT),
    st.builds(lambda text: ox.Literal(text, language="en-gb"), TEXT),
    st.builds(lambda text, node: ox.Literal(text, datatype=node), TEXT, IRIS),
)
TRIPLES = st.lists(st.builds(ox.Triple, IRIS, IRIS, st.one_of(IRIS, LITERALS)), max_size=6, unique=True)

Send = Callable[[str, ResultGraph], None]


@pytest.fixture(scope="module")
def send() -> Iterator[Send]:
    """Writes a graph, with one sink for all examples."""
    sinks: dict[str, Sink] = {}

    def write(target: str, graph: ResultGraph) -> None:
        sink = sinks.pop(target, None) or open_sink(target, batch=1)
        try:
            sink.write(graph)
        except SinkError:
            with contextlib.suppress(SinkError):
                sink.close()
            raise
        sinks[target] = sink  # not when it failed: it would fail again with the next

    yield write
    for sink in sinks.values():
        sink.close()


hostile = configured(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.mark.fuzz
@hostile
@given(triples=TRIPLES)
def test_text_arrives_as_itself(send: Send, way: tuple[Store, str], triples: list[ox.Triple]) -> None:
    store, target = way
    graph = result(f"{EX}hostile", triples)
    send(target, graph)
    assert store.graph(graph.iri) == {*triples, *graph.metadata}


@pytest.mark.fuzz
@hostile
@given(name=IRIS)
def test_graphs_may_have_odd_names(send: Send, way: tuple[Store, str], name: ox.NamedNode) -> None:
    store, target = way
    if store.name == "virtuoso" and target.startswith("gsp"):
        assume("'" not in name.value)  # it puts names into SQL as they are; see docs/sinks.md
    graph = result(name.value, [ox.Triple(ex("a"), ex("b"), ex("c"))])
    send(target, graph)
    assert store.graph(graph.iri) == {*graph.triples, *graph.metadata}


def test_triple_terms(oxigraph: Store) -> None:
    nested = ox.Triple(ex("a"), ex("p"), ox.Triple(ex("a"), ex("p"), ox.Literal('} "')))
    for target in (f"sparql:{oxigraph.update_url}", f"gsp:{oxigraph.graphs_url}"):
        graph = result(f"{EX}nested/{target[:3]}", [nested])
        with open_sink(target) as sink:
            sink.write(graph)
        assert nested in oxigraph.graph(graph.iri)


def lenient(iri: bytes) -> ox.NamedNode:
    """An IRI that is none, as a parser that does not look gives it."""
    [quad] = ox.parse(b"<urn:a> <urn:p> <%s> ." % iri, format=ox.RdfFormat.N_TRIPLES, lenient=True)
    assert isinstance(quad.object, ox.NamedNode)
    return quad.object


@pytest.mark.parametrize(
    "iri", [b"urn:x\\u003E } } ; DROP ALL #", b'urn:"', b"urn:\\u0020x", b"urn:{}", b"urn:\\u000A"]
)
def test_an_iri_that_is_none_is_refused(iri: bytes) -> None:
    node = lenient(iri)
    fine = ox.Triple(ex("a"), ex("p"), ex("b"))
    for bad in (
        ox.Triple(node, ex("p"), ex("b")),
        ox.Triple(ex("a"), node, ex("b")),
        ox.Triple(ex("a"), ex("p"), node),
        ox.Triple(ex("a"), ex("p"), ox.Literal("x", datatype=node)),
        ox.Triple(ex("a"), ex("p"), ox.Triple(ex("a"), ex("p"), node)),
    ):
        with pytest.raises(SinkError, match="cannot be written"):
            lines([fine, bad, fine])
    sink = open_sink(print, mode="state")
    with pytest.raises(SinkError, match="not an IRI"):
        sink.update(node, [fine])


@pytest.mark.parametrize(
    "text",
    [
        "<urn:a> <urn:p> <urn:b> . # DROP\n",
        "<urn:a> <urn:p> <urn:b>",
        "<urn:a> <urn:p> ?x .\n",
        "<urn:a> <urn:p> 5 .\n",
        '<urn:a> <urn:p> "a\\q" .\n<urn:a>',
        "}\n",
        '<urn:a> <urn:p> "x"@en @en .\n',
        "\n",
    ],
)
def test_text_that_is_no_triples_is_refused(text: str) -> None:
    with pytest.raises(SinkError, match="cannot be written"):
        lines(text)


def test_blank_nodes_are_refused() -> None:
    with pytest.raises(UsageError, match="blank node"):
        lines([ox.Triple(ox.BlankNode("b"), ex("p"), ex("o"))])


@given(triples=TRIPLES)
def test_lines_say_the_triples(triples: list[ox.Triple]) -> None:
    found = [quad.triple for quad in ox.parse(lines(triples), format=ox.RdfFormat.N_TRIPLES)]
    assert found == triples
