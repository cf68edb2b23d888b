"""Where bytes come from: files, gzip files, directories, standard input, growing files, bytes in memory.

What leaves is, per file, a name and an iterator of chunks. An empty chunk means that nothing has come for a
while and more may follow; it is sent for growing files only. Every failure to read is an InputError at the
line that was reached, or a UsageError when there is nothing to read at all.
"""

from __future__ import annotations

import os
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import IO

from laser_rdf.errors import UsageError
from laser_rdf.rdf.problems import Piece

STANDARD_INPUT = "-"
CHUNK = 1 << 16
_GZIP_MAGIC = b"\x1f\x8b"
_GZIP_WINDOW = 31  # zlib's number for "gzip header, largest window"

Source = str | os.PathLike[str] | bytes | IO[bytes]


@dataclass(frozen=True, slots=True)
class Follow:
    """Read a file as it grows: look again every `poll` seconds until `stop` says so."""

    stop: Callable[[], bool] = field(default=lambda: False)
    poll: float = 0.2


@dataclass(slots=True)
class Input:
    """One file of a stream: its name and its bytes, chunk by chunk, with gzip undone."""

    name: str
    open: Callable[[], IO[bytes]]
    follow: Follow | None = None
    close: bool = True

    def chunks(self) -> Iterator[bytes]:
        """The bytes; an empty chunk when a growing file stands still."""
        try:
            file = self.open()
        except (OSError, ValueError) as problem:
            raise UsageError(f"cannot read `{self.name}`: {_reason(problem)}") from None
        lines = 0
        try:
            for chunk in _plain(self._raw(file), self.follow is not None):
                yield chunk
                lines += chunk.count(b"\n")
        except (OSError, ValueError, EOFError, zlib.error) as problem:
            raise Piece(self.name, b"", lines + 1).error(
                "I106", f"cannot read on: {_reason(problem)}", "what stands before this place has been read"
            ) from None
        finally:
            if self.close:
                file.close()

    def _raw(self, file: IO[bytes]) -> Iterator[bytes]:
        # `read1` gives what a pipe has; `read` would wait for a full chunk.
        read = getattr(file, "read1", file.read)
        while True:
            if chunk := read(CHUNK):
                if not isinstance(chunk, bytes):
                    raise UsageError(f"`{self.name}` gives text: open it in binary mode")
                yield chunk
            elif self.follow is None or self.follow.stop():
                return
            else:
                yield b""
                time.sleep(self.follow.poll)


def inputs(source: Source, name: str | None = None, follow: Follow | None = None) -> Iterator[Input]:
    """The files of a source, those of a directory sorted by name; hidden ones are left out.

    >>> [b"".join(found.chunks()) for found in inputs(b"<http://example.org/a>")]
    [b'<http://example.org/a>']
    """
    import io

    if isinstance(source, bytes):
        yield Input(name or "<bytes>", lambda: io.BytesIO(source))
    elif not isinstance(source, str | os.PathLike):
        yield Input(name or str(getattr(source, "name", "<stream>")), lambda: source, follow, close=False)
    elif source == STANDARD_INPUT:
        yield Input(name or "<stdin>", _standard_input, close=False)
    else:
        path = Path(source)
        if not _is_directory(path):
            yield Input(name or str(source), partial(_opened, path), follow)
            return
        if follow is not None:
            raise UsageError(f"`{path}` is a directory: only a file can be followed")
        try:
            files = sorted(p for p in path.iterdir() if p.is_file() and not p.name.startswith("."))
        except OSError as problem:
            raise UsageError(f"cannot read `{path}`: {_reason(problem)}") from None
        for file in files:
            yield Input(str(file), partial(_opened, file))


def _opened(path: Path) -> IO[bytes]:
    return open(path, "rb")


def _is_directory(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def _standard_input() -> IO[bytes]:
    if sys.stdin is None:
        raise UsageError("there is no standard input to read from")
    return sys.stdin.buffer


def _reason(problem: Exception) -> str:
    return str(getattr(problem, "strerror", None) or problem or type(problem).__name__)


def _plain(raw: Iterator[bytes], growing: bool) -> Iterator[bytes]:
    """The chunks with gzip undone, if they start as gzip does, whatever the file is called."""
    head = b""
    for chunk in raw:
        if not chunk:
            yield chunk
            continue
        head += chunk
        if len(head) >= len(_GZIP_MAGIC):
            break
    if not head.startswith(_GZIP_MAGIC):
        if head:
            yield head
        yield from raw
        return
    if growing:
        raise ValueError("a gzip file cannot be followed")
    yield from _unzipped(head, raw)


def _unzipped(head: bytes, raw: Iterator[bytes]) -> Iterator[bytes]:
    """The members of a gzip file one after the other, never more than a chunk at a time."""
    unzip = zlib.decompressobj(_GZIP_WINDOW)
    data = head
    while True:
        while data:
            if unzip.eof:
                # Zeros after the last member are padding, as with `gzip -d`.
                data = data.lstrip(b"\0")
                if not data:
                    break
                unzip = zlib.decompressobj(_GZIP_WINDOW)
            if chunk := unzip.decompress(data, CHUNK):
                yield chunk
            data = unzip.unused_data if unzip.eof else unzip.unconsumed_tail
        try:
            data = next(raw)
        except StopIteration:
            break
    if not unzip.eof:
        raise EOFError("the gzip file is truncated")
