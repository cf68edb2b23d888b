"""The engine that keeps what a window entails, and what its rows mean."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from laser_rdf.check import CheckedProgram, Predicate
from laser_rdf.entail.chaining import Chainer
from laser_rdf.entail.clashes import Clash, ValueTriple
from laser_rdf.entail.datatypes import is_literal
from laser_rdf.entail.enricher import Enricher
from laser_rdf.entail.entries import DROPPED
from laser_rdf.entail.rules import Node
from laser_rdf.entail.scope_program import HOLDS, IS_KEPT, SAID, ScopeProgram, shown_rule
from laser_rdf.rdf.interner import Interner, Value
from laser_rdf.rdf.symbol_domain import SymbolDomain
from laser_rdf.reasoning import Engine
from laser_rdf.reasoning.inputs import Batch
from laser_rdf.values import XSD, Literal

ClashKey = tuple[str, frozenset[ValueTriple]]


class ScopeEngine:
    """Time points of triples in, changes of triples and clashes out."""

    def __init__(self, translated: ScopeProgram, enricher: Enricher, chainer: Chainer) -> None:
        self._meaning = translated.clashes
        self._chainer = chainer
        self._checks_literals = enricher.inconsistency != "ignore"
        hidden = chainer.words.internal
        known = [triple for triple in enricher.background if triple[1] not in hidden]
        rows: list[Batch] = [*translated.rows, (SAID, known)]
        self.engine = Engine(
            translated.program,
            start=0,
            max_derivations=enricher.max_entailments,
            domain=lambda program: _ScopeDomain(program, enricher.interner, chainer.words.same),
            background_rows=rows,
        )
        self._hidden = hidden
        self._clashes: dict[ClashKey, Clash] = {}
        self._always: frozenset[ClashKey] = frozenset()
        # What follows from the background alone comes now, and never goes.
        self._meanings(self.engine.step_rows(0).added, self._clashes)
        self._always = frozenset(self._clashes)
        self._clashes.clear()

    def step(
        self, time: int, fresh: Iterable[ValueTriple]
    ) -> tuple[list[ValueTriple], list[ValueTriple], dict[ClashKey, Clash]]:
        """Take what is said; the triples that came, those that went, and all clashes that there are now."""
        answer = self.engine.step_rows(time, [(None, [(SAID, list(self._taken(fresh)))])])
        added, removed = (
            [row for predicate, rows in batches if predicate == HOLDS for row in rows]
            for batches in (answer.added, answer.removed)
        )
        for key in self._meanings(answer.removed, {}):
            self._clashes.pop(key, None)
        self._meanings(answer.added, self._clashes)
        return added, removed, self._clashes

    def _taken(self, fresh: Iterable[ValueTriple]) -> Iterator[ValueTriple]:
        """The triples that matter, and the types of their literals."""
        chainer = self._chainer
        rdf_type, active, datatypes = chainer.words.type, chainer._active, chainer._datatypes
        for triple in fresh:
            s, p, o = triple
            if chainer._entries.of(p, o) is DROPPED or (p is chainer.words.same and s == o):
                continue
            yield triple
            if active and datatypes is not None and is_literal(o):
                for datatype in datatypes.classes(o):
                    if datatype in active:
                        yield o, rdf_type, datatype

    def _meanings(self, batches: Sequence[Batch], found: dict[ClashKey, Clash]) -> dict[ClashKey, Clash]:
        """The clashes that rows stand for."""
        for predicate, rows in batches:
            if predicate == HOLDS:
                if self._checks_literals and self._chainer._datatypes is not None:
                    for row in rows:
                        self._literal(row, found)
                continue
            for row in rows:
                self._found(predicate, row, found)
        return found

    def _found(self, predicate: Predicate, row: tuple[Node, ...], found: dict[ClashKey, Clash]) -> None:
        rule, names = self._meaning[predicate]
        triples = dict.fromkeys(t for t in shown_rule(rule, names, row) if t[1] not in self._hidden)
        values = dict(zip(names, row, strict=True))
        blamed = tuple(dict.fromkeys(values[node] for node in rule.blamed))
        self._add(Clash(rule.name, tuple(triples), blamed), found)

    def _literal(self, row: tuple[Node, ...], found: dict[ClashKey, Clash]) -> None:
        s, p, o = row
        datatypes = self._chainer._datatypes
        is_typed = p is self._chainer.words.type and is_literal(s)
        if is_typed and datatypes is not None and datatypes.contradicts(s, o):
            self._add(Clash("dt-not-type", ((s, p, o),)), found)

    def _add(self, clash: Clash, found: dict[ClashKey, Clash]) -> None:
        key = clash.rule, frozenset(clash.triples)
        if key not in self._always:
            found[key] = clash


class _ScopeDomain(SymbolDomain):
    """Symbols, and the function that the rules need."""

    def __init__(self, program: CheckedProgram, interner: Interner, same: Value) -> None:
        super().__init__(program, interner)
        self._same = same
        self._false, self._true = (self.encode(Literal(b, XSD + "boolean")) for b in ("false", "true"))

    def call(self, function: str, *args: Value) -> Value:
        """The value of a function."""
        if function == IS_KEPT:
            s, p, o = args
            return self._false if p is self._same and s == o else self._true
        value: Value = super().call(function, *args)
        return value
