"""What a pipeline knows besides its streams: background, ontology, rules; and what follows from elements.

    files  →  triples of values  →  Enricher  →  background facts for the engines, entailments for elements

The triples of the files are not kept: what programs need is in the enricher, and when a program is
registered that needs more, the files are read again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import pyoxigraph as ox

from laser_rdf.check import Mentions
from laser_rdf.entail import Clash, Demand, Enricher, Policy, Profile, ScopedEnricher
from laser_rdf.errors import UsageError
from laser_rdf.lang.ast import Program
from laser_rdf.rdf import Interner
from laser_rdf.rdf.documents import OWL_IMPORTS, imports_of, read_document
from laser_rdf.rdf.event_store import EventStore
from laser_rdf.rdf.interner import ox_term
from laser_rdf.rdf.mapping import GraphMapping, ValueTriple, interned

Document = str | Path | Iterable[ox.Triple]
"""A file, a directory, or triples."""

_CHUNK = 10_000


@dataclass(slots=True)
class KnowledgeParts:
    """What a user gives."""

    background: list[Document] = field(default_factory=list)
    ontologies: list[Document] = field(default_factory=list)
    profile: Profile = "none"
    rules: Program | None = None
    inconsistency: Policy = "warn"
    max_entailments: int = 100_000
    full: bool = False
    axioms: bool = False
    scope: int | None = None
    """The time points before that count for what follows; None for the point alone."""


@dataclass(frozen=True, slots=True)
class Followed:
    """What follows at a time point, by the stream it is on, and what clashes."""

    by_stream: list[tuple[str | None, list[ValueTriple]]]
    clashes: tuple[Clash, ...]


class Knowledge:
    """The background and what follows from it, for the programs of a run."""

    def __init__(self, parts: KnowledgeParts, interner: Interner, mentions: Mentions) -> None:
        self._parts = parts
        self._interner = interner
        self.mentions = mentions
        self.imports: dict[str, None] = {}
        """What the documents want to import, which is not followed."""
        self._enricher = self._make_enricher() if self._reasons else None
        self._scoped: dict[tuple[str, ...], ScopedEnricher] = {}

    @property
    def _reasons(self) -> bool:
        return self._parts.profile != "none" or self._parts.rules is not None

    @property
    def enriches(self) -> bool:
        """Whether anything can follow from an element."""
        return self._enricher is not None

    @property
    def is_scoped(self) -> bool:
        """Whether what follows hangs on more than one time point."""
        return self._parts.scope is not None

    def background(self) -> Iterator[ValueTriple]:
        """The background with all that follows from it and somebody can use."""
        if self._enricher is not None:
            return iter(self._enricher.background_triples())
        return self._said()

    def enrich(
        self, time: int, on: tuple[str, ...], said: Mapping[str, Sequence[ValueTriple]], *, apart: bool
    ) -> Followed:
        """What follows from what was said on some streams at a time point, for programs that read `on`.

        `apart`: what follows from one stream alone is on that stream; what follows from several is on none.
        """
        assert self._enricher is not None
        union = [triple for triples in said.values() for triple in triples]
        if self._parts.scope is not None:
            answer = self._in_scope(on).enrich(time, union)
            return Followed([(on[0] if len(on) == 1 else None, answer.holds())], answer.clashes)
        enriched = self._enricher.enrich(union)
        if len(said) == 1:
            return Followed([(next(iter(said)), enriched.entailed)], enriched.clashes)
        if not apart:
            return Followed([(None, enriched.entailed)], enriched.clashes)
        found: list[tuple[str | None, list[ValueTriple]]] = [
            (name, self._enricher.enrich(triples).entailed) for name, triples in said.items()
        ]
        alone = {triple for _, triples in found for triple in triples}
        found.append((None, [triple for triple in enriched.entailed if triple not in alone]))
        return Followed(found, enriched.clashes)

    def _in_scope(self, on: tuple[str, ...]) -> ScopedEnricher:
        """What keeps the last time points of some streams; its background is closed already."""
        found = self._scoped.get(on)
        if found is None:
            assert self._enricher is not None
            parts = self._parts
            assert parts.scope is not None
            found = self._scoped[on] = ScopedEnricher(
                self._interner,
                self._enricher.background_triples(),
                parts.profile,
                parts.scope,
                rules=parts.rules,
                demand=self._demand(),
                axioms=parts.axioms,
                inconsistency=parts.inconsistency,
                max_entailments=parts.max_entailments,
            )
        return found

    def store(self) -> EventStore:
        """The background as a store, for queries that pyoxigraph evaluates."""
        return EventStore(map(as_triple, self.background()))

    def _said(self) -> Iterator[ValueTriple]:
        imports = self._interner.value(OWL_IMPORTS)
        for document in (*self._parts.background, *self._parts.ontologies):
            triples = iter(read_document(document) if isinstance(document, str | Path) else document)
            while chunk := list(islice(triples, _CHUNK)):
                triples_of_values = interned(chunk, self._interner)
                for triple in triples_of_values:
                    if triple[1] is imports:
                        self.imports.update(dict.fromkeys(imports_of([as_triple(triple)])))
                yield from triples_of_values

    def _demand(self) -> Demand | None:
        mentions = self.mentions
        if self._parts.full or mentions.everything or mentions.types:
            return None
        return Demand.of(mentions.predicates)

    def _make_enricher(self) -> Enricher:
        parts = self._parts
        return Enricher(
            self._interner,
            self._said(),
            parts.profile,
            rules=parts.rules,
            demand=self._demand(),
            axioms=parts.axioms,
            inconsistency=parts.inconsistency,
            max_entailments=parts.max_entailments,
        )


def as_triple(triple: ValueTriple) -> ox.Triple:
    """A triple of values as a triple of terms."""
    s, p, o = map(ox_term, triple)
    return ox.Triple(s, p, o)  # type: ignore[arg-type]


def background_mapping(interner: Interner, mentions: Mentions) -> GraphMapping:
    """The mapping of background: its order means nothing."""
    return GraphMapping(interner, Mentions(mentions.predicates, mentions.types, mentions.everything))


def existing(documents: Iterable[Document], base: Path) -> list[Document]:
    """The documents with paths relative to a directory; UsageError for one that is not there."""
    found: list[Document] = []
    for document in documents:
        if isinstance(document, str | Path):
            path = base / document
            if not path.exists():
                raise UsageError(f"there is no file `{document}`")
            found.append(path)
        else:
            found.append(list(document))
    return found
