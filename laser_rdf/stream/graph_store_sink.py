"""Results into a store by the SPARQL 1.1 Graph Store Protocol: each graph is PUT whole under its name.

Several requests are under way at once, over as many connections. A graph occurs once in a batch, and a batch
is complete before the next begins: what was taken last is what stays.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait

import pyoxigraph as ox

from laser_rdf.errors import UsageError
from laser_rdf.rdf.emit_graph import ResultGraph
from laser_rdf.stream.credentials import Given
from laser_rdf.stream.endpoint import Endpoint
from laser_rdf.stream.lines import iri
from laser_rdf.stream.results import GraphText
from laser_rdf.stream.sink import Batches, Mode, Sink

TURTLE = "text/turtle"
CHECK_GRAPH = "urn:laser:check"

_LITERAL = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"')


def turtle(lines: str) -> bytes:
    """N-Triples as Turtle in which no literal has a `<`.

    Virtuoso does not believe the content type but guesses it: with `"<html>"` in it, a graph is a web page.

    >>> turtle('<urn:a> <urn:p> "<b>" .')
    b'<urn:a> <urn:p> "\\\\u003Cb>" .'
    """
    return _LITERAL.sub(lambda found: found[0].replace("<", "\\u003C"), lines).encode()


class GraphStoreSink(Sink):
    """PUTs graphs to `URL?graph=NAME`. With a metadata graph, what is said about graphs is POSTed to that."""

    def __init__(
        self,
        url: str,
        mode: Mode = Mode.LOG,
        batches: Batches | None = None,
        *,
        credentials: Given = None,
        metadata_graph: ox.NamedNode | None = None,
        timeout: float = 60.0,
        connections: int = 4,
    ) -> None:
        super().__init__(f"gsp:{url}", mode, batches or Batches(), metadata_graph)
        if not 1 <= connections <= 64:
            raise UsageError("a sink has from 1 to 64 connections")
        # Each has a connection and a digest of its own, so that threads share nothing.
        self._endpoints = [Endpoint(url, "graphs by PUT", credentials, timeout) for _ in range(connections)]
        self._threads = ThreadPoolExecutor(connections, thread_name_prefix="laser-rdf-gsp")
        self._graphs: dict[str, str] = {}
        self._metadata: dict[str, dict[str, str]] = {}

    def check(self) -> None:
        """Put a graph into the store and take it out again."""
        endpoint = self._endpoints[0]
        check = f"{iri(CHECK_GRAPH)} " * 3
        endpoint.send("PUT", f"{check}.\n".encode(), TURTLE, CHECK_GRAPH)
        endpoint.send("DELETE", b"", TURTLE, CHECK_GRAPH)
        self.counters.requests += 2

    def _take(self, result: ResultGraph, text: GraphText) -> None:
        self._graphs[text.iri] = text.inside
        if text.home is not None:
            self._metadata.setdefault(text.home, {})[text.iri] = text.about

    def _write(self) -> None:
        if self.mode is Mode.STATE:
            for change in self._state.changes():
                self._graphs[change.iri] = self._state.content(change.iri)
        names = list(self._graphs)
        share = len(self._endpoints)
        tasks = [
            self._threads.submit(self._put, endpoint, names[start::share])
            for start, endpoint in enumerate(self._endpoints)
            if start < len(names)
        ]
        wait(tasks)
        for task in tasks:
            task.result()
        for home in list(self._metadata):
            about = turtle("".join(self._metadata[home].values()))
            self._endpoints[0].send("POST", about, TURTLE, home)
            del self._metadata[home]
            self._count_request(about)

    def _put(self, endpoint: Endpoint, names: Sequence[str]) -> None:
        for name in names:
            body = turtle(self._graphs[name])
            endpoint.send("PUT", body, TURTLE, name)
            del self._graphs[name]
            self._count_request(body)

    def _count_request(self, body: bytes) -> None:
        self.counters.requests += 1
        self.counters.bytes += len(body)

    def _close(self) -> None:
        self._threads.shutdown()
        for endpoint in self._endpoints:
            endpoint.close()
