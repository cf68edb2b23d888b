"""Results into a file: TriG, N-Quads or JSON lines, by suffix; `.gz` compresses.

In log mode the graphs follow each other as `ResultWriter` writes them. A batch goes to the file as a whole;
if that fails (a full disk), the file is cut back to where it was. In state mode the file is written beside
the old one at each flush and takes its place.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import sys
from pathlib import Path
from typing import cast

import pyoxigraph as ox

from laser_rdf.errors import SinkError, UsageError, escape_control
from laser_rdf.rdf.emit_graph import ResultGraph
from laser_rdf.rdf.emit_writing import ResultWriter
from laser_rdf.stream.results import GraphText, triples_of
from laser_rdf.stream.sink import Batches, Mode, Sink

_FORMATS = {
    "trig": ("trig", ox.RdfFormat.TRIG),
    "nq": ("nquads", ox.RdfFormat.N_QUADS),
    "jsonl": ("json-lines", ox.RdfFormat.JSON_LD),
    "ndjson": ("json-lines", ox.RdfFormat.JSON_LD),
}
_COMPRESSION = 6


class FileSink(Sink):
    """Writes to a file, anew or, with `append`, at its end; `-` is standard output, as TriG.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with FileSink(f"{folder}/out.nq", Mode.STATE) as sink:
    ...         sink.update("urn:g", added="<urn:a> <urn:p> <urn:b> .\\n")
    ...     print(Path(folder, "out.nq").read_text().strip())
    <urn:a> <urn:p> <urn:b> <urn:g> .
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        mode: Mode = Mode.LOG,
        batches: Batches | None = None,
        *,
        append: bool = False,
        metadata_graph: ox.NamedNode | None = None,
    ) -> None:
        self._path = os.fspath(path)
        super().__init__(f"file:{self._path}", mode, batches or Batches(), metadata_graph)
        plain = self._path.lower()
        self._compressed = plain.endswith(".gz")
        suffix = "trig" if plain == "-" else plain.removesuffix(".gz").rpartition(".")[2]
        if suffix not in _FORMATS:
            raise UsageError(f"`{self._shown}` must end in .trig, .nq or .jsonl, each with or without .gz")
        if mode is Mode.STATE and (append or plain == "-"):
            raise UsageError("a file in state mode is written whole: it cannot be appended to or be `-`")
        form, self._form = _FORMATS[suffix]
        self._encode = ResultWriter(io.BytesIO(), form).encode
        self._append = append
        self._pending: list[bytes] = []
        self._file: io.FileIO | None = None

    @property
    def _shown(self) -> str:
        return escape_control(self._path)

    def check(self) -> None:
        """See that the file can be written; what is in it stays until the first batch."""
        if self._path == "-":
            if sys.stdout is None:
                raise SinkError("there is no standard output to write to")
            return
        existed = os.path.lexists(self._path)
        try:
            with open(self._path, "ab"):
                pass
            if not existed:
                os.unlink(self._path)
        except (OSError, ValueError) as problem:
            raise self._cannot(problem) from None

    def _take(self, result: ResultGraph, text: GraphText) -> None:
        self._pending.append(self._encode(result))

    def _write(self) -> None:
        if self.mode is Mode.STATE:
            self._replace(self._packed(self._whole_state()))
        else:
            self._add(self._packed(b"".join(self._pending)))
            self._pending.clear()

    def _whole_state(self) -> bytes:
        quads = [
            ox.Quad(t.subject, t.predicate, t.object, ox.NamedNode(graph))
            for graph, content in self._state.held().items()
            for t in triples_of(content)
        ]
        try:
            data = cast(bytes, ox.serialize(quads, format=self._form))
        except (ValueError, TypeError, OSError) as problem:
            raise UsageError(f"cannot write this state as {self._form.name}: {problem}") from None
        return data.replace(b"\n", b"") + b"\n" if self._form == ox.RdfFormat.JSON_LD else data

    def _packed(self, data: bytes) -> bytes:
        # Every batch is a gzip file of its own: one after the other they are a gzip file, too.
        return gzip.compress(data, _COMPRESSION, mtime=0) if self._compressed else data

    def _add(self, data: bytes) -> None:
        if self._path == "-":
            self._print(data)
            return
        start: int | None = None
        try:
            file = self._opened()
            start = file.tell() if file.seekable() else None
            view = memoryview(data)
            while view:
                view = view[file.write(view) or 0 :]
        except (OSError, ValueError) as problem:
            if start is not None and self._file is not None:
                with contextlib.suppress(OSError):
                    self._file.truncate(start)
                    self._file.seek(start)
            raise self._cannot(problem) from None
        self._sent(data)

    def _opened(self) -> io.FileIO:
        if self._file is None:
            self._file = io.FileIO(self._path, "ab" if self._append else "wb")
        return self._file

    def _print(self, data: bytes) -> None:
        try:
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            raise  # the command line knows what to do when nobody reads any more
        except (OSError, ValueError) as problem:
            raise self._cannot(problem) from None
        self._sent(data)

    def _replace(self, data: bytes) -> None:
        path = Path(self._path)
        beside = path.with_name(f".{path.name}.new")
        try:
            beside.write_bytes(data)
            os.replace(beside, path)
        except (OSError, ValueError) as problem:
            with contextlib.suppress(OSError, ValueError):
                beside.unlink()
            raise self._cannot(problem) from None
        self._sent(data)

    def _sent(self, data: bytes) -> None:
        self.counters.requests += 1
        self.counters.bytes += len(data)

    def _close(self) -> None:
        try:
            if self._file is not None:
                self._file.close()
            elif self.mode is Mode.LOG and self._path != "-" and not self._pending:
                # A run without results leaves an empty file, not that of the run before.
                self._opened().close()
        except (OSError, ValueError) as problem:
            raise self._cannot(problem) from None

    def _cannot(self, problem: Exception) -> SinkError:
        reason = getattr(problem, "strerror", None) or problem
        return SinkError(f"cannot write `{self._shown}`: {reason}: choose another file, or make room for it")
