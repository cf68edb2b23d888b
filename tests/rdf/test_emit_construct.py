"""CONSTRUCT templates: the same triples as pyoxigraph makes, names that stay, and errors with their place."""

from __future__ import annotations

import contextlib
import re

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laser_rdf.check import Predicate
from laser_rdf.errors import InputError, UsageError
from laser_rdf.rdf import Interner
from laser_rdf.rdf.construct import ConstructTemplate
from laser_rdf.rdf.emit import Emitter
from tests.rdf.graphs import ex

PREFIX = "PREFIX ex: <http://example.org/>\n"
NODES = [ex(name) for name in "abc"]
GRAPHS = st.lists(
    st.builds(
        ox.Triple,
        st.sampled_from(NODES),
        st.sampled_from([ex("p"), ex("q")]),
        st.sampled_from([*NODES, ox.Literal("x } {"), ox.Literal(1)]),
    ),
    max_size=6,
    unique=True,
)
QUERIES = [
    "CONSTRUCT { ?x ex:r ?y } WHERE { ?x ex:p ?y }",
    "CONSTRUCT { ?y ex:r ?x . } WHERE { ?x ex:p ?y }",  # a literal is no subject
    "CONSTRUCT WHERE { ?x ex:p ?y . ?x ex:q ?z . }",
    "CONSTRUCT { ?x a ex:C ; ex:r ?z , 'a}b' ; . # } {\n } WHERE { ?x ex:p ?y OPTIONAL { ?x ex:q ?z } }",
    "CONSTRUCT { [] ex:of $x ; ex:value ?y } WHERE { ?x ex:p ?y }",
    "CONSTRUCT { _:b ex:of ?x . _:b ex:value ?y . ex:a ex:r _:b } { ?x ex:p|ex:q ?y FILTER(isIRI(?y)) }",
    "CONSTRUCT { ?x ex:list (?y 1 true -2.5e0 '''l\"ong''' 'a'@en) } { ?x ex:p ?y }",
    "CONSTRUCT { ?x ?p ?n } { { SELECT ?x ?p (COUNT(*) AS ?n) { ?x ?p ?y } GROUP BY ?x ?p } }",
    "CONSTRUCT { ?x ex:says <<( ?x ex:p ?y )>> } WHERE { ?x ex:p ?y }",
    "CONSTRUCT { } WHERE { ?x ex:p ?y }",
    "CONSTRUCT { ?x ex:service ?y } WHERE { ?x ex:p ?y . # SERVICE FROM\n FILTER(?y != 'NOW() GRAPH') }",
    "BASE <http://example.org/>\nCONSTRUCT { ?x <r> <> } WHERE { ?x <p> ?y } VALUES ?y { <a> <b> }",
    "construct{?x ex:r ?y}where{?x ex:p ?y}",
]


@pytest.mark.parametrize("query", QUERIES)
@given(GRAPHS)
def test_it_makes_what_pyoxigraph_makes(query, graph):
    store = ox.Store()
    store.extend(ox.Quad(*triple) for triple in graph)
    expected = isomorphic(store.query(PREFIX + query))
    made = ConstructTemplate(PREFIX + query).apply(map(str, graph))
    lines = "".join(f"{' '.join(triple)} .\n" for triple in made)
    blank = re.sub("<urn:laser:fresh:([0-9a-f]+)>", r"_:\1", lines)
    assert isomorphic(quad.triple for quad in ox.parse(blank, format=ox.RdfFormat.N_TRIPLES)) == expected


def isomorphic(triples) -> frozenset[str]:
    dataset = ox.Dataset(ox.Quad(*triple) for triple in triples)
    dataset.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    return frozenset(map(str, dataset))


def test_a_blank_node_has_one_name_for_each_solution():
    template = ConstructTemplate(PREFIX + "CONSTRUCT { [] ex:of ?x } WHERE { ?x ex:p ?y }")
    one, two = (f"{ex('a')} {ex('p')} {ex(name)}" for name in ("b", "c"))
    first, both = template.apply([one]), template.apply([two, one])
    assert len(first) == 1
    assert len(both) == 2
    assert set(first) < set(both)
    assert all(subject.startswith("<urn:laser:fresh:") for subject, _, _ in both)


def test_an_emitter_applies_it():
    a = Interner().value(ex("a"))
    template = ConstructTemplate(PREFIX + "CONSTRUCT { ?x a ex:Alarm } WHERE { ?x a ex:Hot }")
    emitter = Emitter("p", template=template)
    [graph] = emitter.emit(1, [(Predicate(ex("Hot").value, 1), [(a,)])])
    assert [triple.object for triple in graph.triples] == [ex("Alarm")]
    assert emitter.emit(2, [(Predicate(ex("Cold").value, 1), [(a,)])]) == []


@pytest.mark.parametrize(
    ("query", "place", "said"),
    [
        ("SELECT * { ?x ?p ?y }", "1:1", "not a CONSTRUCT query"),
        ("", "1:1", "not a CONSTRUCT query"),
        ("CONSTRUCT { ?x a ?y } WHERE {\n  SERVICE <http://127.0.0.1:1/> { ?x a ?y } }", "2:3", "`SERVICE`"),
        (
            "CONSTRUCT { ?x a ?y } WHERE {\n ?x a ?z FILTER EXISTS { graph ?g { ?x a ?y } } }",
            "2:26",
            "`graph`",
        ),
        ("CONSTRUCT { ?x a ?y }\nFROM <http://example.org/> WHERE { ?x a ?y }", "2:1", "`FROM`"),
        ("CONSTRUCT { ?x a ?y } WHERE { ?x a ?y BIND(NOW() AS ?t) }", "1:44", "`NOW`"),
        ("CONSTRUCT { ?x a ?x } WHERE { ?x a ?y } GROUP BY ?x", "1:41", "`GROUP`"),
        ("CONSTRUCT { ?x a \\u0053 }", "1:18", "escape"),
        ("CONSTRUCT { ?x a ?y }\nWHERE { ?x a }", "2:15", "not SPARQL"),
        ("CONSTRUCT { ?x a no:y } WHERE { ?x a ?y }", "1:22", "Prefix not found"),
        ("CONSTRUCT { ?x a ?y } WHERE { ?x a ?y", "1:38", "not SPARQL"),
        ("CONSTRUCT " + "{" * 5000, "1:111", "nested over 100 deep"),
    ],
)
def test_errors_have_their_place(query, place, said):
    with pytest.raises(InputError) as caught:
        ConstructTemplate(query, "queries/x.rq")
    message = str(caught.value)
    assert message.startswith(f"queries/x.rq:{place}: error[I101]: ")
    assert said in message


def test_a_file(tmp_path):
    path = tmp_path / "x.rq"
    path.write_text("CONSTRUCT WHERE { ?x <urn:p> ?y }")
    assert len(ConstructTemplate.read(path).apply(["<urn:a> <urn:p> <urn:b>"])) == 1
    with pytest.raises(UsageError, match="No such file"):
        ConstructTemplate.read(tmp_path / "none.rq")
    path.write_bytes(b"\xff")
    with pytest.raises(UsageError, match="not UTF-8"):
        ConstructTemplate.read(path)


@given(st.text(st.sampled_from("CONSTRUCT WHERE{}()[]<>?x.;,'\"#\\\n:a1@_")))
def test_whatever_the_text_the_error_is_ours(text):
    with contextlib.suppress(InputError):
        ConstructTemplate(f"CONSTRUCT {{ {text}").apply([])
