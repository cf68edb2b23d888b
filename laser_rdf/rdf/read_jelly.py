"""Reading Jelly: one frame per element, as with messages; needs `laser-rdf[jelly]`.

A frame has no lines: in places its number stands for the line. Frames refer to what frames before them said,
so one that cannot be decoded ends the reading, whatever the policy. Blank nodes are those of their frame.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import pyoxigraph as ox

from laser_rdf.errors import InputError, LaserError, UsageError
from laser_rdf.rdf.elements import Quads, Reading, named
from laser_rdf.rdf.problems import Piece
from laser_rdf.rdf.read_messages import Messages
from laser_rdf.rdf.sources import Input
from laser_rdf.rdf.timed_graph import TimedGraph

try:
    from pyjelly import jelly
    from pyjelly.parse.decode import Adapter, Decoder, options_from_frame
    from pyjelly.parse.ioutils import delimited_jelly_hint
except ImportError as missing:  # pragma: no cover - the development environment has it
    raise UsageError("pyjelly is not installed: `pip install 'laser-rdf[jelly]'`") from missing

_HINT = 3
_MAX_VARINT = 10


class FramePiece(Piece):
    """The bytes of a frame, which are kept but not shown: they are no text."""

    __slots__ = ()

    def located(self) -> Piece:
        """Itself."""
        return self

    def error(
        self, code: str, message: str, note: str, line: int = 1, column: int = 1, width: int = 1
    ) -> InputError:
        """The error at this frame."""
        return Piece(self.source, b"", self.line).error(code, f"frame {self.line}: {message}", note)


def read_jelly(source: Input, reading: Reading) -> Iterator[TimedGraph]:
    """The frames of a Jelly file."""
    messages = Messages(source.name, reading, ox.RdfFormat.N_QUADS)
    decoder: Any = None
    for piece in _frames(source, reading.limit):
        try:
            frame = jelly.RdfStreamFrame.FromString(piece.data)
            if decoder is None and frame.rows:
                decoder = Decoder(_Terms(options_from_frame(frame, delimited=True)))
            quads = _decoded(frame, decoder, messages.scope_of_next()) if frame.rows else []
        except LaserError:
            raise
        except Exception as problem:
            # Bytes that are no Jelly make pyjelly and protobuf raise nearly everything.
            reason = str(problem).partition("\n")[0] or type(problem).__name__
            raise piece.error(
                "I101", f"not Jelly: {reason}", "write it anew; what follows refers to this frame"
            ) from None
        yield from messages.deliver(quads, piece)


@dataclass(frozen=True, slots=True)
class _Label:
    """A blank node whose frame is not known yet: a term may be repeated in a later one."""

    label: str


class _Terms(Adapter):  # type: ignore[misc]
    """Terms as the decoder meets them; statements are put together by `_decoded`."""

    graph: Any = ox.DefaultGraph()

    def iri(self, iri: str) -> ox.NamedNode:
        """An IRI."""
        return ox.NamedNode(iri)

    def bnode(self, bnode: str) -> _Label:
        """A blank node."""
        return _Label(bnode)

    def default_graph(self) -> ox.DefaultGraph:
        """The name of the default graph."""
        return ox.DefaultGraph()

    def literal(self, lex: str, language: str | None = None, datatype: str | None = None) -> ox.Literal:
        """A literal."""
        if language:
            return ox.Literal(lex, language=language)
        return ox.Literal(lex, datatype=ox.NamedNode(datatype)) if datatype else ox.Literal(lex)

    def triple(self, terms: Iterable[Any]) -> tuple[Any, ...]:
        """A triple of the current graph."""
        return (*terms, self.graph)

    def quad(self, terms: Iterable[Any]) -> tuple[Any, ...]:
        """A quad."""
        return tuple(terms)

    def quoted_triple(self, terms: Iterable[Any]) -> tuple[Any, ...]:
        """A triple term."""
        return tuple(terms)

    def graph_start(self, graph_id: Any) -> None:
        """What follows is of this graph."""
        self.graph = graph_id

    def graph_end(self) -> None:
        """What follows is of the default graph."""
        self.graph = ox.DefaultGraph()

    def namespace_declaration(self, name: str, iri: str) -> None:
        """A prefix, of no meaning here."""
        return None


def _decoded(frame: Any, decoder: Any, scope: str) -> Quads:
    names: dict[str, ox.BlankNode] = {}

    def term(found: Any) -> Any:
        if isinstance(found, _Label):
            return names.setdefault(found.label, ox.BlankNode(f"{scope}-{len(names)}"))
        return ox.Triple(*map(term, found)) if isinstance(found, tuple) else found

    rows = [row for row in decoder.iter_rows(frame) if row is not None]
    return [(named(term(name)), ox.Triple(term(s), term(p), term(o))) for s, p, o, name in rows]


def _frames(source: Input, limit: int) -> Iterator[FramePiece]:
    """The frames, those of a stream behind their lengths, or a single one that is the whole file."""
    file = _Bytes(source.chunks())
    number = 1
    head = file.look(_HINT)
    if head and not delimited_jelly_hint(head):
        whole = file.take(limit + 1)
        _check_size(len(whole), limit, source.name, number)
        yield FramePiece(source.name, whole, number)
        return
    while (size := _varint(file, source.name, number)) is not None:
        _check_size(size, limit, source.name, number)
        data = file.take(size)
        if len(data) < size:
            raise _truncated(source.name, number)
        yield FramePiece(source.name, data, number)
        number += 1


def _check_size(size: int, limit: int, source: str, number: int) -> None:
    if size > limit:
        raise FramePiece(source, b"", number).error(
            "I107", f"an element of over {limit} bytes", "raise the limit, or split the element"
        )


def _truncated(source: str, number: int) -> InputError:
    return FramePiece(source, b"", number).error(
        "I106", "the file ends inside it", "what stands before this place has been read"
    )


def _varint(file: _Bytes, source: str, number: int) -> int | None:
    """The length of the next frame; None at the end."""
    value = 0
    for position in range(_MAX_VARINT):
        byte = file.take(1)
        if not byte:
            if position:
                raise _truncated(source, number)
            return None
        value |= (byte[0] & 0x7F) << (7 * position)
        if byte[0] < 0x80:
            return value
    raise FramePiece(source, b"", number).error("I101", "not Jelly: no length", "write it anew")


class _Bytes:
    """Chunks, read by length."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._more: Callable[[], bytes | None] = lambda: next(chunks, None)
        self._left = b""

    def look(self, size: int) -> bytes:
        """The next bytes, without taking them; fewer at the end."""
        self._left = self.take(size) + self._left
        return self._left[:size]

    def take(self, size: int) -> bytes:
        """The next bytes; fewer at the end."""
        parts, have = [self._left], len(self._left)
        while have < size and (chunk := self._more()) is not None:
            parts.append(chunk)
            have += len(chunk)
        found = parts[0] if len(parts) == 1 else b"".join(parts)
        self._left = found[size:]
        return found[:size]
