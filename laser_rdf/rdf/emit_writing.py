"""Results → files: the graph, and in the default graph what is said about it (the RSP model).

In message logs and JSON lines both stand in one message. With `inside`, as stores have it, the graph says it
itself.
"""

from __future__ import annotations

from collections.abc import Callable

import pyoxigraph as ox

from laser_rdf.errors import UsageError
from laser_rdf.rdf.emit_graph import ResultGraph
from laser_rdf.rdf.timed_graph import TimedGraph
from laser_rdf.rdf.writing import _ENCODERS, DELIMITER, StreamWriter, Target


class ResultWriter(StreamWriter):
    """Writes results one by one, as `StreamWriter` does timed graphs, with what is said about them.

    >>> import io
    >>> from laser_rdf.rdf.emit_graph import Emission, Origin
    >>> origin = Origin(ox.NamedNode("urn:laser:program:p"), Emission.INSERTIONS)
    >>> out = io.BytesIO()
    >>> with ResultWriter(out, "nquads") as writer:
    ...     writer.write(ResultGraph("urn:g", 36, None, ["<urn:a> <urn:p> <urn:b>"], origin))
    >>> print(out.getvalue().decode().splitlines()[-1])
    <urn:a> <urn:p> <urn:b> <urn:g> .
    """

    def __init__(self, target: Target, format: str | None = None, *, inside: bool = False) -> None:
        super().__init__(target, format)
        self._inside = inside
        form = next(name for name, (encode, *_) in _ENCODERS.items() if encode is self._encode)
        self._bytes = _RESULTS.get(form)

    def write(self, graph: TimedGraph | ResultGraph) -> None:
        """Write one result; a timed graph is written as `StreamWriter` writes it."""
        data = self.encode(graph)
        try:
            self._file.write(data)
        except (OSError, ValueError) as problem:
            raise self._cannot(problem) from None

    def __enter__(self) -> ResultWriter:
        return self

    def encode(self, graph: TimedGraph | ResultGraph) -> bytes:
        """The bytes of one result, without writing them."""
        if isinstance(graph, TimedGraph):
            return super().encode(graph)
        if self._bytes is None:  # a format without a default graph
            return super().encode(graph.timed(inside=True))
        return self._bytes(graph, self._inside)


def _json_line(graph: ResultGraph, inside: bool) -> bytes:
    try:
        data = ox.serialize(graph.quads(inside=inside), format=ox.RdfFormat.JSON_LD)
    except (ValueError, TypeError, OSError) as problem:
        raise UsageError(f"cannot write this graph as JSON-LD: {problem}") from None
    assert data is not None
    return data.replace(b"\n", b"") + b"\n"


_RESULTS: dict[str, Callable[[ResultGraph, bool], bytes]] = {
    "trig": lambda graph, inside: graph.trig(inside=inside).encode(),
    "nquads": lambda graph, inside: graph.nquads(inside=inside).encode(),
    "trig-messages": lambda graph, inside: graph.trig(inside=inside).encode() + DELIMITER,
    "nquads-messages": lambda graph, inside: graph.nquads(inside=inside).encode() + DELIMITER,
    "json-lines": _json_line,
}
