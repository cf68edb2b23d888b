"""Event queries: a SPARQL SELECT over the graph of one time point defines a predicate.

    smoke.rq:  SELECT ?r ?room WHERE { ?r a ex:Smoke ; ex:in ?room }
      →  smoke(R, Room), at every time point at which the query has solutions

The graph is that of the time point: what came on the streams, what is entailed, and the background. Most
queries become rules and are evaluated by the engine; pyoxigraph evaluates the rest, with the same answers.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import pyoxigraph as ox

from laser_rdf.check import Mentions, Predicate
from laser_rdf.errors import UsageError, escape_control
from laser_rdf.lang.ast import Rule
from laser_rdf.lang.names import BUILT_IN_CONDITIONS, TRIPLE_WORD, is_name
from laser_rdf.rdf.event_algebra import rules_of
from laser_rdf.rdf.event_expressions import Leave
from laser_rdf.rdf.event_mentions import EVERYTHING, mentions_in
from laser_rdf.rdf.event_store import EventStore, Solution
from laser_rdf.rdf.event_text import QueryText
from laser_rdf.values import LOCAL_BASE

_LOSING = re.compile(
    r"\b(?:optional|minus|exists|bound|limit|offset|group|having|count|sum|avg|min|max|sample|group_concat)\b",
    re.IGNORECASE,
)
"""Words without which a query cannot lose a solution when triples come."""


@dataclass(frozen=True, slots=True)
class EventQuery:
    """A query that defines the predicate of its name; its variables are the arguments.

    `rules` derive the predicate; None if the query is left to pyoxigraph, for the `reason` given then.

    >>> query = EventQuery.parse("hot", "SELECT ?s WHERE { ?s <urn:temperature> ?v FILTER(?v > 60) }")
    >>> query.predicate, query.variables
    (Predicate(name='urn:laser:local:hot', arity=1), ('s',))
    >>> from laser_rdf.lang.ast import Program
    >>> print(Program(query.rules), end="")
    hot(?s) :- { ?s <urn:temperature> ?v . ?v > 60 } .
    >>> EventQuery.parse("cold", "SELECT ?s { ?s <urn:t> ?v OPTIONAL { ?s <urn:u> ?w } }").reason
    'OPTIONAL'
    """

    name: str
    variables: tuple[str, ...]
    rules: tuple[Rule, ...] | None
    reason: str
    text: str = field(repr=False)
    source: str = field(repr=False)
    _mentions: Mentions = field(repr=False)

    @classmethod
    def parse(cls, name: str, text: str, source: str = "<event query>") -> EventQuery:
        """The query in `text`; an InputError that names `source`, line and column if it cannot be used."""
        if not is_name(name) or name in BUILT_IN_CONDITIONS or name == TRIPLE_WORD:
            raise UsageError(
                f"`{escape_control(name)}` cannot be the name of an event: write a name that begins with a "
                "small letter and means nothing else in a program"
            )
        variables, algebra = QueryText(text, source).algebra()
        if isinstance(algebra, str):
            return cls(name, variables, None, algebra, text, source, EVERYTHING)
        rules, reason = None, ""
        try:
            rules = rules_of(algebra, variables, LOCAL_BASE + name)
        except Leave as left:
            reason = str(left)
        return cls(name, variables, rules, reason, text, source, mentions_in(algebra))

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> EventQuery:
        """The query of a file such as `queries/smoke.rq`; the file's name is the event's."""
        name = os.fspath(path)
        try:
            text = Path(path).read_text(encoding="utf-8")
        except (OSError, ValueError) as problem:
            reason = getattr(problem, "strerror", None) or "it is not UTF-8"
            raise UsageError(f"cannot read `{escape_control(name)}`: {reason}") from None
        return cls.parse(Path(path).stem, text, name)

    @property
    def predicate(self) -> Predicate:
        """The predicate that the query defines in a program with the default base."""
        return Predicate(LOCAL_BASE + self.name, len(self.variables))

    @property
    def is_monotone(self) -> bool:
        """Whether more triples can only mean more solutions; a query that might be otherwise is not.

        >>> EventQuery.parse("near", "SELECT ?a ?b WHERE { ?a <urn:next>+ ?b }").is_monotone
        True
        """
        return self.rules is not None or _LOSING.search(self.text) is None

    def mentions(self) -> Mentions:
        """The classes and properties that the query can look at, or everything."""
        return self._mentions

    def solutions(
        self, triples: Iterable[ox.Triple] = (), background: EventStore | ox.Store | None = None
    ) -> list[Solution]:
        """What pyoxigraph finds in the triples of a time point together with the background.

        A solution that leaves a variable unbound is no atom: it is left out. The background alone is asked
        when there are no triples. Several queries at one time point: see `EventStore.at`.

        >>> query = EventQuery.parse("knows", "SELECT ?x ?y WHERE { ?x <urn:knows>+ ?y }")
        >>> a, knows = ox.NamedNode("urn:a"), ox.NamedNode("urn:knows")
        >>> query.solutions([ox.Triple(a, knows, a)])
        [(<NamedNode value=urn:a>, <NamedNode value=urn:a>)]
        """
        store = background if isinstance(background, EventStore) else EventStore(background or ())
        with store.at(triples):
            return store.solutions(self.text, self.source)
