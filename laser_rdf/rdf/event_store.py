"""Event queries that pyoxigraph evaluates: a store with the background, and the triples of one time point.

The triples of the time point are added to the background's graph and taken out again, except those that the
background has too. Two named graphs seen as one would be simpler and as fast, but pyoxigraph would then count
a triple twice that is in both.

pyoxigraph's store writes literals canonically: `"01"^^xsd:integer` becomes `1`, `xsd:long` `xsd:integer`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import pyoxigraph as ox

from laser_rdf.errors import EvaluationError, escape_control

OxTerm = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple
Solution = tuple[OxTerm, ...]


class EventStore:
    """The background, loaded once; `at` shows the triples of a time point for a while.

    >>> a, p = ox.NamedNode("urn:a"), ox.NamedNode("urn:p")
    >>> store = EventStore([ox.Triple(a, p, ox.Literal(1))])
    >>> with store.at([ox.Triple(a, p, ox.Literal(1)), ox.Triple(a, p, ox.Literal(2))]):
    ...     len(store)
    2
    >>> len(store)
    1
    """

    def __init__(self, background: Iterable[ox.Triple] | ox.Store = ()) -> None:
        """`background` is triples, or a store that has them in its default graph and is used as it is."""
        if isinstance(background, ox.Store):
            self._store = background
        else:
            self._store = ox.Store()
            self._store.bulk_extend(map(_quad, background))

    def __len__(self) -> int:
        return len(self._store)

    @contextmanager
    def at(self, triples: Iterable[ox.Triple]) -> Iterator[None]:
        """Add the triples of a time point; behind the `with` they are gone again."""
        store = self._store
        new = [quad for quad in map(_quad, triples) if quad not in store]
        store.extend(new)
        try:
            yield
        finally:
            for quad in new:
                store.remove(quad)

    def solutions(self, text: str, source: str) -> list[Solution]:
        """The solutions of a SELECT query now, each once, without those that leave a variable unbound."""
        try:
            found = self._store.query(text)
            assert isinstance(found, ox.QuerySolutions)
            width = range(len(found.variables))
            rows = dict.fromkeys(tuple(row[i] for i in width) for row in found)
        except (SyntaxError, ValueError, OSError, RuntimeError) as problem:
            shown = escape_control(f"{source}: {problem}")
            raise EvaluationError(f"{shown} (while the event query was evaluated)") from None
        return [row for row in rows if None not in row]


def _quad(triple: ox.Triple) -> ox.Quad:
    return ox.Quad(triple.subject, triple.predicate, triple.object)
