"""What holds whatever is said: rules with an empty body, and rules whose consequences nobody wants to read.

Only with `axioms` are they all applied and shown. Without it, OWL 2 RL still knows that `owl:Thing` and
`owl:Nothing` are classes, because rules for other triples need it, but it shows nothing that follows from
that alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import pyoxigraph as ox

from laser_rdf.entail.datatypes import RL_DATATYPES
from laser_rdf.entail.rules import Node, Rule, Vocabulary
from laser_rdf.rdf.interner import Symbol
from laser_rdf.values import RDF

Triple = tuple[Node, Node, Node]

OWL_FACTS = "owl:Thing a owl:Class . owl:Nothing a owl:Class"
"""cls-thing and cls-nothing1."""

ANNOTATIONS = (
    "rdfs:label rdfs:comment rdfs:seeAlso rdfs:isDefinedBy owl:deprecated owl:versionInfo owl:priorVersion "
    "owl:backwardCompatibleWith owl:incompatibleWith"
)
"""For prp-ap."""

REFLEXIVE = {
    "eq-ref": "?s ?p ?o => ?s owl:sameAs ?s . ?p owl:sameAs ?p . ?o owl:sameAs ?o",
}

RDFS_NOISE = {
    "rdf1": "?x ?p ?y => ?p a rdf:Property",
    "rdfs4": "?x ?p ?y => ?x a rdfs:Resource . ?y a rdfs:Resource",
    "rdfs6": "?p a rdf:Property => ?p rdfs:subPropertyOf ?p",
    "rdfs8": "?c a rdfs:Class => ?c rdfs:subClassOf rdfs:Resource",
    "rdfs10": "?c a rdfs:Class => ?c rdfs:subClassOf ?c",
}

RDFS_FACTS = """
rdf:type a rdf:Property . rdf:subject a rdf:Property . rdf:predicate a rdf:Property .
rdf:object a rdf:Property .
rdf:first a rdf:Property . rdf:rest a rdf:Property . rdf:value a rdf:Property . rdf:nil a rdf:List .
rdf:type rdfs:domain rdfs:Resource . rdfs:domain rdfs:domain rdf:Property .
rdfs:range rdfs:domain rdf:Property .
rdfs:subPropertyOf rdfs:domain rdf:Property . rdfs:subClassOf rdfs:domain rdfs:Class .
rdf:subject rdfs:domain rdf:Statement . rdf:predicate rdfs:domain rdf:Statement .
rdf:object rdfs:domain rdf:Statement . rdfs:member rdfs:domain rdfs:Resource .
rdf:first rdfs:domain rdf:List .
rdf:rest rdfs:domain rdf:List . rdfs:seeAlso rdfs:domain rdfs:Resource .
rdfs:isDefinedBy rdfs:domain rdfs:Resource . rdfs:comment rdfs:domain rdfs:Resource .
rdfs:label rdfs:domain rdfs:Resource . rdf:value rdfs:domain rdfs:Resource .
rdf:type rdfs:range rdfs:Class . rdfs:domain rdfs:range rdfs:Class . rdfs:range rdfs:range rdfs:Class .
rdfs:subPropertyOf rdfs:range rdf:Property . rdfs:subClassOf rdfs:range rdfs:Class .
rdf:subject rdfs:range rdfs:Resource . rdf:predicate rdfs:range rdfs:Resource .
rdf:object rdfs:range rdfs:Resource . rdfs:member rdfs:range rdfs:Resource .
rdf:first rdfs:range rdfs:Resource . rdf:rest rdfs:range rdf:List . rdfs:seeAlso rdfs:range rdfs:Resource .
rdfs:isDefinedBy rdfs:range rdfs:Resource . rdfs:comment rdfs:range rdfs:Literal .
rdfs:label rdfs:range rdfs:Literal . rdf:value rdfs:range rdfs:Resource .
rdf:Alt rdfs:subClassOf rdfs:Container . rdf:Bag rdfs:subClassOf rdfs:Container .
rdf:Seq rdfs:subClassOf rdfs:Container . rdfs:ContainerMembershipProperty rdfs:subClassOf rdf:Property .
rdfs:isDefinedBy rdfs:subPropertyOf rdfs:seeAlso . rdfs:Datatype rdfs:subClassOf rdfs:Class
"""

_MEMBERSHIP = re.compile(re.escape(RDF) + r"_[1-9][0-9]*")


def hidden_facts(words: Vocabulary, profile: str) -> list[Triple]:
    """What a profile knows even without axioms."""
    return list(_facts(words, OWL_FACTS)) if profile == "owl-rl" else []


def axiomatic_facts(words: Vocabulary, profile: str) -> list[Triple]:
    """The axiomatic triples of a profile.

    >>> from laser_rdf.rdf import Interner
    >>> len(axiomatic_facts(Vocabulary(Interner()), "rdfs"))
    50
    """
    if profile == "rdfs":
        return [*_facts(words, RDFS_FACTS), *_membership(words, words.value("rdf:_1"))]
    if profile == "owl-rl":
        annotation, datatype = words.value("owl:AnnotationProperty"), words.value("rdfs:Datatype")
        return [
            *_facts(words, OWL_FACTS),
            *((words.value(word), words.type, annotation) for word in ANNOTATIONS.split()),
            *((words.value(iri), words.type, datatype) for iri in RL_DATATYPES),
        ]
    return []


def axiomatic_rules(words: Vocabulary, profile: str) -> list[Rule]:
    """The rules that are applied with axioms only."""
    table = {"rdfs": RDFS_NOISE, "owl-rl": REFLEXIVE}.get(profile, {})
    return [words.rule(name, text) for name, text in table.items()]


def membership_facts(words: Vocabulary, triples: Iterable[Triple]) -> list[Triple]:
    """The axioms for those of rdf:_1, rdf:_2, … that occur: there are infinitely many."""
    found: dict[Node, None] = {}
    for triple in triples:
        for node in triple:
            term = node.term if type(node) is Symbol else None
            if isinstance(term, ox.NamedNode) and _MEMBERSHIP.fullmatch(term.value):
                found[node] = None
    return [fact for node in found for fact in _membership(words, node)]


def _membership(words: Vocabulary, node: Node) -> Iterator[Triple]:
    resource = words.value("rdfs:Resource")
    yield node, words.type, words.value("rdf:Property")
    yield node, words.type, words.value("rdfs:ContainerMembershipProperty")
    yield node, words.value("rdfs:domain"), resource
    yield node, words.value("rdfs:range"), resource


def _facts(words: Vocabulary, text: str) -> Iterator[Triple]:
    for part in text.split(" ."):
        if part.strip():
            s, p, o = part.split()
            yield words.value(s), words.type if p == "a" else words.value(p), words.value(o)
