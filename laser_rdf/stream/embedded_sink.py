"""Results into an Oxigraph store in a directory, in this process. A batch is one transaction."""

from __future__ import annotations

import os
from pathlib import Path

import pyoxigraph as ox

from laser_rdf.errors import SinkError, UsageError, escape_control
from laser_rdf.rdf.emit_graph import ResultGraph
from laser_rdf.stream.results import GraphText
from laser_rdf.stream.sink import Batches, Mode, Sink
from laser_rdf.stream.update_text import change_requests, replace_requests

_MARK = "CURRENT"
"""A file that every such store has."""


class EmbeddedSink(Sink):
    """Writes to the store in a directory, which is made if it is not there; or to a store that is given.

    >>> store = ox.Store()
    >>> with EmbeddedSink(store, Mode.STATE) as sink:
    ...     sink.update("urn:g", added="<urn:a> <urn:p> <urn:b> .\\n")
    >>> len(store)
    1
    """

    def __init__(
        self,
        place: str | os.PathLike[str] | ox.Store,
        mode: Mode = Mode.LOG,
        batches: Batches | None = None,
        *,
        metadata_graph: ox.NamedNode | None = None,
    ) -> None:
        self._store = place if isinstance(place, ox.Store) else None
        self._path = Path() if isinstance(place, ox.Store) else Path(place)
        shown = "" if isinstance(place, ox.Store) else str(self._path)
        super().__init__(f"oxigraph:{shown}", mode, batches or Batches(), metadata_graph)
        self._graphs: dict[str, GraphText] = {}

    @property
    def store(self) -> ox.Store:
        """The store, to query it; while it is open, no other process can use the directory."""
        if self._closed:
            raise UsageError(f"the sink `{escape_control(self.target)}` is closed")
        if self._store is None:
            self._store = self._open()
        return self._store

    def check(self) -> None:
        """Open the store."""
        _ = self.store

    def _open(self) -> ox.Store:
        shown = escape_control(str(self._path))
        try:
            if self._path.is_dir() and any(self._path.iterdir()) and not (self._path / _MARK).exists():
                raise SinkError(
                    f"`{shown}` is a directory with other files in it: give a new or empty one, or a store"
                )
            return ox.Store(self._path)
        except (OSError, ValueError) as problem:
            reason = escape_control(" ".join(str(problem).split()))
            raise SinkError(
                f"cannot open the store in `{shown}`: {reason}: see that no other process has it open and "
                "that you may write there"
            ) from None

    def _take(self, result: ResultGraph, text: GraphText) -> None:
        self._graphs.pop(text.iri, None)
        self._graphs[text.iri] = text

    def _write(self) -> None:
        if self.mode is Mode.STATE:
            for change in self._state.changes():
                for request in change_requests(change):
                    self._update(request)
            return
        for count, request in replace_requests(list(self._graphs.values())):
            self._update(request)
            for name in list(self._graphs)[:count]:
                del self._graphs[name]

    def _update(self, text: str) -> None:
        try:
            self.store.update(text)
        except (OSError, ValueError, SyntaxError) as problem:
            reason = escape_control(" ".join(str(problem).split()))[:200]
            raise SinkError(
                f"the store in `{escape_control(str(self._path))}` does not take results: {reason}"
            ) from None
        self.counters.requests += 1
        self.counters.bytes += len(text)

    def _close(self) -> None:
        if self._store is not None:
            try:
                if str(self._path) != ".":
                    self._store.flush()
            except OSError as problem:
                shown = escape_control(str(self._path))
                raise SinkError(f"cannot finish the store in `{shown}`: {problem}") from None
            finally:
                self._store = None
