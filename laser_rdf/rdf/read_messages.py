"""Reading RDF message logs and newline-delimited JSON-LD: one message or document per element.

In a log a message ends at `# @message`, `MESSAGE` or `@message .`; the last one may end with the file.
Prefixes go on from message to message, blank nodes do not. An empty message happens when the message
before it did: it has no stamp of its own; before the first stamp there is nothing it could be an element of.
"""

from __future__ import annotations

import itertools
import operator
import re
from collections.abc import Iterable, Iterator, Sequence

import pyoxigraph as ox

from laser_rdf.errors import InputError
from laser_rdf.rdf.blank_nodes import has_one_label, may_have_blank_nodes, may_have_labels, scope_of
from laser_rdf.rdf.datasets import content, lone_carrier
from laser_rdf.rdf.elements import Quads, Reading, Runs, named, renamed_runs
from laser_rdf.rdf.parsing import IN_LINES, parse_together
from laser_rdf.rdf.problems import Located, Piece
from laser_rdf.rdf.read_graphs import broken, header_of, line_chunks
from laser_rdf.rdf.sources import Input
from laser_rdf.rdf.statements import Cutter
from laser_rdf.rdf.stretches import Kind, Part, Statement, Stretch
from laser_rdf.rdf.timed_graph import TimedGraph

_DELIMITER_LINE = re.compile(
    rb"[ \t]*+(?:\#[ \t]*+@message|message[ \t]*+(?:\#[^\n]*+)?+|@message[ \t]*+\.?+)[ \t\r]*+(?:\n|\Z)",
    re.IGNORECASE,
)
_VERSION_LINES = re.compile(
    rb"^[ \t]*+@?version[ \t]++(?:\"[^\"\n]*+\"|'[^'\n]*+')[ \t]*+\.?+[ \t\r]*+(?:\#[^\n]*+)?+$",
    re.IGNORECASE | re.MULTILINE,
)
_NOTHING_BUT_COMMENTS = re.compile(rb"(?:[ \t\r\n]++|\#[^\n]*+)*+\Z")
_GRAPH_NAME = operator.attrgetter("graph_name")
_NO_ELEMENT = re.compile(rb"[ \t\r]*\Z")


class _Batch:
    """Several messages: the text of each, its place, and what pyoxigraph makes of them, parsed at once."""

    def __init__(self, texts: list[bytes], parts: Sequence[Located]) -> None:
        self.texts = texts
        self.parts = parts
        self.found: tuple[list[list[ox.Quad]], ox.QuadParser] | None = None

    @staticmethod
    def of(stretch: Stretch) -> _Batch:
        """The messages of a stretch; an empty message is where its delimiter stands."""
        parts = []
        first = 0
        for index, kind in enumerate(stretch.kinds):
            if kind is Kind.DELIMITER:
                parts.append(Part(stretch, first, index - 1))
                first = index + 1
        return _Batch([part.text for part in parts], parts)


class Messages:
    """Turns the messages of one file into elements."""

    def __init__(self, source: str, reading: Reading, form: ox.RdfFormat) -> None:
        self.reading = reading
        self.form = form
        self.scope = scope_of(source)
        self.header = b""
        self.number = 0
        self._guessed: tuple[Stretch, _Batch] | None = None

    def element(self, piece: Piece) -> Iterator[TimedGraph]:
        """The element of a message, if nothing is wrong with it."""
        scope = self.scope_of_next()
        try:
            plain = Piece(piece.source, self.without_labels(piece.data), piece.line, piece.column)
            quads, parser = self.reading.parse(plain, self.form, scope, 0, self.header)
        except InputError as error:
            self.reading.policy.report(error, [piece])
            return
        if self.form != ox.RdfFormat.JSON_LD:  # there a document brings its own context
            self.header = header_of(parser)
        yield from self.deliver(quads, piece)

    def guess(self, stretch: Stretch) -> bool:
        """Whether the messages of a stretch are what they seem to be: whether they parse."""
        batch = _Batch.of(stretch)
        batch.found = parse_together(batch.texts, self.form, self.header)
        self._guessed = (stretch, batch)
        return batch.found is not None

    def read(self, stretch: Stretch) -> Iterator[TimedGraph]:
        """The elements of a stretch."""
        guessed, self._guessed = self._guessed, None
        return self.elements(guessed[1] if guessed and guessed[0] is stretch else _Batch.of(stretch))

    def elements(self, batch: _Batch) -> Iterator[TimedGraph]:
        """The elements of several messages, parsed at once if they all parse."""
        found = batch.found or parse_together(batch.texts, self.form, self.header)
        if found is None and (texts := [*map(self.without_labels, batch.texts)]) != batch.texts:
            found = parse_together(texts, self.form, self.header)
        if found is None:
            for part in batch.parts:
                yield from self.element(part.located())
            return
        self.header = header_of(found[1])
        whole = b"".join(batch.texts)
        in_lines = self.form in IN_LINES
        blank = may_have_labels(whole) if in_lines else may_have_blank_nodes(whole)
        graphs = b"{" in whole if self.form == ox.RdfFormat.TRIG else self.form == ox.RdfFormat.N_QUADS
        for text, part, message in zip(batch.texts, batch.parts, found[0], strict=True):
            scope = self.scope_of_next()
            runs = _runs(message, graphs)
            carrier = None
            if blank:
                # A blank node that carries the stamp goes with it: if it is the only one, none needs a name.
                # In lines it is if there is one label; elsewhere `;` may follow, or `[]`.
                if in_lines and has_one_label(text):
                    carrier = lone_carrier(runs, self.reading.ranks)
                if carrier is None:
                    runs = renamed_runs(runs, text, scope, 0)
            yield from self._deliver(runs, part, carrier)

    def without_labels(self, text: bytes) -> bytes:
        """The text without version labels where pyoxigraph does not know them; empty lines keep the count."""
        return _VERSION_LINES.sub(b"", text) if self.form in IN_LINES and b"version" in text.lower() else text

    def scope_of_next(self) -> str:
        """The scope of the next message's blank nodes."""
        self.number += 1
        return f"{self.scope}m{self.number - 1}"

    def deliver(self, quads: Quads, piece: Located) -> Iterable[TimedGraph]:
        """The element that the quads of a message are, if nothing is wrong with it."""
        by_graph = itertools.groupby(quads, operator.itemgetter(0))
        return self._deliver([(name, [triple for _, triple in group]) for name, group in by_graph], piece)

    def _deliver(self, runs: Runs, piece: Located, carrier: ox.Triple | None = None) -> Iterable[TimedGraph]:
        reading = self.reading
        if not runs:
            if reading.last is None:
                return ()
            reading.elements += 1
            place = f"{piece.source}:{piece.line}"
            return (TimedGraph(reading.last, timestamp=reading.last_timestamp, source=place),)
        name, triples, stamps = content(runs, reading.paths, reading.ranks, carrier)
        graph = reading.deliver(name, triples, stamps, (piece,))
        return () if graph is None else (graph,)


def _runs(message: list[ox.Quad], graphs: bool) -> Runs:
    """The quads of a message by graph; all are in the default graph if it has no graphs."""
    if graphs:
        by_graph = itertools.groupby(message, _GRAPH_NAME)
        return [(named(name), [quad.triple for quad in group]) for name, group in by_graph]
    return [(None, [quad.triple for quad in message])] if message else []


def read_text_log(source: Input, reading: Reading, form: ox.RdfFormat) -> Iterator[TimedGraph]:
    """The messages of a log in Turtle or TriG."""
    messages = Messages(source.name, reading, form)
    parts: list[Statement] = []
    size = 0
    for statement in Cutter(source.name, reading.limit).stretches(source.chunks(), messages.guess):
        if isinstance(statement, Stretch):
            yield from messages.read(statement)
            continue
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
    messages = Messages(source.name, reading, form)
    begun: list[bytes] = []
    size, first, line = 0, 1, 1
    for chunk in line_chunks(source, reading.limit):
        pieces = []
        start = 0
        for delimiter in _delimiters(chunk):
            text = chunk[start : delimiter.start()]
            pieces.append(Piece(source.name, b"".join([*begun, text]) if begun else text, first))
            line += chunk.count(b"\n", start, delimiter.end())
            first, start, begun, size = line, delimiter.end(), [], 0
        if pieces:
            yield from messages.elements(_Batch([piece.data for piece in pieces], pieces))
        begun.append(chunk[start:])
        line += begun[-1].count(b"\n")
        size += len(begun[-1])
        if size > reading.limit:
            place = Piece(source.name, begun[0], first)
            raise place.error("I107", f"a message of over {reading.limit} bytes", "split it")
    rest = Piece(source.name, b"".join(begun), first)
    if not _NOTHING_BUT_COMMENTS.match(messages.without_labels(rest.data)):
        yield from messages.element(rest)


def _delimiters(chunk: bytes) -> Iterator[re.Match[bytes]]:
    """The lines that delimit messages; only lines with the word are looked at."""
    lower, at = chunk.lower(), 0
    while (at := lower.find(b"message", at)) >= 0:
        found = _DELIMITER_LINE.match(chunk, chunk.rfind(b"\n", 0, at) + 1)
        at = at + 1 if found is None else max(at + 1, found.end())
        if found is not None:
            yield found


def read_json_lines(source: Input, reading: Reading) -> Iterator[TimedGraph]:
    """The documents of newline-delimited JSON-LD; contexts stand in the documents, none is fetched."""
    messages = Messages(source.name, reading, ox.RdfFormat.JSON_LD)
    number = 0
    for chunk in line_chunks(source, reading.limit):
        for line in chunk.removesuffix(b"\n").split(b"\n") if chunk else ():
            number += 1
            if not _NO_ELEMENT.match(line):
                yield from messages.element(Piece(source.name, line, number))
