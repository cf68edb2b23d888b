"""Statements of a text and where they stand; of most of them nothing but that is ever needed.

A stretch is a text in which statements were found, and their kinds, starts and ends:

    ex:g prov:generatedAtTime 36 .  ex:g { ex:a ex:p 1 }
    TRIPLES 0–30                    BLOCK 32–51
"""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass

from laser_rdf.rdf.problems import Piece

_GAP = re.compile(rb"(?:[ \t\r\n]++|\#[^\n]*+\n)*+")
_DELIMITER_LINE = re.compile(
    rb"[ \t]*+(\#[ \t]*+@message[ \t]*+\r?|message(?=[ \t\r\#]|\Z)[ \t]*+(?:\#[^\n]*+)?+\r?)\Z", re.IGNORECASE
)
_DELIMITER_COMMENT = re.compile(rb"\#[ \t]*+@message[ \t]*+\r?\Z", re.IGNORECASE)


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


class Stretch:
    """Statements that stand one after the other in a text, found in one go; cut out when they matter.

    `kinds`, `starts` and `ends` have one entry for each of them; the places in the file are counted when they
    are asked for.
    """

    __slots__ = (
        "_column",
        "_counted",
        "_from",
        "_line",
        "_lines",
        "ends",
        "kinds",
        "place",
        "source",
        "start",
        "starts",
        "text",
    )

    def __init__(self, source: str, text: bytes, start: int, place: int, line: int, column: int) -> None:
        self.source = source
        self.text = text
        self.place = place - start
        self.kinds: list[Kind] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.start, self._line, self._column = start, line, column
        self._counted, self._lines = start, 0

    def line(self, index: int) -> int:
        """The line at which a statement starts."""
        start = self.starts[index]
        if start < self._counted:
            self._counted, self._lines = self.start, 0
        self._lines += self.text.count(b"\n", self._counted, start)
        self._counted = start
        return self._line + self._lines

    def cut(self, first: int, last: int) -> bytes:
        """The bytes of the statements from one to another; none if that comes before."""
        return self.text[self.starts[first] : self.ends[last]] if first <= last else b""

    def piece(self, first: int, last: int) -> Piece:
        """The same bytes, and where the first statement starts."""
        text, start = self.text, self.starts[first]
        newline = text.rfind(b"\n", self.start, start)
        begin, column = (self.start, self._column) if newline < 0 else (newline + 1, 1)
        column += len(text[begin:start].decode("utf-8", "replace"))
        return Piece(self.source, self.cut(first, last), self.line(first), column)

    def statement(self, index: int) -> Statement:
        """A statement by itself."""
        return Statement(self.kinds[index], self.piece(index, index), self.place + self.starts[index])


class Part:
    """Statements of a stretch, from `first` to `last`: where they stand, and their bytes when they matter.

    None of them, if `last` is before `first`: an empty text where `first` stands.
    """

    __slots__ = ("first", "last", "stretch")

    def __init__(self, stretch: Stretch, first: int, last: int) -> None:
        self.stretch = stretch
        self.first = first
        self.last = last

    @property
    def source(self) -> str:
        """The name of the source."""
        return self.stretch.source

    @property
    def line(self) -> int:
        """The line of the first statement."""
        return self.stretch.line(self.first)

    @property
    def text(self) -> bytes:
        """The bytes from the first statement to the last."""
        return self.stretch.cut(self.first, self.last)

    def located(self) -> Piece:
        """The bytes from the first statement to the last, and where they start."""
        return self.stretch.piece(self.first, self.last)


def find_messages(stretch: Stretch) -> bool:
    """Find messages by the lines that delimit them, without looking into them: a guess, confirmed by parsing.

    A message is one statement, its delimiter another. False if there is none, or no way to guess.

    >>> stretch = Stretch("log", b"<urn:a> <urn:p> 1, 2 .\\n# @message\\nMESSAGE\\n<urn:b>", 0, 0, 1, 1)
    >>> find_messages(stretch), stretch.starts, [kind.value for kind in stretch.kinds]
    (True, [0, 23, 34], ['triples', 'delimiter', 'delimiter'])
    """
    text, start = stretch.text, stretch.start
    if text.count(b"\r") != text.count(b"\r\n"):
        return False
    lower = text.lower()
    kinds, starts, ends = stretch.kinds, stretch.starts, stretch.ends
    at = start
    while (at := lower.find(b"message", at)) >= 0:
        line, stop = max(start, text.rfind(b"\n", 0, at) + 1), text.find(b"\n", at)
        if stop < 0:
            break
        if delimiter := _DELIMITER_LINE.match(text[line:stop]):
            gap = _GAP.match(text, start, line)
            assert gap is not None
            if gap.end() < line:
                kinds.append(Kind.TRIPLES)
                starts.append(gap.end())
                ends.append(line)
            kinds.append(Kind.DELIMITER)
            starts.append(line + delimiter.start(1))
            ends.append(stop + 1)
            start = stop + 1
        elif _DELIMITER_COMMENT.search(text[line:stop]):
            return False
        at = stop + 1
    return bool(kinds)
