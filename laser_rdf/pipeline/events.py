"""The event queries of a program: compiled ones in an engine of their own, the others in a store."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pyoxigraph as ox

from laser_rdf.lang.ast import Program
from laser_rdf.rdf import Interner
from laser_rdf.rdf.event_engine import EventEngine
from laser_rdf.rdf.event_program import event_predicate
from laser_rdf.rdf.event_query import EventQuery
from laser_rdf.rdf.event_store import EventStore
from laser_rdf.reasoning.inputs import Batch, Element


class Events:
    """What queries find at a time point, as facts of the program that reads them.

    `store` gives the background as a store; it is asked for only if a query needs it.
    """

    def __init__(
        self,
        queries: Sequence[EventQuery],
        program: Program,
        interner: Interner,
        background: Sequence[Batch],
        store: Callable[[], EventStore],
    ) -> None:
        self._interner = interner
        self._names = {query.predicate: event_predicate(query, program) for query in queries}
        compiled = [query for query in queries if query.rules is not None]
        self._stored = [query for query in queries if query.rules is None]
        self._engine = EventEngine(compiled, interner, background) if compiled else None
        self._store = store() if self._stored else None

    @property
    def needs_triples(self) -> bool:
        """Whether there is a query for which the graph has to be put into a store."""
        return bool(self._stored)

    @property
    def always(self) -> list[Batch]:
        """The events of the background alone.

        A query that can lose a solution when triples come has none: what it finds, it finds in what came.
        """
        found = list(self._engine.always) if self._engine is not None else []
        if self._store is not None:
            found += self._solved([query for query in self._stored if query.is_monotone])
        return self._named(found)

    def at(self, elements: Sequence[Element], triples: Sequence[ox.Triple]) -> list[Batch]:
        """The events of a time point, of its facts and (for the store) its triples."""
        found = list(self._engine.at(elements)) if self._engine is not None else []
        if self._store is not None:
            with self._store.at(triples):
                found += self._solved(self._stored)
        return self._named(found)

    def _solved(self, queries: Sequence[EventQuery]) -> list[Batch]:
        assert self._store is not None
        value = self._interner.value
        found: list[Batch] = []
        for query in queries:
            rows = [tuple(map(value, row)) for row in self._store.solutions(query.text, query.source)]
            if rows:
                found.append((query.predicate, rows))
        return found

    def _named(self, batches: Sequence[Batch]) -> list[Batch]:
        """The facts by the names that the program has for them."""
        return [(self._names[predicate], rows) for predicate, rows in batches]
