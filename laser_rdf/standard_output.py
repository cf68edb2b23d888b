"""Results on standard output: TriG, or JSON-LD line by line for machines."""

from __future__ import annotations

import io
import sys

from laser_rdf.errors import SinkError
from laser_rdf.rdf.emit_graph import ResultGraph
from laser_rdf.rdf.emit_writing import ResultWriter
from laser_rdf.stream import Batches, Mode, Sink
from laser_rdf.stream.results import GraphText

_AT_ONCE = Batches(graphs=1)
_SOON = Batches(seconds=0.2)


class StandardOutput(Sink):
    """Where results go when no sink is given; a person who watches sees each at once."""

    def __init__(self, format: str = "trig") -> None:
        watched = sys.stdout is not None and sys.stdout.isatty()
        super().__init__("standard output", Mode.LOG, _AT_ONCE if watched else _SOON)
        self._encode = ResultWriter(io.BytesIO(), format).encode
        self._pending: list[bytes] = []

    def check(self) -> None:
        """See that there is one."""
        if sys.stdout is None:
            raise SinkError("there is no standard output to write to: give a `--sink`")

    def _take(self, result: ResultGraph, text: GraphText) -> None:
        self._pending.append(self._encode(result))

    def _write(self) -> None:
        data = b"".join(self._pending)
        self._pending.clear()
        if hasattr(sys.stdout, "buffer"):
            sys.stdout.flush()
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        else:  # a stand-in that takes text only
            sys.stdout.write(data.decode())
        self.counters.requests += 1
        self.counters.bytes += len(data)

    def _close(self) -> None:
        pass
