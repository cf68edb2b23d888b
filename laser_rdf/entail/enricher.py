"""The façade: a background closed once, and elements enriched with what follows from them and the background.

background, profile, rules, demand  →  Enricher;   element's triples  →  Enriched(entailed, clashes)
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal as OneOf

import pyoxigraph as ox

from laser_rdf.entail.axioms import axiomatic_facts, axiomatic_rules, hidden_facts, membership_facts
from laser_rdf.entail.chaining import Chainer, Derived, OntologyMoved, Tally
from laser_rdf.entail.clashes import POLICIES, Clash, Clashes, Policy, ValueTriple
from laser_rdf.entail.datatypes import Datatypes, is_literal
from laser_rdf.entail.generate import Source, generate
from laser_rdf.entail.owl_tables import owl_rules
from laser_rdf.entail.problems import InconsistentTriples, TooManyEntailments
from laser_rdf.entail.rdfs_table import rdfs_rules
from laser_rdf.entail.relevance import Demand, Relevance, relevance
from laser_rdf.entail.rules import Node, Rule, Vocabulary
from laser_rdf.entail.tables import Tables
from laser_rdf.entail.user_rules import user_rules
from laser_rdf.entail.with_owlrl import owlrl_closure
from laser_rdf.errors import UsageError
from laser_rdf.lang.ast import Program
from laser_rdf.rdf.interner import Interner, Symbol
from laser_rdf.rdf.mapping import interned as _interned
from laser_rdf.rdf.vocabulary import INCONSISTENT

Profile = OneOf["none", "rdfs", "owl-rl", "owlrl"]
PROFILES: tuple[Profile, ...] = ("none", "rdfs", "owl-rl", "owlrl")

REDUNDANT = frozenset({"prp-eqp1", "prp-eqp2", "cax-eqc1", "cax-eqc2", "cls-int2", "cls-uni"})
"""Rules whose consequences scm-eqp1, scm-eqc1, scm-int and scm-uni give by way of prp-spo1 and cax-sco."""


def interned(interner: Interner, triples: Iterable[ox.Triple]) -> list[ValueTriple]:
    """Triples of terms as triples of values.

    >>> a = ox.NamedNode("http://example.org/a")
    >>> interned(Interner(), [ox.Triple(a, a, a)])[0][0]
    Symbol(<http://example.org/a>)
    """
    return _interned(triples, interner)


@dataclass(frozen=True, slots=True)
class Enriched:
    """What follows from an element: triples that neither it nor the background has, and what clashes."""

    entailed: list[ValueTriple]
    clashes: tuple[Clash, ...] = ()


class Enricher:
    """Closes a background and enriches elements.

    >>> from laser_rdf.rdf import Interner
    >>> terms = Interner()
    >>> def triples(text): return interned(terms, (q.triple for q in ox.parse(text, ox.RdfFormat.TURTLE)))
    >>> schema = "@prefix : <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> ."
    >>> background = triples(schema + ":inRoom rdfs:domain :Located . :Located rdfs:subClassOf :Thing .")
    >>> enricher = Enricher(terms, background, "rdfs")
    >>> for s, p, o in enricher.enrich(triples("<urn:s> <http://example.org/inRoom> <urn:r> .")).entailed:
    ...     print(s.term, o.term)
    <urn:s> <http://example.org/Located>
    <urn:s> <http://example.org/Thing>
    """

    def __init__(
        self,
        interner: Interner,
        background: Iterable[ValueTriple],
        profile: Profile = "none",
        *,
        rules: Program | None = None,
        demand: Demand | None = None,
        axioms: bool = False,
        inconsistency: Policy = "warn",
        max_entailments: int = 100_000,
    ) -> None:
        if profile not in PROFILES:
            raise UsageError(f"`{profile}` is no entailment profile: use {', '.join(PROFILES)}")
        if inconsistency not in POLICIES:
            raise UsageError(f"`{inconsistency}` is no policy for clashes: use {', '.join(POLICIES)}")
        self.interner = interner
        self.profile = profile
        self.axioms = axioms
        self.inconsistency = inconsistency
        self.max_entailments = max_entailments
        if profile == "owlrl" and (rules is not None or axioms):
            raise UsageError("the profile `owlrl` takes neither rules nor axioms: use `owl-rl`")
        self._words = words = Vocabulary(interner)
        self._inconsistent = interner.value(ox.NamedNode(INCONSISTENT))
        own_rules, own_facts = user_rules(rules, words) if rules is not None else ([], [])
        self._rules = self._chosen_rules(own_rules)
        self._said = [*background, *own_facts]
        self._source = generate(self._rules, words.type, None if axioms else words.same)
        self._demand = None if axioms else demand
        self._full: Enricher | None = None
        self._program = rules
        if profile == "owlrl":
            self._close_with_owlrl()
        else:
            self._close()

    def _chosen_rules(self, own: list[Rule]) -> list[Rule]:
        words, profile = self._words, self.profile
        chosen = list(own)
        if profile == "rdfs":
            chosen += rdfs_rules(words)
        elif profile == "owl-rl":
            chosen += [rule for rule in owl_rules(words) if rule.name not in REDUNDANT]
        if self.axioms:
            chosen += axiomatic_rules(words, profile)
        return [rule for rule in chosen if not (rule.is_clash and self.inconsistency == "ignore")]

    # --- the background --------------------------------------------------------------------------------

    def _close(self) -> None:
        try:
            self._close_for(self._demand)
        except OntologyMoved:
            # The data say something about the ontology, so what matters was not known beforehand.
            self._close_for(None)

    def _close_with_owlrl(self) -> None:
        closed, clashes = owlrl_closure(self.interner, self._said)
        self.background = Tables()
        for triple in closed:
            self.background.add(*triple)
        self.derived_by = {"owlrl": len(closed) - len(set(self._said))}
        self.background_clashes = self._judged(clashes)

    def _close_for(self, demand: Demand | None) -> None:
        words = self._words
        self.background = Tables()
        clashes = self._new_clashes()
        chainer = self._chainer(Tables(), self.background, clashes)
        known = axiomatic_facts(words, self.profile) if self.axioms else hidden_facts(words, self.profile)
        if self.axioms and self.profile == "rdfs":
            known += membership_facts(words, self._said)
        tally, limit = Tally(), self.max_entailments + 50 * (len(self._said) + len(known))
        matters: Relevance | None = None
        with _no_collection():
            static, data = self._parted([*known, *self._said], chainer)
            chainer.run(static, tally, limit)
            if demand is not None:
                matters = relevance(
                    demand, self._rules, words, lambda rule: _solutions(rule, self._source, chainer)
                )
                chainer.narrow(matters)
            chainer.run(data, tally, limit)
        self.derived_by = dict(tally.of_rules)
        """How many triples of the background's closure each rule derived."""
        self.background_clashes = self._judged(clashes.take())
        self._clashes = self._new_clashes()
        self._top = self._chainer(self.background, Tables(), self._clashes, matters)
        self._top.settle()

    def _chainer(
        self, below: Tables, top: Tables, clashes: Clashes, matters: Relevance | None = None
    ) -> Chainer:
        chainer = Chainer(
            self._source,
            self._words,
            below,
            top,
            clashes,
            relevance=matters,
            datatypes=Datatypes(self.interner) if self.profile == "owl-rl" else None,
            keeps_reflexive=self.axioms,
            checks_literals=self.inconsistency != "ignore",
        )
        if self.inconsistency == "fact":
            clashes.tell = lambda x: chainer.agenda.append(
                (x, self._words.type, self._inconsistent, "laser:Inconsistent")
            )
        return chainer

    def _parted(
        self, triples: Sequence[ValueTriple], chainer: Chainer
    ) -> tuple[list[ValueTriple], list[ValueTriple]]:
        """The triples that say the ontology, and the others: entries are then made once."""
        words, ontology = self._words, chainer.ontology
        properties = {*ontology.static_properties, words.first, words.rest}
        static: list[ValueTriple] = []
        data: list[ValueTriple] = []
        for triple in triples:
            _, p, o = triple
            is_static = p in properties or (p is words.type and o in ontology.static_classes)
            (static if is_static else data).append(triple)
        return static, data

    def background_triples(self) -> Iterator[ValueTriple]:
        """The background and what follows from it."""
        words = self._words
        hidden_by = () if self.axioms else (words.value("owl:Thing"), words.value("owl:Nothing"))
        hidden_with = (*hidden_by, words.value("owl:Class"))
        said = set(self._said) if self.profile == "owl-rl" and not self.axioms else set()
        for triple in self.background:
            s, _, o = triple
            if s in hidden_by and o in hidden_with and triple not in said:
                continue
            if self._is_shown(triple):
                yield triple

    def background_entailed(self) -> Iterator[ValueTriple]:
        """What follows from the background and is not said in it."""
        said = set(self._said)
        return (triple for triple in self.background_triples() if triple not in said)

    # --- elements --------------------------------------------------------------------------------------

    def enrich(self, triples: Sequence[ValueTriple]) -> Enriched:
        """What follows from the triples and the background, beyond what either says.

        EntailmentError when the limit is reached or, with the policy `fail`, triples clash; the next element
        can be enriched all the same.
        """
        if self.profile == "owlrl":
            return self._enrich_with_owlrl(triples)
        top = self._top
        record: list[Derived] = []
        if self.axioms and self.profile == "rdfs":
            top.agenda += [(*fact, "axiom") for fact in membership_facts(self._words, triples)]
        try:
            top.run(triples, record, self.max_entailments)
        except OntologyMoved:
            return self._without_demand().enrich(triples)
        finally:
            top.reset()
            clashes = self._clashes.take()
        shown = self._is_shown
        return Enriched([t for t in (d[:3] for d in record) if shown(t)], self._judged(clashes))

    def _enrich_with_owlrl(self, triples: Sequence[ValueTriple]) -> Enriched:
        closed, clashes = owlrl_closure(self.interner, [*self._said, *triples])
        new = [t for t in closed.difference(triples) if not self.background.has(*t)]
        if len(new) > self.max_entailments:
            raise TooManyEntailments(self.max_entailments, "owlrl", len(new))
        fresh = tuple(clash for clash in clashes if clash not in self.background_clashes)
        return Enriched(new, self._judged(() if self.inconsistency == "ignore" else fresh))

    def _without_demand(self) -> Enricher:
        """For elements that change the ontology: what then matters is known only afterwards."""
        if self._full is None:
            self._full = Enricher(
                self.interner,
                self._said,
                self.profile,
                rules=self._program,
                inconsistency=self.inconsistency,
                max_entailments=self.max_entailments,
            )
        return self._full

    def _is_shown(self, triple: ValueTriple) -> bool:
        """Whether it is a triple of RDF, and no noise."""
        s, p, _ = triple
        if type(p) is not Symbol or type(p.term) is not ox.NamedNode or p in self._words.internal:
            return False
        return self.axioms or not is_literal(s)

    def _new_clashes(self) -> Clashes:
        return Clashes(self._words.internal)

    def _judged(self, clashes: tuple[Clash, ...]) -> tuple[Clash, ...]:
        if clashes and self.inconsistency == "fail":
            raise InconsistentTriples(clashes)
        return clashes


def _solutions(
    rule: Rule, source: Source, chainer: Chainer
) -> tuple[tuple[str, ...], Iterable[tuple[Node, ...]]]:
    name, columns = source.schema[rule.name]
    return columns, chainer.ontology.functions[name]()


@contextmanager
def _no_collection() -> Iterator[None]:
    """Millions of new tuples and no garbage among them: collecting would take half of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
