"""Cutting Turtle and TriG at the top level, so that each graph can be parsed, located and skipped by itself.

    PREFIX ex: <http://example.org/>          directive
    ex:g prov:generatedAtTime 36 .            triples
    ex:g { ex:a ex:p "}" }                    block
    MESSAGE        or  # @message             delimiter

Only what decides where a statement ends is looked at: strings, IRIs, comments, escapes, braces and dots. All
else is for pyoxigraph to judge. The patterns are possessive: no input makes them backtrack.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator

from laser_rdf.rdf.problems import Piece
from laser_rdf.rdf.stretches import Kind, Statement, Stretch, find_messages

_SPACE = rb"[ \t\r\n]"
_COMMENT = rb"\#[^\n\r]*+"
_STRING = (
    rb'"""(?:[^"\\]++|\\.|"(?!""))*+"""'
    rb"|'''(?:[^'\\]++|\\.|'(?!''))*+'''"
    rb'|"(?!"")(?:[^"\\\n\r]++|\\.)*+"'
    rb"|'(?!'')(?:[^'\\\n\r]++|\\.)*+'"
)
_IRI = rb'<[^<>"{}|^`\x00-\x20]*+>'
# A lone `<` counts only when it is certain that no IRI starts there: the rest of one may be still to come.
_ANGLES = rb'<<|>>|<(?=[^<>"{}|^`\x00-\x20]*+[<"{}|^`\x00-\x20])|>'
_LANGUAGE = rb"@[a-zA-Z]++(?:-[a-zA-Z0-9]++)*+"
_ANNOTATION = rb"\{\||\|\}"
# What can stand in names and numbers; a dot belongs to them only if more of the name follows.
_NAME_BYTE = rb"[^ \t\r\n<>\"'{}()\[\],;.\#@^\\|~]"
_MORE_NAME = rb"(?:" + _NAME_BYTE + rb"++|\\.|\.++(?=" + _NAME_BYTE + rb"|\\))*+"

_BODY_TEXT = (
    rb"(?:[^<>\"'\#{}\\|]++|" + _IRI + rb"|" + _STRING + rb"|" + _COMMENT + rb"|" + _ANNOTATION
    + rb"|\\.|" + _ANGLES + rb"|\|)*+"
)  # fmt: skip
_TRIPLES_TEXT = (
    rb"(?:[ \t\r\n()\[\],;^~]++|" + _NAME_BYTE + _MORE_NAME + rb"|" + _IRI + rb"|" + _STRING + rb"|"
    + _LANGUAGE + rb"|@|" + _COMMENT + rb"|" + _ANNOTATION + rb"|\||\\.|\.(?=[0-9])" + _MORE_NAME + rb"|"
    + _ANGLES + rb")*+"
)  # fmt: skip
_BODY = re.compile(_BODY_TEXT, re.DOTALL)
_TRIPLES = re.compile(_TRIPLES_TEXT, re.DOTALL)
_GAP = re.compile(_SPACE + rb"*+")
_COMMENT_LINE = re.compile(_COMMENT + rb"(\r?\n|\r)")
_MESSAGE_COMMENT = re.compile(rb"#[ \t]*@message[ \t]*\Z", re.IGNORECASE)
_FILLER = rb"(?:" + _SPACE + rb"|" + _COMMENT + rb"[\r\n])*+"
_LABEL = rb"(?:" + _IRI + rb"|" + _NAME_BYTE + _MORE_NAME + rb"|\[" + _FILLER + rb"\])"
_BLOCK_TEXT = rb"(?:(?i:graph)(?=[ \t\r\n<\#\[])" + _FILLER + rb")?+(?:" + _LABEL + _FILLER + rb")?+\{(?!\|)"
_BLOCK_START = re.compile(_BLOCK_TEXT, re.DOTALL)
_AT_DIRECTIVE = re.compile(rb"@(prefix|base|version|message)\b", re.IGNORECASE)
_DIRECTIVE_TEXT = (
    rb"(?i:prefix)(?=[ \t\r\n\#])" + _FILLER + rb"[^ \t\r\n<>:\#]*+:" + _FILLER + _IRI
    + rb"|(?i:base)(?=[ \t\r\n<\#])" + _FILLER + _IRI
    + rb"|(?i:version)(?=[ \t\r\n\"'\#])" + _FILLER + rb"(?:\"[^\"\r\n]*\"|'[^'\r\n]*')"
)  # fmt: skip
_DIRECTIVE = re.compile(_DIRECTIVE_TEXT)
_MESSAGE = re.compile(rb"(?i:message)(?=[ \t\r\n\#])")
# A whole statement at once, with what stands before it. It matches only what the patterns above, tried one
# after the other, would find too; where it does not match, they decide.
_WHOLE = re.compile(
    rb"(?:[ \t\r\n]++|\#(?![ \t]*@(?i:message))[^\n\r]*+[\r\n])*+(?:"
    rb"(?!@|\#|(?i:prefix|base|version|message)(?:[ \t\r\n<\"'\#]|\Z))"
    rb"(?:(" + _BLOCK_TEXT + _BODY_TEXT + rb"\})|(" + _TRIPLES_TEXT + rb"\.))"
    rb"|(\#[ \t]*@(?i:message)[ \t]*\r?\n|(?i:message)(?=[ \t\r\n\#])|@(?i:message)[ \t\r\n]*+\.)"
    rb"|(" + _DIRECTIVE_TEXT + rb"|@(?i:prefix|base)\b" + _TRIPLES_TEXT + rb"\.))",
    re.DOTALL,
)  # fmt: skip


_KINDS = (Kind.BROKEN, Kind.BLOCK, Kind.TRIPLES, Kind.DELIMITER, Kind.DIRECTIVE)
_SMALL = 1 << 12
_HANDY = 1 << 18


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
        """The statements, one by one."""
        for found in self.stretches(chunks, quick=False):
            assert isinstance(found, Statement)
            yield found

    def stretches(
        self,
        chunks: Iterable[bytes],
        messages: Callable[[Stretch], bool] | None = None,
        quick: bool = True,
    ) -> Iterator[Stretch | Statement]:
        """The statements: stretches of them where that is easy, one by one elsewhere.

        With `messages`, every stretch is of whole messages, each with its delimiter. Such a stretch may be a
        guess, in which a message is one statement; it is taken if `messages` says that it is good.
        """
        waiting: list[bytes] = []
        size, wanted, inside = 0, 0, False
        for chunk in itertools.chain(chunks, [None]):
            if chunk is None:
                self._ended = True
            else:
                waiting.append(chunk)
                size += len(chunk)
                # A statement that did not end is scanned again from its start: when as much again has come.
                if chunk and size < wanted and size + wanted <= self.limit:
                    continue
            self._feed(waiting)
            waiting, size = [], 0
            while True:
                if quick and not inside and (stretch := self._stretch(messages)) is not None:
                    yield stretch
                if quick and not inside and chunk and len(self._buffer) - self._at < _HANDY:
                    break
                if (found := self._next()) is None:
                    break
                statement = self._statement(*found)
                yield statement
                inside = messages is not None and statement.kind is not Kind.DELIMITER
            if chunk == b"":
                yield self._statement(Kind.IDLE, self._at)
            wanted = len(self._buffer) - self._at
            if wanted > self.limit:
                raise self._piece(len(self._buffer)).error(
                    "I107", f"an element of over {self.limit} bytes", "raise the limit, or split the element"
                )
            wanted = wanted if wanted > _SMALL else 0

    def _feed(self, chunks: list[bytes]) -> None:
        self._buffer = self._buffer[self._at :] + b"".join(chunks)
        self._at = 0

    def _stretch(self, messages: Callable[[Stretch], bool] | None) -> Stretch | None:
        """All statements that can be found in one go, if there are any."""
        if messages is not None and find_messages(stretch := self._empty_stretch()) and messages(stretch):
            self._advance(stretch.ends[-1])
            return stretch
        stretch = self._empty_stretch()
        buffer, at = self._buffer, self._at
        kinds, starts, ends = stretch.kinds, stretch.starts, stretch.ends
        match, end = _WHOLE.match, len(buffer)
        while (found := match(buffer, at)) is not None:
            number = found.lastindex
            assert number is not None
            start, at = found.span(number)
            if at == end and number != 1 and not self._ended:
                break  # a directive there may go on; a dot may belong to a number
            kinds.append(_KINDS[number])
            starts.append(start)
            ends.append(at)
        while messages is not None and kinds and kinds[-1] is not Kind.DELIMITER:
            del kinds[-1], starts[-1], ends[-1]
        if not kinds:
            return None
        self._advance(ends[-1])
        return stretch

    def _empty_stretch(self) -> Stretch:
        return Stretch(self.source, self._buffer, self._at, self._place, self._line, self._column)

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
