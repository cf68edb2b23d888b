"""What sinks write, as N-Triples: whole graphs in `log` mode, changes of graphs in `state` mode."""

from __future__ import annotations

from dataclasses import dataclass

import pyoxigraph as ox

from laser_rdf.rdf.emit_graph import ResultGraph
from laser_rdf.stream.lines import iri, lines


@dataclass(frozen=True, slots=True)
class GraphText:
    """A result as text: the lines of the graph, those about it, and the IRI of the graph for the latter.

    >>> print(GraphText("urn:g", "<urn:a> <urn:p> <urn:b> .\\n", "<urn:g> <urn:at> <urn:t> .\\n").inside)
    <urn:g> <urn:at> <urn:t> .
    <urn:a> <urn:p> <urn:b> .
    <BLANKLINE>
    """

    iri: str
    content: str
    about: str = ""
    home: str | None = None

    @property
    def size(self) -> int:
        """How many triples there are, counting those about the graph."""
        return self.content.count("\n") + self.about.count("\n")

    @property
    def inside(self) -> str:
        """What goes into the graph itself: all, unless there is another graph for what is said about it."""
        return self.about + self.content if self.home is None else self.content


def text_of(result: ResultGraph) -> GraphText:
    """The result as text that has been checked."""
    home = result.origin.metadata_graph
    name = iri(result.iri)[1:-1]
    about = lines(result.metadata)
    return GraphText(name, lines(result.statements), about, None if home is None else home.value)


@dataclass(frozen=True, slots=True)
class Change:
    """Some triples of a graph went, some came; both are N-Triples, a line each.

    With `anew` the graph holds nothing but `added` afterwards, whatever was there.

    >>> Change("urn:g", added="<urn:a> <urn:p> <urn:b> .\\n").added_triples[0].object.value
    'urn:b'
    """

    iri: str
    added: str = ""
    removed: str = ""
    anew: bool = False

    @property
    def name(self) -> ox.NamedNode:
        """The name of the graph as a term."""
        return ox.NamedNode(self.iri)

    @property
    def added_triples(self) -> tuple[ox.Triple, ...]:
        """What came, as terms."""
        return triples_of(self.added)

    @property
    def removed_triples(self) -> tuple[ox.Triple, ...]:
        """What went, as terms."""
        return triples_of(self.removed)


def triples_of(text: str) -> tuple[ox.Triple, ...]:
    """The triples of N-Triples text that has been checked."""
    return tuple([quad.triple for quad in ox.parse(text, format=ox.RdfFormat.N_TRIPLES)])
