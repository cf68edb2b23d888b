"""RDFS entailment: W3C's tests where they are at hand, and small cases for the same rules always."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pyoxigraph as ox
import pytest

from tests.entail.conformance import FOLDER, NEED_DATATYPES, PAGE, cases, entailed, judge, page

needs_data = pytest.mark.skipif(not FOLDER.exists(), reason="the W3C tests are not at hand")

PREFIXES = """
PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
PREFIX : <http://example.org/>
"""


@needs_data
@pytest.mark.parametrize("case", cases() if FOLDER.exists() else [], ids=lambda case: case.name)
def test_w3c(case) -> None:
    outcome = judge(case)
    if outcome.entailed is None:
        assert case.name == "same-as-one"  # its entry names files that do not exist
    elif case.name in NEED_DATATYPES:
        assert case.positive
        assert not outcome.entailed, "no longer needs to be on the list"
    else:
        assert outcome.passed


@needs_data
def test_the_page_is_current(golden: Callable[[Path, str], None]) -> None:
    golden(PAGE, page([judge(case) for case in cases()]))


def test_the_list_of_the_page_has_no_other_names() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert all(f"| {name} | {reason} |" in text for name, reason in NEED_DATATYPES.items())
    assert "**failed**" not in text


ENTAILED = {
    "rdf1": (":s :p :o", ":p a rdf:Property"),
    "rdfs1": ("", "xsd:string a rdfs:Resource"),
    "rdfs2": (":p rdfs:domain :C . :s :p :o", ":s a :C"),
    "rdfs3": (":p rdfs:range :C . :s :p :o", ":o a :C"),
    "rdfs3 through blank property": (":p rdfs:subPropertyOf _:q . _:q rdfs:range :C . :s :p :o", ":o a :C"),
    "rdfs4a": (":s :p :o", ":s a rdfs:Resource"),
    "rdfs4b": (":s :p 5", ":s :p _:x . _:x a rdfs:Resource"),
    "rdfs5": (":p rdfs:subPropertyOf :q . :q rdfs:subPropertyOf :r", ":p rdfs:subPropertyOf :r"),
    "rdfs6": (":p a rdf:Property", ":p rdfs:subPropertyOf :p"),
    "rdfs7": (":p rdfs:subPropertyOf :q . :s :p :o", ":s :q :o"),
    "rdfs8": (":C a rdfs:Class", ":C rdfs:subClassOf rdfs:Resource"),
    "rdfs9": (":C rdfs:subClassOf :D . :s a :C", ":s a :D"),
    "rdfs10": (":C a rdfs:Class", ":C rdfs:subClassOf :C"),
    "rdfs10 by use": (":s a :C", ":C rdfs:subClassOf :C"),
    "rdfs11": (":C rdfs:subClassOf :D . :D rdfs:subClassOf :E", ":C rdfs:subClassOf :E"),
    "rdfs12": (":s rdf:_7 :o", ":s rdfs:member :o . rdf:_7 rdfs:subPropertyOf rdfs:member"),
    "rdfs12 from nothing": ("", "rdf:_41 a rdfs:ContainerMembershipProperty"),
    "rdfs13": (":D a rdfs:Datatype", ":D rdfs:subClassOf rdfs:Literal"),
    "cycle": (":C rdfs:subClassOf :D . :D rdfs:subClassOf :C . :s a :C", ":s a :D"),
    "axiom": ("", "rdfs:subClassOf rdfs:domain rdfs:Class"),
    "axiom used": (":C rdfs:subClassOf :D", ":D a rdfs:Class"),
    "one blank node twice": (":s :p :o . :o :q :s", ":s :p _:x . _:x :q _:y . _:y :p _:x"),
    "blank node for a literal": (':s :p "x"', ":s :p _:x"),
    "plain literal is xsd:string": (':s :p "x"', ':s :p "x"^^xsd:string'),
    "language in other case": (':s :p "x"@EN-us', ':s :p "x"@en-US'),
}

NOT_ENTAILED = {
    "domain is not extensional": (":s :p :o . :s a :C", ":p rdfs:domain :C"),
    "range does not climb": (":p rdfs:range :C . :C rdfs:subClassOf :D", ":p rdfs:range :D"),
    "subclass does not go down": (":C rdfs:subClassOf :D . :s a :D", ":s a :C"),
    "member is not rdf:_1": (":s rdfs:member :o", ":s rdf:_1 :o"),
    "reified is not said": (
        ":t a rdf:Statement ; rdf:subject :s ; rdf:predicate :p ; rdf:object :o",
        ":s :p :o",
    ),
    "said is not reified": (":s :p :o", "_:t rdf:subject :s ; rdf:predicate :p ; rdf:object :o"),
    "blank node must be one thing": (":s :p :a . :b :q :o", ":s :p _:x . _:x :q :o"),
    "language matters": (':s :p "x"@en', ':s :p "x"@fr'),
    "language or none": (':s :p "x"@en', ':s :p "x"'),
    "ill-typed by a datatype nobody knows": (':s :p "x"^^:dt', ":s :p _:x . _:x a :dt"),
}


def parsed(text: str) -> list[ox.Triple]:
    return [quad.triple for quad in ox.parse(PREFIXES + text + (" ." if text else ""), ox.RdfFormat.TURTLE)]


@pytest.mark.parametrize("name", ENTAILED)
def test_entailed(name: str) -> None:
    premise, conclusion = map(parsed, ENTAILED[name])
    assert entailed(premise, conclusion, "rdfs")


@pytest.mark.parametrize("name", NOT_ENTAILED)
def test_not_entailed(name: str) -> None:
    premise, conclusion = map(parsed, NOT_ENTAILED[name])
    assert not entailed(premise, conclusion, "rdfs")


def test_an_inconsistent_premise_entails_everything() -> None:
    premise = parsed(":s a <http://www.w3.org/2002/07/owl#Nothing>")
    assert entailed(premise, parsed(":any :thing :else"), "owl-rl")
    assert entailed(premise, None, "owl-rl")
    assert not entailed(premise, None, "rdfs")
