"""What to do for a new triple, worked out once per predicate and per class.

    rdfs:domain of ex:inRoom is ex:Located, its super-property is ex:in   →
        Entry(actions: prp-dom with the row (ex:inRoom, ex:Located); supers: ex:in with its actions)

The static atoms of rules are matched here; what is left is what the entry's functions match. For a class the
entry has also what rules do with every triple of rdf:type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from laser_rdf.entail.datatypes import is_literal
from laser_rdf.entail.generate import Trigger
from laser_rdf.entail.relevance import Relevance
from laser_rdf.entail.rules import Atom, Node, Vocabulary, is_variable

Found = Callable[[Node, Node, Any], None]
Actions = tuple[tuple[Found, Any], ...]

SUPER_PROPERTY = frozenset({"prp-spo1", "rdfs7"})
SUPER_CLASS = frozenset({"cax-sco", "rdfs9"})
"""Rules that an entry applies itself: subPropertyOf and subClassOf are closed under transitivity."""

MAX_ENTRIES = 200_000
"""A stream with ever new predicates and classes must not fill the memory with entries."""


class Entry(NamedTuple):
    """What to do for a new triple of a predicate, or of a class."""

    actions: Actions
    supers: tuple[tuple[Node, Actions], ...]
    is_static: bool


DROPPED = Entry((), (), False)
"""For triples that are not kept: nobody asks for them, or they have a literal as predicate."""


class Ontology:
    """The rules' triggers, ready to be looked up."""

    def __init__(
        self, triggers: Iterable[Trigger], functions: dict[str, Callable[..., Any]], words: Vocabulary
    ) -> None:
        self.words = words
        self.functions = functions
        self.by_property: dict[Node, list[Trigger]] = {}
        self.by_class: dict[Node, list[Trigger]] = {}
        self.any: list[tuple[str, Callable[[Node, Node, Node], None]]] = []
        self.static_properties: set[Node] = set()
        self.static_classes: set[Node] = set()
        self.extra_properties: dict[Node, Found] = {}
        """Functions besides those of rules, for predicates: lists are followed so."""
        self.extra_classes: dict[Node, Found] = {}
        for trigger in triggers:
            if trigger.key is None:
                self.any.append((trigger.rule.name, functions[trigger.found]))
                continue
            key = None if is_variable(trigger.key) else trigger.key
            (self.by_class if trigger.by_class else self.by_property).setdefault(key, []).append(trigger)
            if trigger.is_static:
                (self.static_classes if trigger.by_class else self.static_properties).add(key)


class Entries:
    """Entries for one state of the ontology."""

    def __init__(self, ontology: Ontology, relevance: Relevance | None) -> None:
        self._ontology = ontology
        self._relevance = relevance
        self._type = ontology.words.type
        self.properties: dict[Node, Entry] = {}
        self.classes: dict[Node, Entry] = {}
        self._property_actions: dict[Node, Actions] = {}
        self._class_actions: dict[Node, Actions] = {}

    def of(self, p: Node, o: Node) -> Entry:
        """The entry for triples with this predicate and object."""
        if p is self._type:
            return self.classes.get(o) or self.class_(o)
        return self.properties.get(p) or self.property(p)

    def property(self, p: Node) -> Entry:
        """The entry of a predicate other than rdf:type."""
        if len(self.properties) > MAX_ENTRIES:
            self.properties.clear()
            self._property_actions.clear()
        self.properties[p] = entry = self._make_property(p)
        return entry

    def class_(self, c: Node) -> Entry:
        """The entry of a class."""
        if len(self.classes) > MAX_ENTRIES:
            self.classes.clear()
            self._class_actions.clear()
        self.classes[c] = entry = self._make_class(c)
        return entry

    def is_looked_at(self, c: Node) -> bool:
        """Whether some rule looks at members of the class in particular."""
        ontology = self._ontology
        triggers = (*ontology.by_class.get(None, ()), *ontology.by_class.get(c, ()))
        return any(ontology.functions[t.rows](c) for t in triggers if not t.is_static)

    # --- predicates ------------------------------------------------------------------------------------

    def _make_property(self, p: Node) -> Entry:
        relevance = self._relevance
        if is_literal(p) or (relevance is not None and p not in relevance.predicates):
            return DROPPED
        supers = [q for q in self._supers(self._ontology.by_property, p, SUPER_PROPERTY) if self._plain(q)]
        static = p in self._ontology.static_properties
        return Entry(self._of_property(p), tuple((q, self._of_property(q)) for q in supers), static)

    def _plain(self, q: Node) -> bool:
        """Whether a super-property can be handled by the entry of its sub-property."""
        relevance = self._relevance
        return (
            q is not self._type
            and q is not self._ontology.words.same
            and q not in self._ontology.static_properties
            and not is_literal(q)
            and (relevance is None or q in relevance.predicates)
        )

    def _of_property(self, p: Node) -> Actions:
        found = self._property_actions.get(p)
        if found is None:
            ontology = self._ontology
            triggers = (*ontology.by_property.get(None, ()), *ontology.by_property.get(p, ()))
            found = tuple(self._actions(triggers, p, SUPER_PROPERTY, self._plain))
            if p in ontology.extra_properties:
                found = (*found, (ontology.extra_properties[p], None))
            self._property_actions[p] = found
        return found

    # --- classes ---------------------------------------------------------------------------------------

    def _make_class(self, c: Node) -> Entry:
        relevance = self._relevance
        if relevance is not None and not relevance.concerns(self._type, c):
            return DROPPED
        supers = [d for d in self._supers(self._ontology.by_class, c, SUPER_CLASS) if self._plain_class(d)]
        static = c in self._ontology.static_classes
        return Entry(self._of_class(c), tuple((d, self._of_class(d)) for d in supers), static)

    def _plain_class(self, d: Node) -> bool:
        relevance = self._relevance
        return d not in self._ontology.static_classes and (
            relevance is None or relevance.concerns(self._type, d)
        )

    def _of_class(self, c: Node) -> Actions:
        found = self._class_actions.get(c)
        if found is None:
            ontology = self._ontology
            triggers = (*ontology.by_class.get(None, ()), *ontology.by_class.get(c, ()))
            found = tuple(self._actions(triggers, c, SUPER_CLASS, self._plain_class))
            if c in ontology.extra_classes:
                found = (*found, (ontology.extra_classes[c], None))
            self._class_actions[c] = found = (*found, *self._of_property(self._type))
        return found

    # --- rows ------------------------------------------------------------------------------------------

    def _supers(self, triggers: dict[Node, list[Trigger]], key: Node, rules: frozenset[str]) -> list[Node]:
        """What a sub-property or sub-class rule gives for the key, but the key itself."""
        found: dict[Node, None] = {}
        for trigger in triggers.get(None, ()):
            if trigger.rule.name in rules:
                rows = self._ontology.functions[trigger.rows](key)
                found.update(dict.fromkeys(row[1] for row in rows))  # ?p subPropertyOf ?q
        found.pop(key, None)
        return list(found)

    def _actions(
        self, triggers: Iterable[Trigger], key: Node, supers: frozenset[str], is_plain: Callable[[Node], bool]
    ) -> Iterable[tuple[Found, Any]]:
        functions = self._ontology.functions
        for trigger in triggers:
            if trigger.is_static:
                yield functions[trigger.found], None
                continue
            rows = tuple(functions[trigger.rows](key))
            if trigger.rule.name in supers:
                rows = tuple(row for row in rows if row[1] != key and not is_plain(row[1]))
            rows = tuple(row for row in rows if self._is_wanted(trigger, row))
            if rows:
                yield functions[trigger.found], rows

    def _is_wanted(self, trigger: Trigger, row: tuple[Node, ...]) -> bool:
        relevance = self._relevance
        if relevance is None or trigger.rule.is_clash:
            return True
        values = dict(zip(trigger.columns, row, strict=True))
        return any(self._may_matter(relevance, atom, values) for atom in trigger.rule.head)

    def _may_matter(self, relevance: Relevance, atom: Atom, values: dict[str, Node]) -> bool:
        p = values.get(atom.predicate) if is_variable(atom.predicate) else atom.predicate
        if p is None:
            return True
        if p is not self._type:
            return p in relevance.predicates
        c = values.get(atom.object) if is_variable(atom.object) else atom.object
        return c is None or relevance.concerns(p, c)
