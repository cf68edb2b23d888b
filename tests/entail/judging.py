"""Two judges of the enricher: owlrl, and the rules of the tables evaluated in the most naive way.

Triples are written in short: `A sco B`, `p domain A`, `i p j`, `i d 5`; other names are under `urn:x:`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import product

import pyoxigraph as ox

from laser_rdf.entail.axioms import hidden_facts
from laser_rdf.entail.datatypes import Datatypes, is_literal
from laser_rdf.entail.owl_tables import owl_rules
from laser_rdf.entail.rdfs_table import rdfs_rules
from laser_rdf.entail.rules import Atom, Rule, Vocabulary, is_variable
from laser_rdf.rdf import Interner, ox_term
from laser_rdf.values import OWL, RDF, RDFS, XSD

SHORT = {
    "a": RDF + "type",
    "sco": RDFS + "subClassOf",
    "spo": RDFS + "subPropertyOf",
    "domain": RDFS + "domain",
    "range": RDFS + "range",
    "eqc": OWL + "equivalentClass",
    "eqp": OWL + "equivalentProperty",
    "same": OWL + "sameAs",
    "different": OWL + "differentFrom",
}
PREFIXES = {"rdf:": RDF, "rdfs:": RDFS, "owl:": OWL, "xsd:": XSD}


def term(word: str) -> ox.NamedNode | ox.Literal:
    """The term of a short name."""
    if re.fullmatch(r"-?[0-9]+", word):
        return ox.Literal(word, datatype=ox.NamedNode(XSD + "integer"))
    if word.startswith('"'):
        text, _, datatype = word[1:].partition('"^^')
        return ox.Literal(text.strip('"'), datatype=ox.NamedNode(XSD + datatype[4:]) if datatype else None)
    if word in SHORT:
        return ox.NamedNode(SHORT[word])
    for prefix, iri in PREFIXES.items():
        if word.startswith(prefix):
            return ox.NamedNode(iri + word[len(prefix) :])
    return ox.NamedNode("urn:x:" + word)


def triples(text: str | Iterable[str]) -> list[ox.Triple]:
    """`A sco B . i a A`; `( A B )` is a list, whose cells are named after it."""
    found: list[ox.Triple] = []
    parts = text.split(" . ") if isinstance(text, str) else list(text)
    for part in parts:
        if not part.strip():
            continue
        if "(" in part:
            start, _, members = part.partition("(")
            names = members.strip(" )").split()
            cells = [
                f"{start.replace(' ', '-').replace(':', '-')}{'-'.join(names)}-{i}" for i in range(len(names))
            ]
            for i, (cell, name) in enumerate(zip(cells, names, strict=True)):
                rest = cells[i + 1] if i + 1 < len(cells) else "rdf:nil"
                found += triples(f"{cell} rdf:first {name} . {cell} rdf:rest {rest}")
            part = f"{start} {cells[0] if cells else 'rdf:nil'}"
        s, p, o = part.split()
        found.append(ox.Triple(term(s), term(p), term(o)))
    return found


def shown(rows: Iterable[tuple]) -> set[str]:
    """Triples of values, written in short."""
    return {" ".join(word(ox_term(node)) for node in row) for row in rows}


def word(node: object) -> str:
    if isinstance(node, ox.Literal):
        if node.datatype.value == XSD + "integer":
            return node.value
        return f'"{node.value}"' + (
            "" if node.datatype.value == XSD + "string" else "^^xsd:" + node.datatype.value[len(XSD) :]
        )
    assert isinstance(node, ox.NamedNode), node
    for short, iri in SHORT.items():
        if node.value == iri:
            return short
    for prefix, iri in PREFIXES.items():
        if node.value.startswith(iri):
            return prefix + node.value[len(iri) :]
    return node.value.removeprefix("urn:x:")


# --- the tables, naively -------------------------------------------------------------------------------


class Naive:
    """All rules against all triples until nothing is new."""

    def __init__(self, interner: Interner, profile: str, extra: Iterable[Rule] = ()) -> None:
        self.words = Vocabulary(interner)
        rules = {"owl-rl": owl_rules, "rdfs": rdfs_rules, "none": lambda _: []}[profile](self.words)
        self.rules = [*rules, *extra]
        self.is_owl = profile == "owl-rl"
        self.facts = hidden_facts(self.words, profile)
        self.clashes: set[str] = set()

    def close(self, said: Iterable[tuple]) -> set[tuple]:
        graph = {*self.facts, *said}
        while True:
            known = graph | self.lists(graph)
            graph |= self.types_of_literals(graph) if self.is_owl else set()
            self.index: dict = {}
            for fact in known:
                self.index.setdefault(fact[1], []).append(fact)
            visible = {fact for fact in known if fact[1] not in self.words.internal}
            found = {fact for rule in self.rules for fact in self.apply(rule, visible)}
            found = {(s, p, o) for s, p, o in found if not (p is self.words.same and s == o)}
            if found <= graph:
                return graph
            graph |= found

    def apply(self, rule: Rule, graph: set[tuple]) -> Iterable[tuple]:
        for binding in self.match(rule.body, {}, graph):
            for complete in self.steps(rule, binding, graph):
                if rule.is_clash:
                    self.clashes.add(rule.name)
                for atom in rule.head:
                    yield tuple(complete.get(n, n) if is_variable(n) else n for n in atom)

    def match(self, atoms: tuple[Atom, ...], binding: dict, graph: set[tuple]) -> Iterable[dict]:
        if not atoms:
            yield binding
            return
        predicate = binding.get(atoms[0].predicate, atoms[0].predicate)
        for fact in graph if is_variable(predicate) else self.index.get(predicate, ()):
            extended = dict(binding)
            if all(
                extended.setdefault(node, value) == value if is_variable(node) else node == value
                for node, value in zip(atoms[0], fact, strict=True)
            ):
                yield from self.match(atoms[1:], extended, graph)

    def steps(self, rule: Rule, binding: dict, graph: set[tuple]) -> Iterable[dict]:
        if not rule.steps:
            return [binding]
        [step] = rule.steps
        values = [binding[node] if is_variable(node) else node for node in step.takes]
        match step.function:
            case "differ":
                return [binding] * (values[0] != values[1])
            case "is_zero" | "is_one":
                return [binding] * (values[0] == ("is_zero", "is_one").index(step.function))
            case "has_types":
                return [binding] * all((values[0], self.words.type, c) in graph for c in values[1])
            case "shares_key":
                x, y, key = values
                nodes = {o for _, _, o in graph}
                return [binding] * all(
                    any((x, p, z) in graph and (y, p, z) in graph for z in nodes) for p in key
                )
            case "chain_ends":
                return [{**binding, "?u": u, "?v": v} for u, v in self.chains(values[0], graph)]
        assert callable(step.function)
        value = step.function(*values)
        if not step.gives:
            return [binding] * bool(value)
        return [] if value is None else [{**binding, step.gives[0]: value}]

    def chains(self, chain: tuple, graph: set[tuple]) -> set[tuple]:
        ends = {(s, o) for s, p, o in graph if p == chain[0]}
        for link in chain[1:]:
            ends = {(s, o) for (s, m), (n, p, o) in product(ends, graph) if p == link and m == n}
        return ends

    def types_of_literals(self, graph: set[tuple]) -> set[tuple]:
        """dt-type2."""
        datatypes = Datatypes(self.words.interner)
        literals = {o for _, _, o in graph if is_literal(o)}
        return {(x, self.words.type, d) for x in literals for d in datatypes.classes(x)}

    def lists(self, graph: set[tuple]) -> set[tuple]:
        words = self.words
        first = [(s, o) for s, p, o in graph if p is words.first]
        rest = [(s, o) for s, p, o in graph if p is words.rest]
        paths = {(words.nil, ())}
        for _ in range(len(rest)):
            paths |= {
                (cell, (member, *path))
                for cell, member in first
                for other, tail in rest
                if other == cell
                for head, path in paths
                if head == tail and len(path) < 6
            }
        found = {(head, words.path, path) for head, path in paths}
        found |= {(head, words.member, member) for head, path in paths for member in path}
        return found | {(path, words.of, member) for _, path in paths for member in path}


# --- owlrl ---------------------------------------------------------------------------------------------


def owlrl_closure(said: Iterable[ox.Triple], profile: str) -> set[str]:
    """What owlrl derives, written in short, without the noise that `laser_rdf.entail` leaves out."""
    import owlrl
    import rdflib

    graph = rdflib.Graph()
    for triple in said:
        graph.add(tuple(map(_to_rdflib, triple)))
    semantics = {"rdfs": owlrl.RDFS_Semantics, "owl-rl": owlrl.OWLRL_Semantics}[profile]
    owlrl.DeductiveClosure(semantics).expand(graph)
    found = set()
    for s, p, o in graph:
        if isinstance(s, rdflib.URIRef) and isinstance(p, rdflib.URIRef) and not isinstance(o, rdflib.BNode):
            found.add(" ".join(word(_from_rdflib(node)) for node in (s, p, o)))
    return {line for line in found if not is_noise(line, profile)}


def is_noise(line: str, profile: str) -> bool:
    """Reflexive owl:sameAs; types of datatypes and annotations; in RDFS also what everything is."""
    s, p, o = line.split(" ", 2)
    if p == "same" and s == o:
        return True
    if s.startswith("xsd:") or o in ("rdfs:Datatype", "owl:AnnotationProperty"):  # dt-type1, prp-ap
        return True
    if profile == "rdfs":  # rdf1, rdfs4, rdfs6, rdfs8, rdfs10
        return o in ("rdfs:Resource", "rdf:Property") or (p in ("sco", "spo") and s == o)
    return False


def _to_rdflib(node: object) -> object:
    import rdflib

    if isinstance(node, ox.Literal):
        return rdflib.Literal(node.value, datatype=rdflib.URIRef(node.datatype.value))
    return rdflib.URIRef(node.value)


def _from_rdflib(node: object) -> object:
    import rdflib

    if isinstance(node, rdflib.Literal):
        return ox.Literal(str(node), datatype=ox.NamedNode(str(node.datatype or XSD + "string")))
    return ox.NamedNode(str(node))
