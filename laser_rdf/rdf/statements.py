"""Cutting Turtle and TriG at the top level, so that each graph can be parsed, located and skipped by itself.

    PREFIX ex: <http://example.org/>          directive
    ex:g prov:generatedAtTime 36 .            triples
    ex:g { ex:a ex:p "}" }                    block
    MESSAGE        or  # @message             delimiter

Only what decides where a statement ends is looked at: strings, IRIs, comments, escapes, braces and dots. All
else is for pyoxigraph to judge. The patterns are possessive: no input makes them backtrack.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from laser_rdf.rdf.problems import Piece

_SPACE = rb"[ \t\r\n]"
_COMMENT = rb"\#[^\n\r]*+"
_STRING = (
    rb'"""(?:[^"\\]|\\.|"(?!""))*+"""'
    rb"|'''(?:[^'\\]|\\.|'(?!''))*+'''"
    rb'|"(?!"")(?:[^"\\\n\r]|\\.)*+"'
    rb"|'(?!'')(?:[^'\\\n\r]|\\.)*+'"
)
_IRI = rb'<[^<>"{}|^`\x00-\x20]*+>'
# A lone `<` counts only when it is certain that no IRI starts there: the rest of one may be still to come.
_ANGLES = rb'<<|>>|<(?=[^<>"{}|^`\x00-\x20]*+[<"{}|^`\x00-\x20])|>'
_LANGUAGE = rb"@[a-zA-Z]++(?:-[a-zA-Z0-9]++)*+"
_ANNOTATION = rb"\{\||\|\}"
# What can stand in names and numbers; a dot belongs to them only if more of the name follows.
_NAME_BYTE = rb"[^ \t\r\n<>\"'{}()\[\],;.\#@^\\|~]"
_NAME = rb"(?:" + _NAME_BYTE + rb"|\\.|\.++(?=" + _NAME_BYTE + rb"|\\))"

_BODY = re.compile(
    rb"(?:[^<>\"'\#{}\\|]++|" + _IRI + rb"|" + _STRING + rb"|" + _COMMENT + rb"|" + _ANNOTATION
    + rb"|\\.|" + _ANGLES + rb"|\|)*+",
    re.DOTALL,
)  # fmt: skip
_TRIPLES = re.compile(
    rb"(?:[ \t\r\n()\[\],;^|~]++|" + _LANGUAGE + rb"|@|" + _IRI + rb"|" + _STRING + rb"|" + _COMMENT
    + rb"|" + _ANNOTATION + rb"|" + _NAME_BYTE + _NAME + rb"*+|\\.|\.(?=[0-9])" + _NAME + rb"*+|"
    + _ANGLES + rb")*+",
    re.DOTALL,
)  # fmt: skip
_GAP = re.compile(_SPACE + rb"*+")
_COMMENT_LINE = re.compile(_COMMENT + rb"(\r?\n|\r)")
_MESSAGE_COMMENT = re.compile(rb"#[ \t]*@message[ \t]*\Z", re.IGNORECASE)
_FILLER = rb"(?:" + _SPACE + rb"|" + _COMMENT + rb"[\r\n])*+"
_LABEL = rb"(?:" + _IRI + rb"|" + _NAME_BYTE + _NAME + rb"*+|\[" + _FILLER + rb"\])"
_BLOCK_START = re.compile(
    rb"(?:(?i:graph)(?=[ \t\r\n<\#\[])" + _FILLER + rb")?+(?:" + _LABEL + _FILLER + rb")?+\{(?!\|)", re.DOTALL
)
_AT_DIRECTIVE = re.compile(rb"@(prefix|base|version|message)\b", re.IGNORECASE)
_DIRECTIVE = re.compile(
    rb"(?i:prefix)(?=[ \t\r\n\#])" + _FILLER + rb"[^ \t\r\n<>:\#]*+:" + _FILLER + _IRI
    + rb"|(?i:base)(?=[ \t\r\n<\#])" + _FILLER + _IRI
    + rb"|(?i:version)(?=[ \t\r\n\"'\#])" + _FILLER + rb"(?:\"[^\"\r\n]*\"|'[^'\r\n]*')"
)  # fmt: skip
_MESSAGE = re.compile(rb"(?i:message)(?=[ \t\r\n\#])")


class Kind(enum.Enum):
    """What a statement is."""

    DIRECTIVE = "directive"
    TRIPLES = "triples"
    BLOCK = "block"
    DELIMITER = "delimiter"
    BROKEN = "broken"
    """Text whose end cannot be found: nothing after it can be trusted."""
    IDLE = "idle"
    """Nothing has come for a while."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of the top level and where it stands; `place` counts bytes from the start of its file."""

    kind: Kind
    piece: Piece
    place: int


class Cutter:
    """Cuts the chunks of one file into statements, holding no more than one statement and one chunk.

    >>> text = b'PREFIX e: <http://e/> e:g e:at 1.5. e:g { e:a e:p "}" . }'
    >>> [(s.kind.value, s.piece.data) for s in Cutter("log", 1 << 20).cut([text])][1:]
    [('triples', b'e:g e:at 1.5.'), ('block', b'e:g { e:a e:p "}" . }')]
    """

    def __init__(self, source: str, limit: int) -> None:
        self.source = source
        self.limit = limit
        self._buffer = b""
        self._at = 0
        self._line = 1
        self._column = 1
        self._place = 0
        self._ended = False

    def cut(self, chunks: Iterable[bytes]) -> Iterator[Statement]:
        """The statements."""
        for batch in self.batches(chunks):
            yield from batch

    def batches(self, chunks: Iterable[bytes]) -> Iterator[list[Statement]]:
        """The statements, those together that came together."""
        waiting: list[bytes] = []
        size, wanted = 0, 0
        for chunk in chunks:
            waiting.append(chunk)
            size += len(chunk)
            # A statement that did not end is scanned again from its start: only when as much again has come.
            if size < wanted and chunk:
                continue
            self._feed(waiting)
            waiting, size = [], 0
            yield self._statements()
            if not chunk:
                yield [self._statement(Kind.IDLE, self._at)]
            wanted = len(self._buffer) - self._at
            if wanted > self.limit:
                raise self._piece(len(self._buffer)).error(
                    "I107", f"an element of over {self.limit} bytes", "raise the limit, or split the element"
                )
        self._feed(waiting)
        self._ended = True
        yield self._statements()

    def _feed(self, chunks: list[bytes]) -> None:
        self._buffer = self._buffer[self._at :] + b"".join(chunks)
        self._at = 0

    def _statements(self) -> list[Statement]:
        statements = []
        while (found := self._next()) is not None:
            statements.append(self._statement(*found))
        return statements

    def _piece(self, end: int) -> Piece:
        return Piece(self.source, self._buffer[self._at : end], self._line, self._column)

    def _statement(self, kind: Kind, end: int) -> Statement:
        statement = Statement(kind, self._piece(end), self._place)
        self._advance(end)
        return statement

    def _advance(self, end: int) -> None:
        buffer, start = self._buffer, self._at
        self._at = end
        self._place += end - start
        if lines := buffer.count(b"\n", start, end):
            self._line += lines
            start = buffer.rfind(b"\n", start, end) + 1
            self._column = 1
        if start < end:
            # Columns count characters; bytes that continue a character do not.
            part = buffer[start:end]
            self._column += len(part) if part.isascii() else len(part.decode("utf-8", "replace"))

    def _next(self) -> tuple[Kind, int] | None:
        """The kind and end of the next statement; None if more bytes are needed or there are none."""
        buffer = self._buffer
        while True:
            gap = _GAP.match(buffer, self._at)
            assert gap is not None
            if gap.end() > self._at:
                self._advance(gap.end())
            if self._at == len(buffer):
                return None
            if buffer[self._at] != 0x23:  # '#'
                break
            comment = _COMMENT_LINE.match(buffer, self._at)
            if comment is None and not self._ended:
                return None
            end = len(buffer) if comment is None else comment.end()
            text = buffer[self._at : end].rstrip(b"\r\n")
            if _MESSAGE_COMMENT.fullmatch(text):
                return Kind.DELIMITER, end
            self._advance(end)
        found = self._ends(buffer, self._at)
        if found is None or (found[1] == len(buffer) and found[0] is Kind.DIRECTIVE):
            # A directive at the very end may go on; a dot there may belong to a number.
            return found if self._ended else None
        return found

    def _ends(self, buffer: bytes, at: int) -> tuple[Kind, int] | None:
        if word := _AT_DIRECTIVE.match(buffer, at):
            kind = Kind.DELIMITER if word[1].lower() == b"message" else Kind.DIRECTIVE
            return self._to_dot(buffer, at + 1, kind)
        if directive := _DIRECTIVE.match(buffer, at):
            return Kind.DIRECTIVE, directive.end()
        if message := _MESSAGE.match(buffer + b"\n" if self._ended else buffer, at):
            return Kind.DELIMITER, message.end()
        if block := _BLOCK_START.match(buffer, at):
            body = _BODY.match(buffer, block.end())
            assert body is not None
            if buffer[body.end() : body.end() + 1] == b"}":
                return Kind.BLOCK, body.end() + 1
            return self._broken(buffer, body.end())
        return self._to_dot(buffer, at, Kind.TRIPLES)

    def _to_dot(self, buffer: bytes, at: int, kind: Kind) -> tuple[Kind, int] | None:
        found = _TRIPLES.match(buffer, at)
        assert found is not None
        end = found.end()
        if buffer[end : end + 1] == b"." and (self._ended or end + 1 < len(buffer)):
            return kind, end + 1
        return self._broken(buffer, end)

    def _broken(self, buffer: bytes, at: int) -> tuple[Kind, int] | None:
        """Broken text, if no bytes to come can mend what stands at the place."""
        stop = buffer[at : at + 1]
        brace = stop in (b"{", b"}") and at + 1 < len(buffer)
        quote = stop in (b'"', b"'") and buffer[at : at + 3] != 3 * stop and b"\n" in buffer[at + 3 :]
        return (Kind.BROKEN, len(buffer)) if self._ended or brace or quote else None
