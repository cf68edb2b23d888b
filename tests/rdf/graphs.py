"""Timed graphs for tests: how they are compared and generated."""

from __future__ import annotations

from fractions import Fraction

import pyoxigraph as ox
from hypothesis import strategies as st

from laser_rdf.rdf import TimedGraph

PROV = "http://www.w3.org/ns/prov#generatedAtTime"
NAMELESS = ("turtle-messages", "ntriples-messages")
XSD = "http://www.w3.org/2001/XMLSchema#"


def ex(name: str) -> ox.NamedNode:
    return ox.NamedNode(f"http://example.org/{name}")


def literal(lexical: str, datatype: str) -> ox.Literal:
    return ox.Literal(lexical, datatype=ox.NamedNode(XSD + datatype))


def canonical(graph: TimedGraph, form: str = "trig") -> tuple[object, ...]:
    """The graph up to blank nodes; a blank name is no name, and some formats have none."""
    home = ox.NamedNode("urn:x:graph")
    name = graph.name
    quads = [ox.Quad(t.subject, t.predicate, t.object, home) for t in graph.triples]
    if isinstance(name, ox.BlankNode) or form in NAMELESS or (form not in ("trig", "nquads") and not quads):
        name = None
    dataset = ox.Dataset(quads)
    dataset.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    triples = frozenset(str(quad.triple) for quad in dataset)
    return graph.time, graph.timestamp, str(name), triples


_TEXT = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
    st.sampled_from(
        [
            "",
            "}",
            '"""',
            "'''",
            "# @message",
            "\nMESSAGE\n",
            "\\",
            "<a> {",
            " .\n",
            "\r\n",
            "\x00",
            "x" * 5000,
        ]
    ),
)
_ODD = [
    *(("01", t) for t in ("integer", "long", "int", "short", "byte", "nonNegativeInteger", "unsignedByte")),
    *((text, "decimal") for text in ("2.50", "1.", ".5", "+0.0", "-00.10", "7")),
    *((text, t) for t in ("double", "float") for text in ("1e5", "01E+5", "INF", "-INF", "NaN", "1.e5", "3")),
    *((text, "boolean") for text in ("true", "1", "TRUE")),
    ("2020-01-01T00:00:00.000Z", "dateTime"),
    ("24:00:00", "time"),
    ("P1Y2M", "duration"),
    (" 5 ", "integer"),
    ("-0", "integer"),
    ("abc", "integer"),
]
_LITERALS = st.one_of(
    st.builds(ox.Literal, _TEXT),
    st.builds(
        lambda text, tag: ox.Literal(text, language=tag), _TEXT, st.sampled_from(["en", "fr-be", "zh-hant"])
    ),
    st.sampled_from(_ODD).map(lambda odd: literal(*odd)),
    st.builds(lambda text: ox.Literal(text, datatype=ex("type")), _TEXT),
)
_IRIS = st.sampled_from(
    [ex("a"), ex("b#c"), ex("d.e"), ex("é"), ox.NamedNode("urn:x:(1)'"), ox.NamedNode("a:")]
)
_BLANKS = st.sampled_from(["b", "b0", "element0", "x.y", "é"]).map(ox.BlankNode)
TRIPLES = st.builds(ox.Triple, st.one_of(_IRIS, _BLANKS), _IRIS, st.one_of(_IRIS, _BLANKS, _LITERALS))
_TIMES = st.one_of(
    st.integers(-(10**6), 10**6).map(lambda time: (time, None)),
    st.integers(-(10**9), 10**12).map(lambda ms: (ms // 1000, _whole(Fraction(ms, 1000)))),
)


def _whole(value: Fraction) -> int | Fraction:
    return value.numerator if value.denominator == 1 else value


@st.composite
def streams(draw: st.DrawFn) -> list[TimedGraph]:
    """A stream in order, each graph with a name of its own or none."""
    times = sorted(draw(st.lists(_TIMES, max_size=4)), key=lambda time: time[0])
    graphs = []
    for number, (time, timestamp) in enumerate(times):
        triples = tuple(dict.fromkeys(draw(st.lists(TRIPLES, max_size=5))))
        name = ex(f"g{number}") if draw(st.booleans()) else None
        graphs.append(TimedGraph(time, triples, timestamp, name))
    return graphs
