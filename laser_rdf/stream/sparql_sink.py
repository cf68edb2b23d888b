"""Results into a store by SPARQL 1.1 Update over HTTP, several graphs per request."""

from __future__ import annotations

import pyoxigraph as ox

from laser_rdf.errors import UsageError
from laser_rdf.rdf.emit_graph import ResultGraph
from laser_rdf.stream.credentials import Given
from laser_rdf.stream.endpoint import Endpoint
from laser_rdf.stream.results import GraphText
from laser_rdf.stream.sink import Batches, Mode, Sink
from laser_rdf.stream.update_text import CHECK, change_requests, replace_requests

VIRTUOSO_TRIPLES = 1000
"""Virtuoso 7 fails somewhere between 2,000 and 5,000 triples per operation."""


class SparqlSink(Sink):
    """POSTs updates to an address.

    A store that says it is Virtuoso gets at most 1,000 triples per request; `max_triples_per_request` sets a
    limit for others.
    """

    def __init__(
        self,
        url: str,
        mode: Mode = Mode.LOG,
        batches: Batches | None = None,
        *,
        credentials: Given = None,
        metadata_graph: ox.NamedNode | None = None,
        timeout: float = 60.0,
        max_triples_per_request: int | None = None,
    ) -> None:
        super().__init__(f"sparql:{url}", mode, batches or Batches(), metadata_graph)
        if max_triples_per_request is not None and max_triples_per_request < 1:
            raise UsageError("`max_triples_per_request` is at least 1")
        self._most = max_triples_per_request
        self._checked = False
        self._graphs: dict[str, GraphText] = {}
        self._endpoint = Endpoint(url, "SPARQL updates", credentials, timeout)

    def check(self) -> None:
        """Ask the store for an update that changes nothing."""
        server = self._post(CHECK)
        if self._most is None and "virtuoso" in server.lower():
            self._most = VIRTUOSO_TRIPLES
        self._checked = True

    def _take(self, result: ResultGraph, text: GraphText) -> None:
        # A graph that comes again replaces the one before and takes its turn after those that came meanwhile.
        self._graphs.pop(text.iri, None)
        self._graphs[text.iri] = text

    def _write(self) -> None:
        if not self._checked:
            self.check()  # the first request must not be one that is too large
        if self.mode is Mode.STATE:
            for change in self._state.changes():
                for request in change_requests(change, self._most):
                    self._post(request)
            return
        graphs = list(self._graphs.values())
        done = 0
        try:
            for count, request in replace_requests(graphs, self._most):
                self._post(request)
                done += count
        finally:
            for graph in graphs[:done]:
                del self._graphs[graph.iri]

    def _post(self, update: str) -> str:
        """Send an update; gives what the server calls itself."""
        body = update.encode()
        response = self._endpoint.send("POST", body, "application/sparql-update")
        self.counters.requests += 1
        self.counters.bytes += len(body)
        return str(response.headers.get("server", ""))

    def _close(self) -> None:
        self._endpoint.close()
