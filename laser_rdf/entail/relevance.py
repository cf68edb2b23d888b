"""Demand: which predicates and classes somebody reads, and from which others they can be derived.

The rules with their static atoms matched are rules between predicates and classes. Walking them backwards
from what is read gives what has to be kept and derived:

    reads ex:Hot;  ex:VeryHot ⊑ ex:Hot;  ex:alarm domain ex:VeryHot     →   ex:Hot, ex:VeryHot, ex:alarm

What the ontology itself is written in and `owl:sameAs` always count, because they change what follows from
the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import pyoxigraph as ox

from laser_rdf.check import TRIPLE, Predicate
from laser_rdf.entail.rules import Atom, Node, Rule, Vocabulary, is_variable
from laser_rdf.values import RDF_TYPE


@dataclass(frozen=True, slots=True)
class Demand:
    """What programs and queries read: IRIs of properties and of classes, or everything.

    >>> Demand.of([Predicate("urn:Hot", 1), Predicate("urn:inRoom", 2)])
    Demand(predicates=frozenset({'urn:inRoom'}), classes=frozenset({'urn:Hot'}), everything=False)
    """

    predicates: frozenset[str] = frozenset()
    classes: frozenset[str] = frozenset()
    everything: bool = False

    @classmethod
    def of(cls, mentioned: Iterable[Predicate]) -> Demand:
        """The demand of a program that mentions these predicates; other arities are not about triples."""
        known = frozenset(mentioned)
        return cls(
            frozenset(p.name for p in known if p.arity == 2),
            frozenset(p.name for p in known if p.arity == 1),
            TRIPLE in known or Predicate(RDF_TYPE, 2) in known,
        )

    def __or__(self, other: Demand) -> Demand:
        return Demand(
            self.predicates | other.predicates,
            self.classes | other.classes,
            self.everything or other.everything,
        )


@dataclass(frozen=True, slots=True)
class Relevance:
    """The predicates and classes whose triples matter; `all_classes`: every triple with rdf:type does."""

    predicates: frozenset[Node]
    classes: frozenset[Node]
    all_classes: bool
    rdf_type: Node = field(repr=False)

    def concerns(self, predicate: Node, object_: Node) -> bool:
        """Whether a triple with this predicate and object matters."""
        if predicate is self.rdf_type:
            return self.all_classes or object_ in self.classes
        return predicate in self.predicates


Key = tuple[bool, Node]
"""Whether it is a class, and the class or predicate; None for any."""

EVERYTHING: Key = (False, None)
ANY_CLASS: Key = (True, None)


def relevance(
    demand: Demand,
    rules: Iterable[Rule],
    words: Vocabulary,
    solutions: Callable[[Rule], tuple[tuple[str, ...], Iterable[tuple[Node, ...]]]],
) -> Relevance | None:
    """What matters for a demand; None if everything does.

    `solutions` gives for a rule the variables of its static atoms and all their matches.
    """
    if demand.everything:
        return None
    walk = _Walk(words)
    for rule in rules:
        walk.ontology(rule)
        names, rows = solutions(rule)
        for row in rows:
            walk.rule(rule, dict(zip(names, row, strict=True)))
    interner = words.interner
    for name in demand.predicates:
        walk.want((False, interner.value(ox.NamedNode(name))))
    for name in demand.classes:
        walk.want((True, interner.value(ox.NamedNode(name))))
    for word in (words.same, words.first, words.rest):
        walk.want((False, word))
    return walk.result()


class _Walk:
    def __init__(self, words: Vocabulary) -> None:
        self._words = words
        self._needs: dict[Key, set[Key]] = {}
        self._wanted: dict[Key, None] = {}

    def want(self, key: Key) -> None:
        """Something matters."""
        self._wanted[key] = None

    def ontology(self, rule: Rule) -> None:
        """What an ontology is written in matters always."""
        for atom in rule.static_atoms:
            self.want(self._key(atom, {}))

    def rule(self, rule: Rule, row: dict[str, Any]) -> None:
        """Note which keys the heads of a rule need."""
        needed = {self._key(atom, row) for atom in rule.data_atoms}
        if rule.name.startswith("eq-rep"):
            return  # a copy of a triple has the triple's own predicate or class
        if rule.is_clash:
            for key in needed:
                self.want(key)
        for atom in rule.head:
            self._needs.setdefault(self._key(atom, row), set()).update(needed)

    def _key(self, atom: Atom, row: dict[str, Any]) -> Key:
        p = row.get(atom.predicate) if is_variable(atom.predicate) else atom.predicate
        if p is not self._words.type:
            return False, p
        return True, (row.get(atom.object) if is_variable(atom.object) else atom.object)

    def result(self) -> Relevance | None:
        """Everything reached from what is wanted."""
        # A rule that can derive anything can derive what is wanted; so can one for any class.
        for key in (EVERYTHING, ANY_CLASS):
            if key in self._needs:
                self.want(key)
        reached = dict(self._wanted)
        for key in (agenda := list(reached)):
            for needed in self._needs.get(key, ()):
                if needed not in reached:
                    reached[needed] = None
                    agenda.append(needed)
            if key == ANY_CLASS:
                for head, needs in self._needs.items():
                    if head[0]:
                        fresh = [need for need in (head, *needs) if need not in reached]
                        reached.update(dict.fromkeys(fresh))
                        agenda += fresh
        if EVERYTHING in reached:
            return None
        return Relevance(
            frozenset(node for is_class, node in reached if not is_class),
            frozenset(node for is_class, node in reached if is_class and node is not None),
            ANY_CLASS in reached,
            self._words.type,
        )
