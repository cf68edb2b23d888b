"""Results into the running program: a function that is called, an rdflib Dataset that is kept current."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import pyoxigraph as ox

from laser_rdf.rdf.emit_graph import ResultGraph
from laser_rdf.stream.results import Change, GraphText
from laser_rdf.stream.sink import Batches, Mode, Sink

if TYPE_CHECKING:
    import rdflib

Receiver = Callable[[ResultGraph], object] | Callable[[Change], object]


class CallableSink(Sink):
    """Calls a function with every result at once; in state mode with every change of a batch.

    >>> seen = []
    >>> with CallableSink(seen.append, Mode.STATE) as sink:
    ...     sink.update("urn:g", added="<urn:a> <urn:p> <urn:b> .\\n")
    >>> seen
    [Change(iri='urn:g', added='<urn:a> <urn:p> <urn:b> .\\n', removed='', anew=True)]
    """

    def __init__(self, function: Receiver, mode: Mode = Mode.LOG, batches: Batches | None = None) -> None:
        super().__init__(getattr(function, "__name__", "callable"), mode, batches or Batches())
        self._function: Callable[..., object] = function

    def check(self) -> None:
        """A function is always there."""

    def _take(self, result: ResultGraph, text: GraphText) -> None:
        self._function(result)
        self.counters.requests += 1

    def _write(self) -> None:
        if self.mode is Mode.STATE:
            for change in self._state.changes():
                self._function(change)
                self.counters.requests += 1

    def _close(self) -> None:
        pass


class RdflibSink(Sink):
    """Keeps a Dataset current: your own, or a new one, as `sink.dataset`.

    >>> sink = RdflibSink(Mode.STATE)
    >>> sink.update("urn:g", added="<urn:a> <urn:p> <urn:b> .\\n")
    >>> len(sink.dataset.graph("urn:g"))
    1
    """

    def __init__(
        self,
        mode: Mode = Mode.LOG,
        batches: Batches | None = None,
        *,
        dataset: rdflib.Dataset | None = None,
        metadata_graph: ox.NamedNode | None = None,
    ) -> None:
        super().__init__("rdflib", mode, batches or Batches(graphs=1), metadata_graph)
        import rdflib

        from laser_rdf.rdf.rdflib_terms import to_rdflib  # says how to install rdflib if it is not there

        self.dataset = rdflib.Dataset() if dataset is None else dataset
        self._term = to_rdflib

    def check(self) -> None:
        """A dataset in memory is always there; one of a store of your own is tried by looking at it."""
        next(iter(self.dataset.graphs()), None)

    def _take(self, result: ResultGraph, text: GraphText) -> None:
        triples = self._rdflib(result.triples)
        about = self._rdflib(result.metadata)
        graph = self._graph(result.name)
        graph.remove((None, None, None))
        if (place := result.origin.metadata_graph) is None:
            triples += about
        else:
            home = self._graph(place)
            home.remove((self._term(result.name), None, None))
            for triple in about:
                home.add(triple)
        for triple in triples:
            graph.add(triple)
        self.counters.requests += 1

    def _write(self) -> None:
        if self.mode is not Mode.STATE:
            return
        for change in self._state.changes():
            added, removed = self._rdflib(change.added_triples), self._rdflib(change.removed_triples)
            graph = self._graph(change.name)
            if change.anew:
                graph.remove((None, None, None))
            for triple in removed:
                graph.remove(triple)
            for triple in added:
                graph.add(triple)
            self.counters.requests += 1

    def _graph(self, name: ox.NamedNode) -> rdflib.Graph:
        return self.dataset.graph(self._term(name))

    def _rdflib(
        self, triples: Iterable[ox.Triple]
    ) -> list[tuple[rdflib.term.Node, rdflib.term.Node, rdflib.term.Node]]:
        return [(self._term(t.subject), self._term(t.predicate), self._term(t.object)) for t in triples]

    def _close(self) -> None:
        pass
