"""The element of a stream: a graph and when it happened."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

import pyoxigraph as ox

if TYPE_CHECKING:
    import rdflib

Seconds = int | Fraction
GraphName = ox.NamedNode | ox.BlankNode


@dataclass(frozen=True, slots=True)
class TimedGraph:
    """A set of triples at a time point.

    `timestamp` is in seconds since 1970-01-01T00:00:00Z; None when the stream counts time points itself.
    `source` says where the graph came from (`log.trig:12`); two graphs that differ only in it are equal.

    >>> a = ox.NamedNode("http://example.org/a")
    >>> TimedGraph(36, (ox.Triple(a, a, a),)).triples[0].subject.value
    'http://example.org/a'
    """

    time: int
    triples: tuple[ox.Triple, ...] = ()
    timestamp: Seconds | None = None
    name: GraphName | None = None
    source: str = field(default="", compare=False)

    def to_rdflib(self) -> rdflib.Graph:
        """The triples as an rdflib graph of the same name.

        >>> len(TimedGraph(36).to_rdflib())
        0
        """
        from laser_rdf.rdf.rdflib_terms import rdflib_graph

        return rdflib_graph(self.triples, self.name)

    @staticmethod
    def from_rdflib(time: object, graph: rdflib.Graph) -> TimedGraph:
        """The timed graph of a time point, datetime or literal and an rdflib graph or dataset.

        >>> TimedGraph.from_rdflib(36, TimedGraph(36).to_rdflib())
        TimedGraph(time=36, triples=(), timestamp=None, name=None, source='<python>:1')
        """
        from laser_rdf.rdf.reading import from_python

        return next(from_python([(time, graph)]))  # type: ignore[list-item]
