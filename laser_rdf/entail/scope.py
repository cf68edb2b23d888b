"""Entailment over a window: what follows from the background and all that was said in the last time points.

    scope 10;  5: a isIn b;  9: b isIn c      →   a isIn c from 9 to 15

The rules of the profile are rules of the engine (see `scope_program`), which knows how long every triple
holds, so that nothing is ever searched for because something expired. (Barbieri et al., ESWC 2010, do it so.)

This is exact while the ontology stands still. As long as the window shows, or lets follow, a triple about the
ontology that the background does not have, everything is computed anew at each time point: slower, and exact,
too.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import pyoxigraph as ox

from laser_rdf.entail import owl_tables, rdfs_table
from laser_rdf.entail.chaining import Chainer
from laser_rdf.entail.clashes import Clash, Policy, ValueTriple
from laser_rdf.entail.datatypes import is_literal
from laser_rdf.entail.enricher import Enricher, Profile
from laser_rdf.entail.problems import EntailmentError, InconsistentTriples
from laser_rdf.entail.relevance import Demand
from laser_rdf.entail.rules import Node, Rule
from laser_rdf.entail.scope_engine import ClashKey, ScopeEngine
from laser_rdf.entail.scope_program import NotTranslatable, translate
from laser_rdf.errors import UsageError
from laser_rdf.lang.ast import Assignment, Program
from laser_rdf.rdf.interner import Interner, Symbol
from laser_rdf.rdf.vocabulary import INCONSISTENT

MAX_SCOPE = 10**15

_TABLES = frozenset({*owl_tables.TABLES, *rdfs_table.TABLE})


@dataclass(frozen=True, slots=True)
class ScopedAnswer:
    """How what is entailed changed, and the clashes that are new, at a time point."""

    time: int
    added: list[ValueTriple]
    removed: list[ValueTriple]
    clashes: tuple[Clash, ...]
    holds: Callable[[], list[ValueTriple]]
    """Everything entailed; to be asked before the next time point."""


class ScopedEnricher:
    """Keeps what follows from the background and the last time points, beyond what either says.

    >>> from laser_rdf.entail import interned
    >>> terms = Interner()
    >>> def triples(text): return interned(terms, (q.triple for q in ox.parse(text, ox.RdfFormat.TURTLE)))
    >>> transitive = "<urn:in> a <http://www.w3.org/2002/07/owl#TransitiveProperty> ."
    >>> scoped = ScopedEnricher(terms, triples(transitive), "owl-rl", scope=10)
    >>> scoped.enrich(5, triples("<urn:a> <urn:in> <urn:b> .")).added
    []
    >>> scoped.enrich(9, triples("<urn:b> <urn:in> <urn:c> .")).added
    [(Symbol(<urn:a>), Symbol(<urn:in>), Symbol(<urn:c>))]
    >>> scoped.next_time(), len(scoped.enrich(16, []).removed)
    (16, 1)
    """

    def __init__(
        self,
        interner: Interner,
        background: Iterable[ValueTriple],
        profile: Profile,
        scope: int,
        *,
        rules: Program | None = None,
        demand: Demand | None = None,
        axioms: bool = False,
        inconsistency: Policy = "warn",
        max_entailments: int = 100_000,
    ) -> None:
        if type(scope) is not int or not 0 <= scope <= MAX_SCOPE:
            raise UsageError(f"{scope!r} is no scope: a number of time points from 0 on")
        self.scope = scope
        self._fails = inconsistency == "fail"
        self.enricher = Enricher(
            interner,
            background,
            profile,
            rules=rules,
            demand=demand,
            axioms=axioms,
            # A clash stays as long as the window shows it; only its beginning is a failure.
            inconsistency="warn" if self._fails else inconsistency,
            max_entailments=max_entailments,
        )
        if self._fails and self.enricher.background_clashes:
            raise InconsistentTriples(self.enricher.background_clashes)
        self.recomputes: str | None = None
        """Because of what everything is computed anew at each time point, if that is always so."""
        self._now: int | None = None
        self._said: dict[ValueTriple, int] = {}
        """What the window shows, with when it was said last."""
        self._arrivals: deque[tuple[int, list[ValueTriple]]] = deque()
        self._derived: dict[ValueTriple, None] = {}
        """What the engine has, said or entailed."""
        self._entailed: dict[ValueTriple, None] = {}
        self._clashes: dict[ClashKey, Clash] = {}
        self._moving: set[ValueTriple] = set()
        """What the window says, or lets follow, about the ontology."""
        self._was_computed_anew = False
        self._answered: dict[ValueTriple, None] | None = None
        """What was entailed when the last answer was given, if an error came since."""
        self._chainer: Chainer = self.enricher._top
        self._work: ScopeEngine | None = None
        try:
            self._work = self._prepared(rules)
        except NotTranslatable as form:
            self.recomputes = str(form)

    # --- the interface ---------------------------------------------------------------------------------

    def enrich(self, time: int, triples: Sequence[ValueTriple]) -> ScopedAnswer:
        """Take what is said at a time point, which may be nothing; time must not go backwards.

        An EntailmentError if more than `max_entailments` triples are new or, with the policy `fail`, a clash
        is. The time point is taken all the same; the next answer has what changed since the last one.
        """
        if type(time) is not int or time < 0:
            raise UsageError(f"{time!r} is no time point: a whole number from 0 on")
        if self._now is not None and time < self._now:
            raise UsageError(f"time goes backwards: {time} after {self._now}")
        self._now = time
        gone = self._forget(time)
        fresh = self._take(time, triples)
        touched: dict[ValueTriple, None] = dict.fromkeys((*gone, *fresh))
        clashes = self._clashes
        if self._work is not None:
            instances = [triple for triple in fresh if not self._is_ontology(triple)]
            came, went, clashes = self._work.step(time, instances)
            for triple in went:
                self._note(triple, False)
            for triple in came:
                self._note(triple, True)
            touched.update(dict.fromkeys((*went, *came)))
        added, removed, clashes = self._settle(touched, clashes)
        new = tuple(clash for key, clash in clashes.items() if key not in self._clashes)
        self._clashes = dict(clashes)
        if self._answered is not None:
            added, removed = _difference(self._answered, self._entailed)
        try:
            self._judge(added, new)
        except EntailmentError:
            if self._answered is None:
                self._answered = dict.fromkeys((*self._entailed, *removed))
                for triple in added:
                    del self._answered[triple]
            raise
        self._answered = None
        return ScopedAnswer(time, added, removed, new, self.holds)

    def _judge(self, added: list[ValueTriple], clashes: tuple[Clash, ...]) -> None:
        if len(added) > self.enricher.max_entailments:
            self.enricher.enrich(list(self._said))  # which says by which rule
        if clashes and self._fails:
            raise InconsistentTriples(clashes)

    def holds(self) -> list[ValueTriple]:
        """What is entailed now and neither said in the window nor in the background's closure."""
        return list(self._entailed)

    def said(self) -> list[ValueTriple]:
        """What the window shows."""
        return list(self._said)

    def clashing(self) -> tuple[Clash, ...]:
        """The clashes that the window has now."""
        return tuple(self._clashes.values())

    def next_time(self) -> int | None:
        """The next time point at which something can change although nothing is said, if there is one."""
        expiry = self._arrivals[0][0] + self.scope + 1 if self._arrivals else None
        wake = self._work.engine.next_time() if self._work is not None else None
        return min((t for t in (expiry, wake) if t is not None), default=None)

    # --- the window ------------------------------------------------------------------------------------

    def _forget(self, time: int) -> list[ValueTriple]:
        """Drop what the window does not show any more."""
        gone = []
        while self._arrivals and self._arrivals[0][0] + self.scope < time:
            said_at, triples = self._arrivals.popleft()
            for triple in triples:
                if self._said.get(triple) == said_at:
                    del self._said[triple]
                    gone.append(triple)
                    if triple not in self._derived:
                        self._moving.discard(triple)
        return gone

    def _take(self, time: int, triples: Sequence[ValueTriple]) -> list[ValueTriple]:
        """Note what is said, each triple once."""
        distinct = list(dict.fromkeys(triples))
        if distinct:
            self._arrivals.append((time, distinct))
        below = self.enricher.background
        for triple in distinct:
            self._said[triple] = time
            if self._moves(triple) and not below.has(*triple):
                self._moving.add(triple)
        return distinct

    def _is_ontology(self, triple: ValueTriple) -> bool:
        _, p, o = triple
        words, ontology = self._chainer.words, self._chainer.ontology
        if p is words.type:
            return o in ontology.static_classes
        return p in ontology.static_properties or p is words.first or p is words.rest

    def _moves(self, triple: ValueTriple) -> bool:
        """Whether a new triple changes the ontology, or what matters of it."""
        s, p, o = triple
        chainer = self._chainer
        if p is chainer.words.same and chainer._relevance is not None:
            return any(chainer._is_schema(node, chainer._relevance) for node in (s, o))
        return self._is_ontology(triple)

    # --- what is entailed ------------------------------------------------------------------------------

    def _settle(
        self, touched: Iterable[ValueTriple], clashes: dict[ClashKey, Clash]
    ) -> tuple[list[ValueTriple], list[ValueTriple], dict[ClashKey, Clash]]:
        """Work out what is entailed now; how it changed."""
        before = self._entailed
        if self._work is None or self._moving:
            self._was_computed_anew = True
            found = self.enricher.enrich(list(self._said))
            self._entailed = dict.fromkeys(found.entailed)
            clashes = {(clash.rule, frozenset(clash.triples)): clash for clash in found.clashes}
        elif self._was_computed_anew:
            self._entailed = {triple: None for triple in self._derived if self._counts(triple)}
            self._was_computed_anew = False
        else:
            return (*self._update(touched), clashes)
        return (*_difference(before, self._entailed), clashes)

    def _update(self, touched: Iterable[ValueTriple]) -> tuple[list[ValueTriple], list[ValueTriple]]:
        entailed, derived = self._entailed, self._derived
        added, removed = [], []
        for triple in touched:
            counts = triple in derived and self._counts(triple)
            if counts and triple not in entailed:
                entailed[triple] = None
                added.append(triple)
            elif not counts and triple in entailed:
                del entailed[triple]
                removed.append(triple)
        return added, removed

    def _counts(self, triple: ValueTriple) -> bool:
        """Whether a triple that the engine has is entailed, not said, and a triple of RDF."""
        s, p, _ = triple
        is_rdf = type(p) is Symbol and type(p.term) is ox.NamedNode and not is_literal(s)
        return is_rdf and triple not in self._said

    def _note(self, triple: ValueTriple, holds: bool) -> None:
        """The engine says that a triple came, or went."""
        if not holds:
            self._derived.pop(triple, None)
            if triple not in self._said:
                self._moving.discard(triple)
            return
        self._derived[triple] = None
        if self._moves(triple) and not self.enricher.background.has(*triple):
            self._moving.add(triple)

    # --- wiring ----------------------------------------------------------------------------------------

    def _prepared(self, own: Program | None) -> ScopeEngine:
        enricher, chainer = self.enricher, self._chainer
        if enricher.axioms:
            raise NotTranslatable("axioms")
        if enricher.profile == "owlrl":
            raise NotTranslatable("the profile owlrl")
        if own is not None and chainer._active and _makes_literals(own, enricher):
            raise NotTranslatable("a rule that makes literals of datatypes that the ontology looks at")

        def solutions(rule: Rule) -> tuple[tuple[str, ...], Iterable[tuple[Node, ...]]]:
            name, columns = enricher._source.schema[rule.name]
            return columns, chainer.ontology.functions[name]()

        fact = enricher.inconsistency == "fact"
        translated = translate(
            [rule for rule in enricher._rules if rule.name in _TABLES],
            solutions,
            chainer.words,
            self.scope,
            own=own,
            matters=chainer._relevance,
            inconsistent=enricher.interner.value(ox.NamedNode(INCONSISTENT)) if fact else None,
        )
        return ScopeEngine(translated, enricher, chainer)


def _difference(
    before: dict[ValueTriple, None], now: dict[ValueTriple, None]
) -> tuple[list[ValueTriple], list[ValueTriple]]:
    """What was added and removed."""
    return [t for t in now if t not in before], [t for t in before if t not in now]


def _makes_literals(own: Program, enricher: Enricher) -> bool:
    """Whether heads of a user's rules can have literals that neither the window nor the background has."""
    if any(isinstance(item, Assignment) for rule in own.rules for item in rule.body):
        return True
    return any(is_literal(atom.object) for rule in enricher._rules for atom in rule.head)
