"""Compiled event queries at work: the graph of a time point in, the events of that time point out.

Events are input of programs, so that windows see those of earlier time points. They are therefore not derived
by the program itself, whose rules say what holds now, but by an engine of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from laser_rdf.check import Mentions, check, mentions_of
from laser_rdf.lang.ast import Program
from laser_rdf.rdf.event_query import EventQuery
from laser_rdf.rdf.interner import Interner
from laser_rdf.rdf.symbol_domain import symbols_of
from laser_rdf.reasoning import Engine
from laser_rdf.reasoning.inputs import Batch, Element


class EventEngine:
    """Evaluates queries that have become rules.

    >>> import pyoxigraph as ox
    >>> from laser_rdf.check import Predicate
    >>> query = EventQuery.parse("hot", "SELECT ?s WHERE { ?s <urn:temperature> ?v FILTER(?v > 60) }")
    >>> terms = Interner()
    >>> events = EventEngine([query], terms)
    >>> rows = [(terms.value(ox.NamedNode("urn:hall")), 65), (terms.value(ox.NamedNode("urn:attic")), 20)]
    >>> events.at([(None, [(Predicate("urn:temperature", 2), rows)])])
    [(Predicate(name='urn:laser:local:hot', arity=1), ((Symbol(<urn:hall>),),))]
    """

    def __init__(
        self, queries: Sequence[EventQuery], interner: Interner, background: Sequence[Batch] = ()
    ) -> None:
        rules = tuple(rule for query in queries for rule in query.rules or ())
        checked = check(Program(rules))
        self.mentions: Mentions = mentions_of(checked)
        self._engine = Engine(checked, domain=symbols_of(interner), background_rows=background)
        self.always: Sequence[Batch] = self._engine.step_rows(0).added
        """The events of the background alone, which there are at every time point."""

        self._time = 0

    def at(self, elements: Iterable[Element]) -> Sequence[Batch]:
        """The events of a time point that are not there always."""
        # A step between two time points lets everything cease, so that what comes again is new again.
        self._engine.step_rows(self._time + 1)
        self._time += 2
        return self._engine.step_rows(self._time, elements).added
