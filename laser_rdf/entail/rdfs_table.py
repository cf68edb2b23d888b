"""The rules of RDFS (RDF 1.1 Semantics, section 9.2.1) that say something beyond the axiomatic triples."""

from __future__ import annotations

from laser_rdf.entail.rules import Rule, Vocabulary

TABLE = {
    "rdfs2": "?p rdfs:domain ?c . ?x ?p ?y => ?x a ?c",
    "rdfs3": "?p rdfs:range ?c . ?x ?p ?y => ?y a ?c",
    "rdfs5": "?p rdfs:subPropertyOf ?q . ?q rdfs:subPropertyOf ?r => ?p rdfs:subPropertyOf ?r",
    "rdfs7": "?p rdfs:subPropertyOf ?q . ?x ?p ?y => ?x ?q ?y",
    "rdfs9": "?c rdfs:subClassOf ?d . ?x a ?c => ?x a ?d",
    "rdfs11": "?c rdfs:subClassOf ?d . ?d rdfs:subClassOf ?e => ?c rdfs:subClassOf ?e",
    "rdfs12": "?p a rdfs:ContainerMembershipProperty => ?p rdfs:subPropertyOf rdfs:member",
    "rdfs13": "?c a rdfs:Datatype => ?c rdfs:subClassOf rdfs:Literal",
}


def rdfs_rules(words: Vocabulary) -> list[Rule]:
    """All of them.

    >>> from laser_rdf.rdf import Interner
    >>> print(rdfs_rules(Vocabulary(Interner()))[0])
    rdfs2: ?p rdfs:domain ?c . ?x ?p ?y => ?x rdf:type ?c
    """
    return [words.rule(name, text) for name, text in TABLE.items()]
