"""Rules between triples, in the notation of the W3C tables.

    ?p rdfs:domain ?c . ?x ?p ?y => ?x a ?c          derives a triple
    ?p a owl:IrreflexiveProperty . ?x ?p ?x => false ?x   a clash, of which ?x is to blame

An atom is a triple of variables and values. Atoms whose predicate or class belongs to the vocabulary of
ontologies are *static*: they are matched once, when the ontology is read. The others are matched with the
data. Lists are followed beforehand; three predicates of our own show them to the rules:

    ?l list:member ?m    the list has the member
    ?l list:path ?k      its members, in order, are the tuple ?k
    ?k list:of ?m        the tuple has the member
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pyoxigraph as ox

from laser_rdf.rdf.interner import Interner, Symbol, Value
from laser_rdf.values import OWL, RDF, RDFS, XSD

Node = Any
"""A value, or the tuple of values that a list is; in an atom also a variable: a text that begins with `?`."""

PREFIXES = {"rdf:": RDF, "rdfs:": RDFS, "owl:": OWL, "xsd:": XSD}
LIST_PREFIX = "list:"
LIST_BASE = "urn:laser:list:"


class Atom(NamedTuple):
    """A triple pattern."""

    subject: Node
    predicate: Node
    object: Node


@dataclass(frozen=True, slots=True)
class Step:
    """Something that is computed: a test of variables, or values for the variables it gives.

    `function` is a name that the engine knows, or a Python function. One that gives a single variable returns
    its value, None for no value; one that gives several yields tuples.
    """

    function: str | Callable[..., Any]
    takes: tuple[Node, ...]
    gives: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """Body and head; no head means that the body must never hold."""

    name: str
    body: tuple[Atom, ...]
    head: tuple[Atom, ...] = ()
    steps: tuple[Step, ...] = ()
    blamed: tuple[Node, ...] = ()
    static: frozenset[int] = field(default=frozenset())
    """Which atoms of the body are about the ontology."""

    @property
    def is_clash(self) -> bool:
        """Whether the rule says that its body must not hold."""
        return not self.head

    @property
    def static_atoms(self) -> tuple[Atom, ...]:
        """The atoms about the ontology."""
        return tuple(atom for i, atom in enumerate(self.body) if i in self.static)

    @property
    def data_atoms(self) -> tuple[Atom, ...]:
        """The other atoms."""
        return tuple(atom for i, atom in enumerate(self.body) if i not in self.static)

    def __str__(self) -> str:
        body = [" ".join(map(_shown, atom)) for atom in self.body]
        body += [f"{s.function}({', '.join(map(_shown, s.takes))})" for s in self.steps]
        head = [" ".join(map(_shown, atom)) for atom in self.head] or ["false"]
        return f"{self.name}: {' . '.join(body)} => {' . '.join(head)}"


def is_variable(node: Node) -> bool:
    """Whether a place of an atom is a variable."""
    return type(node) is str


def variables(atoms: Iterable[Atom]) -> tuple[str, ...]:
    """The variables of atoms, each once, in the order of the text."""
    return tuple(dict.fromkeys(node for atom in atoms for node in atom if is_variable(node)))


def _shown(node: Node) -> str:
    if not isinstance(node, Symbol):
        return str(node)
    text = str(node.term).strip("<>")
    for prefix, iri in (*PREFIXES.items(), (LIST_PREFIX, LIST_BASE)):
        if text.startswith(iri):
            return prefix + text[len(iri) :]
    return str(node.term)


class Vocabulary:
    """The names of rules as values of an interner, and which of them make an atom static.

    >>> words = Vocabulary(Interner())
    >>> print(words.rule("prp-dom", "?p rdfs:domain ?c . ?x ?p ?y => ?x a ?c"))
    prp-dom: ?p rdfs:domain ?c . ?x ?p ?y => ?x rdf:type ?c
    """

    def __init__(self, interner: Interner) -> None:
        self.interner = interner
        self._own: dict[str, Symbol] = {}
        self.type = self.value("rdf:type")
        self.same = self.value("owl:sameAs")
        self.first = self.value("rdf:first")
        self.rest = self.value("rdf:rest")
        self.nil = self.value("rdf:nil")
        self.member = self.value("list:member")
        self.path = self.value("list:path")
        self.of = self.value("list:of")
        self.internal = frozenset({self.member, self.path, self.of})
        self._dynamic = frozenset({self.type, self.same, self.value("owl:differentFrom")})
        self._plain_classes = frozenset({self.value("owl:Thing"), self.value("owl:Nothing")})

    def value(self, word: str) -> Value:
        """The value of a prefixed name, or of a full IRI."""
        if word.startswith(LIST_PREFIX):
            # Not of the interner: no document can mention them.
            return self._own.setdefault(word, Symbol(ox.NamedNode(LIST_BASE + word[len(LIST_PREFIX) :])))
        for prefix, iri in PREFIXES.items():
            if word.startswith(prefix):
                return self.interner.value(ox.NamedNode(iri + word[len(prefix) :]))
        return self.interner.value(ox.NamedNode(word))

    def rule(self, name: str, text: str, steps: Sequence[Step] = ()) -> Rule:
        """The rule that a text says."""
        body, _, head = text.partition("=>")
        atoms = tuple(self._atom(part) for part in body.split(" . ") if part.strip())
        static = frozenset(i for i, atom in enumerate(atoms) if self.is_static(atom))
        blamed: tuple[Node, ...] = ()
        heads: tuple[Atom, ...] = ()
        if head.split()[0] == "false":
            blamed = tuple(head.split()[1:])
        else:
            heads = tuple(self._atom(part) for part in head.split(" . "))
        return Rule(name, atoms, heads, tuple(steps), blamed, static)

    def _atom(self, text: str) -> Atom:
        return Atom(*(self._node(word) for word in text.split()))

    def _node(self, word: str) -> Node:
        if word.startswith("?"):
            return word
        return self.type if word == "a" else self.value(word)

    def is_static(self, atom: Atom) -> bool:
        """Whether the atom of a rule of the tables is about the ontology."""
        _, predicate, object_ = atom
        if predicate is self.type:
            return not is_variable(object_) and object_ not in self._plain_classes
        return not is_variable(predicate) and predicate not in self._dynamic
