"""What all sinks have in common: two modes, batches by count and by time, counters.

    log     write(result)                       one graph per time point, replaced whole: a replay overwrites
    state   update(graph, added, removed)       one graph per program that always equals the current answer
            replace(graph, triples)             the same, told by all that holds

A sink keeps what it has taken until `flush` has written it; when that fails, it is still there, and the next
`flush` tries again. Nothing here waits or retries: who wants that wraps `flush`.
"""

from __future__ import annotations

import contextlib
import enum
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from time import monotonic
from types import TracebackType
from typing import Self

import pyoxigraph as ox

from laser_rdf.errors import SinkError, UsageError, escape_control
from laser_rdf.rdf.emit_graph import Origin, ResultGraph
from laser_rdf.stream.lines import Triples
from laser_rdf.stream.results import GraphText, text_of
from laser_rdf.stream.state import State

USUAL_BATCH = 500


class Mode(enum.Enum):
    """What the graphs of a sink are: a log of results, or the state of each program."""

    LOG = "log"
    STATE = "state"


@dataclass(slots=True)
class Counters:
    """What a sink has written: graphs (or changes) and triples, requests made, bytes sent."""

    graphs: int = 0
    triples: int = 0
    requests: int = 0
    bytes: int = 0


@dataclass(frozen=True, slots=True)
class Batches:
    """When to flush: after so many graphs, and when the oldest has waited so many seconds.

    >>> Batches(graphs=0)
    Traceback (most recent call last):
    ...
    laser_rdf.errors.UsageError: a batch has at least one graph
    """

    graphs: int = USUAL_BATCH
    seconds: float = 1.0

    def __post_init__(self) -> None:
        if self.graphs < 1:
            raise UsageError("a batch has at least one graph")
        if not self.seconds >= 0:
            raise UsageError("the seconds of a batch are 0 or more")


class Sink(ABC):
    """Takes results and puts them where they belong. Use it in a `with`, or close it at the end.

    Of a subclass: `check` looks whether writing will work, `_take` remembers or writes a result, `_write`
    writes what was remembered, `_close` lets go of files and connections.
    """

    def __init__(
        self, target: str, mode: Mode, batches: Batches, metadata_graph: ox.NamedNode | None = None
    ) -> None:
        self.target = target
        self.mode = mode
        self.counters = Counters()
        self._batches = batches
        self._metadata_graph = metadata_graph
        self._origins: dict[Origin, Origin] = {}
        self._state = State()
        self._waiting = self._waiting_triples = 0
        self._since = 0.0
        self._closed = False

    @abstractmethod
    def check(self) -> None:
        """See that results can be written, before there are any; SinkError says what to change."""

    @abstractmethod
    def _take(self, result: ResultGraph, text: GraphText) -> None:
        """Take a result in log mode, as it is and as text that has been checked."""

    @abstractmethod
    def _write(self) -> None:
        """Write all that was taken."""

    @abstractmethod
    def _close(self) -> None:
        """Let go of files and connections."""

    def write(self, result: ResultGraph) -> None:
        """Take a result graph, in log mode; it replaces the graph of the same name."""
        self._expect(Mode.LOG)
        result = self._at_home(result)
        text = text_of(result)
        self._take(result, text)
        self._count(text.content.count("\n"))

    def _at_home(self, result: ResultGraph) -> ResultGraph:
        """The result with the sink's metadata graph, if that has one, in place of its own."""
        if self._metadata_graph is None:
            return result
        origin = self._origins.get(result.origin)
        if origin is None:
            origin = replace(result.origin, metadata_graph=self._metadata_graph)
            self._origins[result.origin] = origin
        return ResultGraph(result.iri, result.time, result.timestamp, result.statements, origin)

    def update(self, graph: str | ox.NamedNode, added: Triples = (), removed: Triples = ()) -> None:
        """Change the graph of a program, in state mode: `removed` go, then `added` come.

        Triples are terms, or N-Triples such as `ResultGraph.statements`. The first call for a graph
        empties it, also when nothing is added: what a run before has left is not the current answer.
        """
        self._expect(Mode.STATE)
        self._count(self._state.change(_iri(graph), added, removed))

    def replace(self, graph: str | ox.NamedNode, triples: Triples) -> None:
        """The graph of a program holds exactly these triples now, in state mode."""
        self._expect(Mode.STATE)
        self._count(self._state.replace(_iri(graph), triples))

    def flush(self) -> None:
        """Write what has been taken; what a SinkError kept from being written is still there."""
        if self._closed:
            raise UsageError(f"the sink `{escape_control(self.target)}` is closed")
        if self._waiting:
            self._write()
            self._state.written()
            self.counters.graphs += self._waiting
            self.counters.triples += self._waiting_triples
            self._waiting = self._waiting_triples = 0

    def flush_if_due(self) -> None:
        """Flush if something has waited long enough; to be called now and then when nothing comes."""
        if self._waiting and monotonic() - self._since >= self._batches.seconds:
            self.flush()

    def close(self) -> None:
        """Flush and let go of files and connections; closing twice does nothing."""
        if self._closed:
            return
        try:
            self.flush()
        finally:
            self._closed = True
            self._close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
            return
        with contextlib.suppress(SinkError):  # the error under way says more
            self.close()

    def _expect(self, mode: Mode) -> None:
        if self._closed:
            raise UsageError(f"the sink `{escape_control(self.target)}` is closed")
        if mode is not self.mode:
            call = "`write`" if self.mode is Mode.LOG else "`update` or `replace`"
            raise UsageError(f"a sink in {self.mode.value} mode takes {call}")

    def _count(self, triples: int) -> None:
        self._waiting_triples += triples
        if not self._waiting:
            self._since = monotonic()
        self._waiting += 1
        if self._waiting >= self._batches.graphs:
            self.flush()
        else:
            self.flush_if_due()


def _iri(graph: str | ox.NamedNode) -> str:
    return graph if isinstance(graph, str) else graph.value
