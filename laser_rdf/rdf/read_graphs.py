"""Reading TriG and N-Quads: one named graph per element.

TriG is cut into the statements of its top level, N-Quads into lines. What came in one chunk is parsed at
once; only when that does not parse, or blank nodes need names, is it looked at statement by statement.
"""

from __future__ import annotations

import contextlib
import itertools
import operator
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import pyoxigraph as ox

from laser_rdf.errors import InputError
from laser_rdf.rdf.blank_nodes import (
    may_have_blank_nodes,
    rename_graph,
    rename_triples,
    renaming,
    scope_of,
)
from laser_rdf.rdf.elements import GraphAssembler, Reading, named, renamed
from laser_rdf.rdf.parsing import may_nest_deeply, parse_together, refuse_nesting
from laser_rdf.rdf.problems import Piece
from laser_rdf.rdf.sources import Input
from laser_rdf.rdf.statements import Cutter
from laser_rdf.rdf.stretches import Kind, Part, Statement, Stretch
from laser_rdf.rdf.timed_graph import GraphName, TimedGraph

_GRAPH_LABEL = re.compile(rb"[ \t](<[^<>\"{}|^`\\\x00-\x20]*>|_:[^ \t<>\"]+)[ \t]*\.[ \t\r]*(?:#.*)?\Z")
_GRAPH_NAME = operator.attrgetter("graph_name")
_PLAIN = frozenset({Kind.TRIPLES, Kind.BLOCK})
_NOTHING = re.compile(rb"[ \t\r]*(?:#.*)?\Z", re.DOTALL)


def header_of(parser: ox.QuadParser) -> bytes:
    """The directives that bring a new parser to where this one is."""
    lines = [f"@base <{parser.base_iri}> ."] if parser.base_iri else []
    lines += [f"@prefix {prefix}: <{iri}> ." for prefix, iri in parser.prefixes.items()]
    return ("\n".join(lines) + "\n").encode() if lines else b""


def read_trig(source: Input, reading: Reading) -> Iterator[TimedGraph]:
    """The named graphs of a TriG file."""
    graphs = _TrigGraphs(source.name, reading)
    try:
        for found in Cutter(source.name, reading.limit).stretches(source.chunks()):
            yield from graphs.read(found) if isinstance(found, Stretch) else graphs.statement(found)
    except InputError:
        # The block before the error is whole; if it has no stamp yet, the error that is known comes first.
        with contextlib.suppress(InputError):
            yield from graphs.assembler.flush()
        raise
    yield from graphs.assembler.end()


class _TrigGraphs:
    """Turns the statements of one TriG file into elements."""

    def __init__(self, source: str, reading: Reading) -> None:
        self.reading = reading
        self.scope = scope_of(source)
        self.header = b""
        self.assembler = GraphAssembler(reading, empty=False)

    def read(self, stretch: Stretch) -> Iterator[TimedGraph]:
        """What is complete after these statements."""
        first, kinds = 0, stretch.kinds
        for plain, group in itertools.groupby(kinds, key=_PLAIN.__contains__):
            last = first + len(list(group))
            together = self._together(stretch, first, last) if plain else None
            if together is None:
                for index in range(first, last):
                    yield from self.statement(stretch.statement(index))
            else:
                yield from together
            first = last

    def _together(self, stretch: Stretch, first: int, last: int) -> Iterator[TimedGraph] | None:
        """The elements of statements parsed at once; None if they do not all parse."""
        text, kinds, starts, ends = stretch.text, stretch.kinds, stretch.starts, stretch.ends
        # A seam after each statement, but none between triples and the block after them: names show that.
        stops = [
            index + 1
            for index in range(first, last - 1)
            if kinds[index] is Kind.BLOCK or kinds[index + 1] is Kind.TRIPLES
        ]
        stops.append(last)
        texts = [text[starts[a] : ends[b - 1]] for a, b in zip([first, *stops], stops, strict=False)]
        found = parse_together(texts, ox.RdfFormat.TRIG, self.header)
        if found is None:
            return None
        blank = may_have_blank_nodes(text)
        return self._elements(stretch, first, stops, found[0], blank)

    def _elements(
        self, stretch: Stretch, first: int, stops: list[int], found: list[list[ox.Quad]], blank: bool
    ) -> Iterator[TimedGraph]:
        for stop, quads in zip(stops, found, strict=True):
            last = stop - 1
            if first < last:
                here = 0
                for quad in quads:
                    if type(quad.graph_name) is not ox.DefaultGraph:
                        break
                    here += 1
                if here == len(quads):  # an empty block, or one without a name: which quads are whose?
                    for index in (first, last):
                        yield from self.statement(stretch.statement(index))
                    first = stop
                    continue
                yield from self._add(stretch, first, None, [quad.triple for quad in quads[:here]], blank)
                quads = quads[here:]
            name = named(quads[0].graph_name) if quads else None
            yield from self._add(stretch, last, name, [quad.triple for quad in quads], blank)
            first = stop

    def _add(
        self, stretch: Stretch, index: int, name: GraphName | None, triples: list[ox.Triple], blank: bool
    ) -> Iterable[TimedGraph]:
        if blank:
            text = stretch.text[stretch.starts[index] : stretch.ends[index]]
            name, triples = renamed(name, triples, text, self.scope, stretch.place + stretch.starts[index])
        if name is not None:
            return self.assembler.graph(name, triples, Part(stretch, index, index))
        if triples:
            self.assembler.default(triples, Part(stretch, index, index))
            return ()
        return self._named_by(stretch.statement(index))

    def _named_by(self, statement: Statement) -> Iterable[TimedGraph]:
        """A statement that says nothing: an empty graph if it has a name."""
        name = _label(statement, self.header, self.scope) if statement.kind is Kind.BLOCK else None
        return () if name is None else self.assembler.graph(name, (), statement.piece)

    def statement(self, statement: Statement) -> Iterator[TimedGraph]:
        """What is complete after this statement, parsed by itself."""
        kind, piece = statement.kind, statement.piece
        if kind is Kind.IDLE:
            yield from self.assembler.idle()
            return
        if kind is Kind.DELIMITER and piece.data.startswith(b"#"):  # outside logs it is a comment
            return
        if kind in (Kind.BROKEN, Kind.DELIMITER):
            raise broken(statement, self.reading, ox.RdfFormat.TRIG, self.header)
        try:
            found = self.reading.parse_statement(piece, self.scope, statement.place, self.header)
        except InputError as error:
            yield from self._spoil(statement, error)
            return
        name, triples, parser = found
        if kind is Kind.DIRECTIVE:
            self.header = header_of(parser)
        elif name is not None:
            yield from self.assembler.graph(name, triples, piece)
        elif triples:
            self.assembler.default(triples, piece)
        else:
            yield from self._named_by(statement)

    def _spoil(self, statement: Statement, error: InputError) -> Iterator[TimedGraph]:
        if statement.kind is Kind.DIRECTIVE:  # what follows would be read with the wrong prefixes
            raise error
        if statement.kind is Kind.TRIPLES:
            yield from self.assembler.spoil_default(error, statement.piece)
            return
        name = _label(statement, self.header, self.scope)
        if name is None:
            yield from self.assembler.flush()
        yield from self.assembler.spoil(name, error, statement.piece)


def broken(statement: Statement, reading: Reading, form: ox.RdfFormat, header: bytes) -> InputError:
    """Why the text is broken; nothing after it can be read, whatever the policy."""
    try:
        reading.parse(statement.piece, form, "f", 0, header)
    except InputError as error:
        return error
    return statement.piece.error(
        "I101",
        "a statement that does not end here",
        "close what is open; where the next one starts is unknown",
    )


def _label(statement: Statement, header: bytes, scope: str) -> GraphName | None:
    """The name of a block, read from what stands before its brace."""
    label = statement.piece.data.partition(b"{")[0]
    try:
        quad = next(ox.parse(header + label + b"\n{<urn:x> <urn:x> <urn:x>}", format=ox.RdfFormat.TRIG), None)
    except SyntaxError:
        return None
    if quad is None or isinstance(quad.graph_name, ox.DefaultGraph):
        return None
    return rename_graph(quad.graph_name, renaming(label, scope, statement.place))


class Chunk:
    """Some lines of N-Quads; which of them hold quads is found out only when it matters."""

    def __init__(self, source: str, text: bytes, first_line: int, quads: int) -> None:
        self.source = source
        self.text = text
        self.first_line = first_line
        # Without comments and empty lines the n-th quad stands in the n-th line.
        self._dense = quads == text.count(b"\n") + (not text.endswith(b"\n"))

    @cached_property
    def lines(self) -> list[bytes]:
        """The lines."""
        return self.text.split(b"\n")

    @cached_property
    def _numbers(self) -> list[int]:
        return [number for number, line in enumerate(self.lines) if not _NOTHING.match(line)]

    def index(self, quad: int) -> int:
        """The index of the line that holds a quad."""
        return quad if self._dense else self._numbers[quad]


@dataclass(frozen=True, slots=True)
class Run:
    """Some quads of a chunk, one after the other."""

    chunk: Chunk
    start: int
    stop: int

    @property
    def source(self) -> str:
        """The name of the source."""
        return self.chunk.source

    @property
    def line(self) -> int:
        """The line of the first quad."""
        return self.chunk.first_line + self.chunk.index(self.start)

    def located(self) -> Piece:
        """The lines from the first quad to the last."""
        first, last = self.chunk.index(self.start), self.chunk.index(self.stop - 1)
        data = b"".join(line + b"\n" for line in self.chunk.lines[first : last + 1])
        return Piece(self.source, data, self.line)


def line_chunks(source: Input, limit: int) -> Iterator[bytes]:
    """Chunks that end where a line ends; an empty one when nothing has come for a while."""
    rest: list[bytes] = []
    size, lines = 0, 1
    for chunk in source.chunks():
        head, newline, tail = chunk.rpartition(b"\n")
        if newline:
            whole = b"".join([*rest, head, newline])
            yield whole
            lines += whole.count(b"\n")
            rest, size = [], 0
        elif not chunk:
            yield b""
        if tail:
            rest.append(tail)
            size += len(tail)
        if size > limit:
            raise Piece(source.name, b"".join(rest)[:4096], lines).error(
                "I107", f"a line of over {limit} bytes", "raise the limit, or split the element"
            )
    if rest:
        yield b"".join(rest)


def read_nquads(source: Input, reading: Reading) -> Iterator[TimedGraph]:
    """The named graphs of an N-Quads file."""
    assembler = GraphAssembler(reading, empty=True)
    scope = scope_of(source.name)
    line = 1
    for chunk in line_chunks(source, reading.limit):
        if not chunk:  # the graph may go on with the next line: only another one ends it
            continue
        quads = _quads(chunk)
        if quads is None:
            for number, text in enumerate(chunk.split(b"\n"), line):
                yield from _line(Piece(source.name, text + b"\n", number), reading, assembler, scope)
        else:
            yield from _runs(quads, Chunk(source.name, chunk, line, len(quads)), assembler, scope)
        line += chunk.count(b"\n")
    yield from assembler.end()


def _quads(chunk: bytes) -> list[ox.Quad] | None:
    """The quads of some lines, parsed at once; None if they are to be looked at one by one."""
    if b"\r" in chunk and chunk.count(b"\r") != chunk.count(b"\r\n"):
        return None  # pyoxigraph ends lines there, too: two quads in what is one line for us
    try:
        if may_nest_deeply(chunk):
            refuse_nesting(Piece("", chunk))
        return list(ox.parse(chunk, format=ox.RdfFormat.N_QUADS))
    except (SyntaxError, InputError):
        return None


def _runs(quads: list[ox.Quad], chunk: Chunk, assembler: GraphAssembler, scope: str) -> Iterator[TimedGraph]:
    """Give the assembler the runs of quads with one graph name."""
    rename = renaming(chunk.text, scope, chunk.first_line) if b"_:" in chunk.text else None
    start = 0
    for name, group in itertools.groupby(quads, _GRAPH_NAME):
        triples = [quad.triple for quad in group]
        stop = start + len(triples)
        if rename is not None:
            triples = rename_triples(triples, rename)
        if isinstance(name, ox.DefaultGraph):
            for number, triple in enumerate(triples, start):
                assembler.default((triple,), Run(chunk, number, number + 1))
        else:
            home = name if rename is None else rename_graph(name, rename)
            yield from assembler.graph(home, triples, Run(chunk, start, stop))
        start = stop


def _line(piece: Piece, reading: Reading, assembler: GraphAssembler, scope: str) -> Iterator[TimedGraph]:
    """One line of a chunk in which some line does not parse."""
    try:
        quads, _ = reading.parse(piece, ox.RdfFormat.N_QUADS, scope, piece.line)
    except InputError as error:
        yield from assembler.spoil(_line_graph(piece.data, scope), error, piece)
        return
    for name, triple in quads:
        if name is None:
            assembler.default([triple], piece)
        else:
            yield from assembler.graph(name, [triple], piece)


def _line_graph(line: bytes, scope: str) -> GraphName | None:
    """The graph that a line which does not parse seems to belong to."""
    found = _GRAPH_LABEL.search(line.rstrip(b"\n"))
    if found is None:
        return None
    text = b"<urn:x> <urn:x> <urn:x> " + found[1] + b" ."
    try:
        name = next(ox.parse(text, format=ox.RdfFormat.N_QUADS)).graph_name
    except SyntaxError:
        return None
    return None if isinstance(name, ox.DefaultGraph) else rename_graph(name, renaming(text, scope, 0))
