"""vocab/laser.ttl defines exactly the terms that the code emits, and says what they are."""

from __future__ import annotations

import re
from pathlib import Path

import pyoxigraph as ox
import pytest

from laser_rdf.errors import UsageError
from laser_rdf.rdf import vocabulary
from laser_rdf.rdf.emit_graph import Emission
from laser_rdf.values import OWL, RDF, RDFS

ROOT = Path(__file__).parents[2]
TRIPLES = [
    quad.triple for quad in ox.parse(path=str(ROOT / "vocab" / "laser.ttl"), format=ox.RdfFormat.TURTLE)
]
DEFINED = {
    t.subject.value
    for t in TRIPLES
    if isinstance(t.subject, ox.NamedNode) and t.subject.value.startswith(vocabulary.LASER)
}
PROPERTIES = {
    t.subject.value
    for t in TRIPLES
    if t.object.value in (OWL + "ObjectProperty", OWL + "DatatypeProperty", RDF + "Property")
}


def objects(term: str, predicate: str) -> list[object]:
    return [t.object for t in TRIPLES if t.subject == ox.NamedNode(term) and t.predicate.value == predicate]


def test_every_term_that_is_emitted_is_defined_and_no_other():
    assert DEFINED == vocabulary.LASER_TERMS


def test_the_constants_of_the_module_are_the_terms():
    constants = {
        value
        for name, value in vars(vocabulary).items()
        if isinstance(value, str) and value.startswith(vocabulary.LASER) and name != "LASER"
    }
    arguments = {vocabulary.argument(n) for n in range(1, vocabulary.MAX_ARGUMENTS + 1)}
    assert constants | arguments == vocabulary.LASER_TERMS
    assert {policy.iri for policy in Emission} <= vocabulary.LASER_TERMS


def test_no_other_module_spells_a_term_of_the_namespace():
    spelled = re.compile(re.escape(vocabulary.LASER))
    for path in (ROOT / "laser_rdf").rglob("*.py"):
        code = re.sub(r'"""(?:[^"]|"(?!""))*"""', "", path.read_text(encoding="utf-8"))
        assert path.name == "vocabulary.py" or not spelled.search(code), path


@pytest.mark.parametrize("term", sorted(DEFINED))
def test_a_term_has_label_and_comment(term):
    [label] = objects(term, RDFS + "label")
    [comment] = objects(term, RDFS + "comment")
    assert label.language == comment.language == "en"
    assert label.value
    assert comment.value.endswith(".")
    assert objects(term, RDF + "type")
    assert objects(term, RDFS + "isDefinedBy") == [ox.NamedNode(vocabulary.LASER.removesuffix(":"))]


@pytest.mark.parametrize("term", sorted(PROPERTIES))
def test_a_property_has_domain_and_range(term):
    assert len(objects(term, RDFS + "domain")) == 1
    assert len(objects(term, RDFS + "range")) == 1


def test_terms_of_the_namespace_that_are_mentioned_are_defined():
    terms = {term for t in TRIPLES for term in (t.predicate, t.object) if isinstance(term, ox.NamedNode)}
    assert {term.value for term in terms if term.value.startswith(vocabulary.LASER)} <= DEFINED


def test_it_builds_on_owl_time():
    assert objects(vocabulary.ANSWER_INTERVAL, RDFS + "subClassOf") == [
        ox.NamedNode(vocabulary.TIME + "ProperInterval")
    ]


@pytest.mark.parametrize("place", [0, vocabulary.MAX_ARGUMENTS + 1])
def test_an_argument_without_a_property_is_refused(place):
    with pytest.raises(UsageError, match="over 32 arguments"):
        vocabulary.argument(place)
