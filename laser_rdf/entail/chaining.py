"""Forward chaining: from new triples to everything that follows, one new triple at a time.

A rule puts a triple on the agenda. It is taken from there, added to the top layer if it is in neither layer,
and shown to the rules that have an atom for it. Each of these matches the rest of its body with what is
there already, so that every match is found when the last of its triples comes. Rules never change a table
while they read: that happens between them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import Protocol

from laser_rdf.entail.clashes import Clashes
from laser_rdf.entail.datatypes import Datatypes, is_literal
from laser_rdf.entail.entries import DROPPED, Entries, Entry, Ontology
from laser_rdf.entail.generate import Source
from laser_rdf.entail.layers import Layers, Triple
from laser_rdf.entail.lists import Lists
from laser_rdf.entail.problems import TooManyEntailments
from laser_rdf.entail.relevance import Relevance
from laser_rdf.entail.rules import Node, Vocabulary
from laser_rdf.entail.tables import Tables
from laser_rdf.rdf.interner import term_of
from laser_rdf.values import Literal, number_of

Derived = tuple[Node, Node, Node, str]

REPLACING = frozenset({"eq-rep-s", "eq-rep-p", "eq-rep-o"})


class Record(Protocol):
    """Where derived triples are noted."""

    def append(self, derived: Derived, /) -> None:
        """Note one."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Derived]: ...


class OntologyMoved(Exception):
    """A static triple came although the ontology was said to be complete; caught inside the package."""


class Chainer:
    """Derives into the top layer what follows from it and the layer below."""

    def __init__(
        self,
        source: Source,
        words: Vocabulary,
        below: Tables,
        top: Tables,
        clashes: Clashes,
        *,
        relevance: Relevance | None = None,
        datatypes: Datatypes | None = None,
        keeps_reflexive: bool = False,
        checks_literals: bool = True,
    ) -> None:
        self.words = words
        self.layers = Layers(below, top, words.internal)
        self.clashes = clashes
        self.frozen = relevance is not None
        """Whether a new static triple is refused with OntologyMoved."""
        self.agenda: list[Derived] = []
        self._relevance = relevance
        self._reflexive = None if keeps_reflexive else words.same
        self._datatypes = datatypes
        self._checks_literals = checks_literals
        functions = source.functions(self._environment())
        self.ontology = Ontology(source.triggers, functions, words)
        self._wire()
        self._any = [found for name, found in self.ontology.any if name not in REPLACING]
        self._replacing = [found for name, found in self.ontology.any if name in REPLACING]
        names = {trigger.rule.name for trigger in source.triggers}
        self._sub_property = "prp-spo1" if "prp-spo1" in names else "rdfs7"
        self._sub_class = "cax-sco" if "cax-sco" in names else "rdfs9"
        self._shared = self._entries = Entries(self.ontology, relevance)
        self._moved = True
        self._active: frozenset[Node] = frozenset()
        """Datatypes that some rule looks at: literals are typed with them."""
        self._shared_active = self._active

    def _environment(self) -> dict[str, object]:
        layers = self.layers
        return {
            "has": layers.has,
            "objects": layers.objects,
            "subjects": layers.subjects,
            "pairs": layers.pairs,
            "match": layers.match,
            "put": self.agenda.append,
            "clash": self.clashes.found,
            "has_types": self._has_types,
            "shares_key": self._shares_key,
            "chain_ends": self._chain_ends,
            "differ": lambda x, y: x != y,
            "is_zero": lambda n: _number(n) == 0,
            "is_one": lambda n: _number(n) == 1,
        }

    def _wire(self) -> None:
        """Functions besides the rules: lists are followed, literals looked at."""
        words, ontology = self.words, self.ontology
        if words.member in ontology.static_properties:
            lists = Lists(self.layers, words, self.agenda.append)
            for taker in lists.takers:
                ontology.extra_properties[taker] = lists.taken(taker)
            ontology.extra_properties[words.first] = lists.cell
            ontology.extra_properties[words.rest] = lists.cell
        if self._datatypes is not None and self._checks_literals:
            for datatype in self._datatypes.known:
                ontology.extra_classes[datatype] = self._check_literal

    # --- the loop --------------------------------------------------------------------------------------

    def run(self, said: Iterable[Triple], record: Record, limit: int) -> None:
        """Add what is said and derive what follows; what was derived goes to the record."""
        words, agenda = self.words, self.agenda
        rdf_type, same, no_reflexive = words.type, words.same, self._reflexive
        below, top = self.layers.below, self.layers.top
        fresh = self._add_said(said)
        wild = bool(self._any) or same in below.objects or same in top.objects
        below_objects, add, note = below.objects, top.add, record.append
        active = self._active
        while True:
            if agenda:
                derived = agenda.pop()
                s, p, o, _ = derived
                entries = self._entries
                if p is rdf_type:
                    entry = entries.classes.get(o) or entries.class_(o)
                else:
                    entry = entries.properties.get(p) or entries.property(p)
                if entry is DROPPED or (p is no_reflexive and s == o):
                    continue
                index = below_objects.get(p)
                if index is not None and o in index.get(s, ()):
                    continue
                if not add(s, p, o):
                    continue
                note(derived)
                if len(record) > limit:
                    raise _too_many(record, limit)
                if entry.is_static:
                    self._ontology_moves()
                    entry = self._entries.of(p, o)
            elif fresh:
                s, p, o = fresh.pop()
                entry = self._entries.of(p, o)
            elif self._moved and self._datatypes is not None:
                self._type_literals(self._datatypes)
                active = self._active
                continue
            else:
                return
            if p is same:
                wild = True
                if self.frozen:
                    self._check_merge(s, o)
                if self._datatypes is not None and is_literal(s) is not is_literal(o):
                    self._type_literal(s if is_literal(s) else o, self._datatypes.known)
            for found, rows in entry.actions:
                found(s, o, rows)
            if wild:
                self._show_to_all(s, p, o)
            if entry.supers:
                self._fire_supers(s, p, o, entry, record, wild)
            if active and is_literal(o):
                self._type_literal(o, active)

    def _add_said(self, said: Iterable[Triple]) -> list[Triple]:
        """Add what is said; the triples that are new."""
        below, top, no_reflexive = self.layers.below, self.layers.top, self._reflexive
        fresh: list[Triple] = []
        moved = False
        for triple in said:
            s, p, o = triple
            entry = self._entries.of(p, o)
            if entry is DROPPED or (p is no_reflexive and s == o):
                continue
            if not below.has(s, p, o) and top.add(s, p, o):
                fresh.append(triple)
                if entry.is_static and not moved:
                    # At once: entries made from here on see the element's ontology and must go with it.
                    self._ontology_moves()
                    moved = True
        if moved:
            self._ontology_moves()
        return fresh

    def _fire_supers(self, s: Node, p: Node, o: Node, entry: Entry, record: Record, wild: bool) -> None:
        """Add the triples of super-properties, or super-classes, and show them to the rules."""
        below, add, note = self.layers.below, self.layers.top.add, record.append
        if p is self.words.type:
            index = below.objects.get(p)
            known = index.get(s, ()) if index is not None else ()
            for c, actions in entry.supers:
                if c not in known and add(s, p, c):
                    note((s, p, c, self._sub_class))
                    for found, rows in actions:
                        found(s, c, rows)
                    if wild:
                        self._show_to_all(s, p, c)
            return
        for q, actions in entry.supers:
            if not below.has(s, q, o) and add(s, q, o):
                note((s, q, o, self._sub_property))
                for found, rows in actions:
                    found(s, o, rows)
                if wild:
                    self._show_to_all(s, q, o)

    def _show_to_all(self, s: Node, p: Node, o: Node) -> None:
        if p in self.words.internal:
            return
        for found in self._any:
            found(s, p, o)
        for found in self._replacing:
            found(s, p, o)

    def narrow(self, relevance: Relevance | None) -> None:
        """From now on only what matters is added, and the ontology must not change."""
        self._relevance = relevance
        self.frozen = relevance is not None
        self._shared = self._entries = Entries(self.ontology, relevance)

    def settle(self) -> None:
        """The layer below is complete: what is worked out from now on is kept over elements."""
        self._moved = False
        if self._datatypes is not None:
            known = self._datatypes.known
            self._active = frozenset(d for d in known if self._entries.is_looked_at(d))
        self._shared_active = self._active

    def reset(self) -> None:
        """Drop the top layer and what was worked out with it."""
        self.layers.top.clear()
        self.agenda.clear()
        self._entries = self._shared
        self._active = self._shared_active
        self._moved = False

    def _ontology_moves(self) -> None:
        if self.frozen:
            raise OntologyMoved
        self._entries = Entries(self.ontology, self._relevance)
        self._moved = True

    def _check_merge(self, s: Node, o: Node) -> None:
        """Under demand, two predicates or classes that become equal may make others relevant."""
        relevance = self._relevance
        if relevance is not None and any(self._is_schema(node, relevance) for node in (s, o)):
            raise OntologyMoved

    def _is_schema(self, node: Node, relevance: Relevance) -> bool:
        below, top = self.layers.below, self.layers.top
        return (
            node in relevance.predicates
            or node in relevance.classes
            or any(node in tables.objects for tables in (below, top))
            or any(node in tables.subjects.get(self.words.type, ()) for tables in (below, top))
        )

    # --- what rules compute ----------------------------------------------------------------------------

    def _has_types(self, x: Node, classes: tuple[Node, ...]) -> bool:
        has, rdf_type = self.layers.has, self.words.type
        return all(has(x, rdf_type, c) for c in classes)

    def _shares_key(self, x: Node, y: Node, key: tuple[Node, ...]) -> bool:
        """Whether two members have a common value of every property of the key."""
        if x == y:
            return False
        objects = self.layers.objects
        return all(any(z in objects(p, y) for z in objects(p, x)) for p in key)

    def _chain_ends(self, chain: tuple[Node, ...], p: Node, x: Node, y: Node) -> Iterator[tuple[Node, Node]]:
        """The ends of the chains of properties that have `x p y` as a link."""
        objects, subjects = self.layers.objects, self.layers.subjects
        for place, link in enumerate(chain):
            if link is not p:
                continue
            starts = {x}
            for before in reversed(chain[:place]):
                starts = {s for node in starts for s in subjects(before, node)}
            if not starts:
                continue
            ends = {y}
            for after in chain[place + 1 :]:
                ends = {o for node in ends for o in objects(after, node)}
            for start in starts:
                for end in ends:
                    yield start, end

    def _type_literals(self, datatypes: Datatypes) -> None:
        """After the ontology moved: give literals the datatypes that rules look at since then."""
        self._moved = False
        looked_at = frozenset(d for d in datatypes.known if self._entries.is_looked_at(d))
        if looked_at <= self._active:
            return
        self._active = looked_at | self._active
        for tables in (self.layers.below, self.layers.top):
            for p, by_object in tables.subjects.items():
                if p not in self.words.internal:
                    for literal in filter(is_literal, by_object):
                        self._type_literal(literal, looked_at)

    def _type_literal(self, literal: Node, wanted: Collection[Node]) -> None:
        """Give a literal those of its datatypes that matter: some rule looks at them.

        What is the same as a literal has its types, too: then all of them matter.
        """
        assert self._datatypes is not None
        for datatype in self._datatypes.classes(literal):
            if datatype in wanted:
                self.agenda.append((literal, self.words.type, datatype, "dt-type2"))

    def _check_literal(self, literal: Node, datatype: Node, _: object) -> None:
        assert self._datatypes is not None
        if is_literal(literal) and self._datatypes.contradicts(literal, datatype):
            self.clashes.found("dt-not-type", (), ((literal, self.words.type, datatype),))


class Tally:
    """Notes how many triples each rule derived, not which."""

    def __init__(self) -> None:
        self.of_rules: Counter[str] = Counter()
        self._count = 0

    def append(self, derived: Derived, /) -> None:
        """Count one."""
        self.of_rules[derived[3]] += 1
        self._count += 1

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Derived]:
        return iter((None, None, None, rule) for rule in self.of_rules.elements())


def _too_many(record: Record, limit: int) -> TooManyEntailments:
    counts = record.of_rules if isinstance(record, Tally) else Counter(rule for _, _, _, rule in record)
    [(rule, count)] = counts.most_common(1)
    return TooManyEntailments(limit, rule, count)


def _number(value: Node) -> object:
    """The number that a literal is; None for anything else."""
    if type(value) is int:
        return value
    term = term_of(value)
    number = number_of(term) if isinstance(term, Literal) else None
    return None if number is None else number.value
