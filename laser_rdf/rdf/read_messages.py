"""Reading RDF message logs and newline-delimited JSON-LD: one message or document per element.

In a log a message ends at `# @message`, `MESSAGE` or `@message .`; the last one may end with the file.
Prefixes go on from message to message, blank nodes do not. An empty message happens when the message
before it did: it has no stamp of its own; before the first stamp there is nothing it could be an element of.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

import pyoxigraph as ox

from laser_rdf.errors import InputError
from laser_rdf.rdf.blank_nodes import scope_of
from laser_rdf.rdf.datasets import content
from laser_rdf.rdf.elements import Reading
from laser_rdf.rdf.problems import Piece
from laser_rdf.rdf.read_graphs import broken, header_of, line_chunks
from laser_rdf.rdf.sources import Input
from laser_rdf.rdf.statements import Cutter, Kind, Statement
from laser_rdf.rdf.timed_graph import TimedGraph

_DELIMITER_LINE = re.compile(
    rb"[ \t]*(?:\#[ \t]*@message|message[ \t]*(?:\#.*)?|@message[ \t]*\.?)[ \t\r]*\Z", re.IGNORECASE
)
_VERSION_LINE = re.compile(
    rb"[ \t]*@?version[ \t]+(?:\"[^\"]*\"|'[^']*')[ \t]*\.?[ \t\r]*(?:\#.*)?\Z", re.IGNORECASE
)
_NO_ELEMENT = re.compile(rb"[ \t\r]*\Z")


class _Messages:
    """Turns the messages of one file into elements."""

    def __init__(self, source: str, reading: Reading, form: ox.RdfFormat) -> None:
        self.reading = reading
        self.form = form
        self.scope = scope_of(source)
        self.header = b""
        self.number = 0

    def element(self, piece: Piece) -> Iterator[TimedGraph]:
        """The element of a message, if nothing is wrong with it."""
        scope = f"{self.scope}m{self.number}"
        self.number += 1
        reading = self.reading
        try:
            quads, parser = reading.parse(piece, self.form, scope, 0, self.header)
        except InputError as error:
            reading.policy.report(error, [piece])
            return
        self.header = header_of(parser)
        if not quads:
            if reading.last is not None:
                reading.elements += 1
                place = f"{piece.source}:{piece.line}"
                yield TimedGraph(reading.last, timestamp=reading.last_timestamp, source=place)
            return
        name, triples, stamps = content(quads, reading.paths)
        if (graph := reading.deliver(name, triples, stamps, [piece])) is not None:
            yield graph


def read_text_log(source: Input, reading: Reading, form: ox.RdfFormat) -> Iterator[TimedGraph]:
    """The messages of a log in Turtle or TriG."""
    messages = _Messages(source.name, reading, form)
    parts: list[Statement] = []
    size = 0
    for statement in Cutter(source.name, reading.limit).cut(source.chunks()):
        match statement.kind:
            case Kind.IDLE:
                pass
            case Kind.BROKEN:
                raise broken(statement, reading, form, messages.header)
            case Kind.DELIMITER:
                yield from messages.element(_joined(parts) or statement_start(statement))
                parts, size = [], 0
            case _:
                parts.append(statement)
                size += len(statement.piece.data)
                if size > reading.limit:
                    raise parts[0].piece.error("I107", f"a message of over {reading.limit} bytes", "split it")
    if (rest := _joined(parts)) is not None:
        yield from messages.element(rest)


def statement_start(statement: Statement) -> Piece:
    """An empty message where a delimiter stands."""
    return Piece(statement.piece.source, b"", statement.piece.line, statement.piece.column)


def _joined(parts: list[Statement]) -> Piece | None:
    """The statements of a message as one text, each at the line and column it has in the file."""
    if not parts:
        return None
    first = parts[0].piece
    text = [first.data]
    for before, part in itertools.pairwise(parts):
        line = before.piece.line + before.piece.data.count(b"\n")
        if part.piece.line > line:
            text.append(b"\n" * (part.piece.line - line) + b" " * (part.piece.column - 1))
        else:
            text.append(b" " * max(1, part.place - before.place - len(before.piece.data)))
        text.append(part.piece.data)
    return Piece(first.source, b"".join(text), first.line, first.column)


def read_line_log(source: Input, reading: Reading, form: ox.RdfFormat) -> Iterator[TimedGraph]:
    """The messages of a log in N-Triples or N-Quads."""
    messages = _Messages(source.name, reading, form)
    lines: list[bytes] = []
    number, first, size, filled = 0, 1, 0, False
    for chunk in line_chunks(source, reading.limit):
        for line in chunk.removesuffix(b"\n").split(b"\n") if chunk else ():
            number += 1
            if _DELIMITER_LINE.match(line):
                yield from messages.element(Piece(source.name, b"".join(lines), first))
                lines, size, first, filled = [], 0, number + 1, False
                continue
            # pyoxigraph knows no version labels in these formats; the empty line keeps the count.
            text = b"" if _VERSION_LINE.match(line) else line
            filled = filled or not (_NO_ELEMENT.match(text) or text.lstrip().startswith(b"#"))
            lines.append(text + b"\n")
            size += len(text) + 1
            if size > reading.limit:
                place = Piece(source.name, lines[0], first)
                raise place.error("I107", f"a message of over {reading.limit} bytes", "split it")
    if filled:
        yield from messages.element(Piece(source.name, b"".join(lines), first))


def read_json_lines(source: Input, reading: Reading) -> Iterator[TimedGraph]:
    """The documents of newline-delimited JSON-LD; contexts stand in the documents, none is fetched."""
    messages = _Messages(source.name, reading, ox.RdfFormat.JSON_LD)
    number = 0
    for chunk in line_chunks(source, reading.limit):
        for line in chunk.removesuffix(b"\n").split(b"\n") if chunk else ():
            number += 1
            if not _NO_ELEMENT.match(line):
                messages.header = b""  # a document brings its own context
                yield from messages.element(Piece(source.name, line, number))
