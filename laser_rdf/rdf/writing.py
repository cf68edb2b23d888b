"""Timed graphs → TriG, N-Quads, message logs, JSON lines, Jelly; gzip by suffix.

The stamp is written in the default graph, before the graph it belongs to. A graph without a name gets a blank
node for one where the format needs names; in messages and documents a blank node of its own carries the
stamp, and an empty graph has no name; in Turtle and N-Triples no graph has one.
"""

from __future__ import annotations

import dataclasses
import gzip
import os
import sys
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import IO, TYPE_CHECKING, cast

import pyoxigraph as ox

from laser_rdf.errors import UsageError, escape_control
from laser_rdf.rdf.stamps import PROV_GENERATED_AT_TIME, stamp_text
from laser_rdf.rdf.timed_graph import TimedGraph

if TYPE_CHECKING:
    from laser_rdf.rdf.write_jelly import JellyEncoder

Target = str | os.PathLike[str] | IO[bytes]
_Encode = Callable[[TimedGraph, bytes, bytes], bytes]
"""A graph, its name and its stamp, the last two as N-Triples, → the bytes of the element."""

VERSION_LABEL = b'VERSION "1.2-messages"\n'
DELIMITER = b"# @message\n"


def _serialize(triples: Iterable[ox.Triple] | Iterable[ox.Quad], form: ox.RdfFormat) -> bytes:
    try:
        data = ox.serialize(triples, format=form)
    except (ValueError, TypeError, OSError) as problem:
        raise UsageError(f"cannot write this graph as {form.name}: {problem}") from None
    assert data is not None
    return data


def _trig(graph: TimedGraph, name: bytes, stamp: bytes) -> bytes:
    # Turtle is what stands between the braces of TriG; it spares making quads.
    return b"%s%s {\n%s}\n" % (stamp, name, _serialize(graph.triples, ox.RdfFormat.TURTLE))


def _nquads(graph: TimedGraph, name: bytes, stamp: bytes) -> bytes:
    # In N-Triples a line break inside a literal is an escape: every " .\n" is the end of a triple.
    lines = _serialize(graph.triples, ox.RdfFormat.N_TRIPLES)
    return stamp + lines.replace(b" .\n", b" %s .\n" % name)


def _trig_message(graph: TimedGraph, name: bytes, stamp: bytes) -> bytes:
    if graph.name is not None:
        return _trig(graph, name, stamp) + DELIMITER
    return _turtle_message(graph, name, stamp)


def _nquads_message(graph: TimedGraph, name: bytes, stamp: bytes) -> bytes:
    if graph.name is not None:
        return _nquads(graph, name, stamp) + DELIMITER
    return _ntriples_message(graph, name, stamp)


def _turtle_message(graph: TimedGraph, name: bytes, stamp: bytes) -> bytes:
    return stamp + _serialize(graph.triples, ox.RdfFormat.TURTLE) + DELIMITER


def _ntriples_message(graph: TimedGraph, name: bytes, stamp: bytes) -> bytes:
    return stamp + _serialize(graph.triples, ox.RdfFormat.N_TRIPLES) + DELIMITER


def _json_line(graph: TimedGraph, name: bytes, stamp: bytes) -> bytes:
    home = graph.name or ox.DefaultGraph()
    quads = list(ox.parse(stamp, format=ox.RdfFormat.N_QUADS))
    quads += [ox.Quad(t.subject, t.predicate, t.object, home) for t in graph.triples]
    return _serialize(quads, ox.RdfFormat.JSON_LD).replace(b"\n", b"") + b"\n"


def _jelly_encoder() -> JellyEncoder:
    from laser_rdf.rdf.write_jelly import JellyEncoder

    return JellyEncoder()


def _jelly(graph: TimedGraph, name: bytes, stamp: bytes) -> bytes:
    return _jelly_encoder().encode(graph, stamp)


_ENCODERS: dict[str, tuple[_Encode, bytes, bool]] = {
    "trig": (_trig, b"", False),
    "nquads": (_nquads, b"", False),
    "turtle-messages": (_turtle_message, VERSION_LABEL, True),
    "trig-messages": (_trig_message, VERSION_LABEL, True),
    "ntriples-messages": (_ntriples_message, VERSION_LABEL, True),
    "nquads-messages": (_nquads_message, VERSION_LABEL, True),
    "json-lines": (_json_line, b"", True),
    "jelly": (_jelly, b"", True),
}
WRITE_FORMATS = tuple(_ENCODERS)
_NAMELESS = ("turtle-messages", "ntriples-messages")
_BY_SUFFIX = {
    "trig": "trig",
    "nq": "nquads",
    "ttl": "turtle-messages",
    "nt": "ntriples-messages",
    "jsonl": "json-lines",
    "ndjson": "json-lines",
    "jelly": "jelly",
}


class StreamWriter:
    """Writes timed graphs one by one to a file, standard output (`-`) or a binary stream.

    Without a `format` the suffix of the name decides; a name that ends in `.gz` is compressed. A file is
    closed at the end of a `with`, a stream of the caller's is only flushed.

    >>> import io
    >>> out = io.BytesIO()
    >>> with StreamWriter(out, "nquads") as writer:
    ...     writer.write(TimedGraph(36, name=ox.NamedNode("http://example.org/g")))
    >>> print(out.getvalue().decode().split()[2])
    "36"^^<http://www.w3.org/2001/XMLSchema#integer>
    """

    def __init__(
        self, target: Target, format: str | None = None, *, stamp: str = PROV_GENERATED_AT_TIME
    ) -> None:
        name = os.fspath(target) if isinstance(target, str | os.PathLike) else None
        if format is None and name is not None:
            format = _BY_SUFFIX.get(name.lower().removesuffix(".gz").rpartition(".")[2])
        if format not in _ENCODERS:
            shown = "" if format is None else f"`{escape_control(format)}` is none: "
            raise UsageError(f"{shown}give a format to write: {', '.join(WRITE_FORMATS)}")
        try:
            self._predicate = str(ox.NamedNode(stamp)).encode()
        except ValueError as problem:
            raise UsageError(f"the predicate of time stamps is not an IRI: {problem}") from None
        self._encode, head, self._in_messages = _ENCODERS[format]
        self._nameless = format in _NAMELESS
        self._jelly = _jelly_encoder() if format == "jelly" else None
        self._name = name or str(getattr(target, "name", "<stream>"))
        self._owned = name is not None and name != "-"
        self._unnamed = 0
        try:
            self._file = _opened(target)
            self._file.write(head)
        except (OSError, ValueError) as problem:
            raise self._cannot(problem) from None

    def write(self, graph: TimedGraph) -> None:
        """Write one element."""
        data = self.encode(graph)
        try:
            self._file.write(data)
        except (OSError, ValueError) as problem:
            raise self._cannot(problem) from None

    def encode(self, graph: TimedGraph) -> bytes:
        """The bytes of one element, without writing them."""
        name = graph.name
        if self._nameless or (self._in_messages and not graph.triples):
            # There a name, or that of an empty graph, would read as something the graph says.
            name, graph = None, dataclasses.replace(graph, name=None)
        if name is None:
            name = self._new_name(graph)
        home = str(name).encode()
        stamp = b"%s %s %s .\n" % (home, self._predicate, stamp_text(graph).encode())
        if self._jelly is not None:  # what a frame is depends on those before it
            return self._jelly.encode(graph, stamp)
        return self._encode(graph, home, stamp)

    def _new_name(self, graph: TimedGraph) -> ox.BlankNode:
        """A blank node that is not in the graph; counted, so that the same graphs make the same bytes."""
        terms = (term for triple in graph.triples for term in (triple.subject, triple.object))
        taken = {term.value for term in terms if isinstance(term, ox.BlankNode)}
        while True:
            label = f"element{self._unnamed}"
            self._unnamed += 1
            if label not in taken:
                return ox.BlankNode(label)

    def flush(self) -> None:
        """Hand over what has been written."""
        try:
            self._file.flush()
        except (OSError, ValueError) as problem:
            raise self._cannot(problem) from None

    def close(self) -> None:
        """Finish: close a file, flush a stream."""
        if not self._owned:
            self.flush()
            return
        try:
            self._file.close()
        except (OSError, ValueError) as problem:
            raise self._cannot(problem) from None

    def __enter__(self) -> StreamWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _cannot(self, problem: Exception) -> UsageError:
        reason = getattr(problem, "strerror", None) or problem
        return UsageError(f"cannot write `{escape_control(self._name)}`: {reason}")


def _opened(target: Target) -> IO[bytes]:
    if target == "-":
        if sys.stdout is None:
            raise UsageError("there is no standard output to write to")
        return sys.stdout.buffer
    if not isinstance(target, str | os.PathLike):
        return target
    if os.fspath(target).lower().endswith(".gz"):
        # No file name and no time inside: the same graphs make the same bytes.
        return cast(IO[bytes], _Gzip(open(target, "wb")))
    return open(target, "wb")


class _Gzip(gzip.GzipFile):
    """A gzip file that closes the file below it."""

    def __init__(self, below: IO[bytes]) -> None:
        super().__init__(filename="", mode="wb", fileobj=below, mtime=0)
        self._below = below

    def close(self) -> None:
        try:
            super().close()
        finally:
            if below := getattr(self, "_below", None):
                below.close()


def write_stream(
    graphs: Iterable[TimedGraph],
    target: Target,
    format: str | None = None,
    *,
    stamp: str = PROV_GENERATED_AT_TIME,
) -> int:
    """Write all graphs; gives how many there were.

    >>> import io
    >>> write_stream([TimedGraph(1), TimedGraph(2)], io.BytesIO(), "trig-messages")
    2
    """
    count = 0
    with StreamWriter(target, format, stamp=stamp) as writer:
        for graph in graphs:
            writer.write(graph)
            count += 1
    return count
