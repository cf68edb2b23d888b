"""Tuple and partition windows of a program: which atoms count for which, in the order of their arrival."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from laser_rdf.check import TRIPLE, LastPer, Predicate
from laser_rdf.engine.counting import Content, Entry, LastAtoms
from laser_rdf.engine.tables import Row
from laser_rdf.lang.ast import Quantifier
from laser_rdf.plan.core import Counted
from laser_rdf.values import RDF_TYPE

if TYPE_CHECKING:
    from laser_rdf.reasoning.inputs import Facts


class Counters:
    """All windows of a program that count atoms."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._windows: list[tuple[Counted, LastAtoms]] = []
        self._time = -1
        self._seen: set[tuple[int, Predicate, Row]] = set()

    def __bool__(self) -> bool:
        return bool(self._windows)

    def arrive(self, atoms: Iterable[tuple[Predicate, Row]], stream: str | None, now: int) -> None:
        """Atoms arrive in this order; one that came before at this time point counts once."""
        if now != self._time:
            self._time, self._seen = now, set()
        for predicate, row in atoms:
            for number, (relation, window) in enumerate(self._windows):
                if relation.stream is not None and relation.stream != stream:
                    continue
                if (number, predicate, row) not in self._seen and self._counts(
                    (predicate, row, now), relation
                ):
                    self._seen.add((number, predicate, row))
                    window.arrive((predicate, row, now))

    def content(self, relation: Counted) -> Content:
        """What is in a window at present, as rows of its relation."""
        window = relation.window
        timed = relation.quantifier is Quantifier.AT

        def group(entry: Entry) -> tuple[Any, ...]:
            row = self._row(entry, relation.predicate) if isinstance(window, LastPer) else None
            return (
                ()
                if row is None or not isinstance(window, LastPer)
                else tuple(row[i] for i in window.positions)
            )

        def row_of(entry: Entry) -> Row | None:
            row = self._row(entry, relation.predicate)
            return (*row, entry[2]) if row is not None and timed else row

        content = Content(row_of)
        last = LastAtoms(window.count, group)
        last.listen(content.hear)
        self._windows.append((relation, last))
        return content

    def _row(self, entry: Entry, predicate: Predicate) -> Row | None:
        """An atom as the predicate sees it; `triple` sees classes and properties."""
        own, row, _ = entry
        if own == predicate:
            return row
        return self._facts.triple(own, row) if predicate == TRIPLE and own.arity in (1, 2) else None

    def _counts(self, entry: Entry, relation: Counted) -> bool:
        own, window = entry[0], relation.window
        if isinstance(window, LastPer):
            return self._row(entry, relation.predicate) is not None
        if window.name is None or (window.name == own.name and window.arity in (None, own.arity)):
            return True
        if window.name == TRIPLE.name:
            return own.arity in (1, 2) and window.arity in (None, 3)
        return window.name == RDF_TYPE and own.arity == 1 and window.arity in (None, 2)
