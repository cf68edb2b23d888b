"""Background documents: Turtle, N-Triples, RDF/XML, JSON-LD, N3, TriG, N-Quads → triples, one by one.

Blank nodes are numbered by file and order, so that `_:b` of two files are two and every run names them
alike. Nothing is fetched: remote JSON-LD contexts are errors, `owl:imports` is an ordinary triple.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, cast
from urllib.parse import quote

import pyoxigraph as ox

from laser_rdf.errors import InputError, UsageError, escape_control
from laser_rdf.rdf.blank_nodes import rename_triple, scope_of
from laser_rdf.rdf.problems import Piece
from laser_rdf.rdf.sources import Input, Source, inputs
from laser_rdf.values import OWL

OWL_IMPORTS = ox.NamedNode(OWL + "imports")

_FORMATS = {
    "turtle": ox.RdfFormat.TURTLE,
    "ntriples": ox.RdfFormat.N_TRIPLES,
    "n3": ox.RdfFormat.N3,
    "rdfxml": ox.RdfFormat.RDF_XML,
    "jsonld": ox.RdfFormat.JSON_LD,
    "trig": ox.RdfFormat.TRIG,
    "nquads": ox.RdfFormat.N_QUADS,
}
DOCUMENT_FORMATS = tuple(_FORMATS)
_BY_SUFFIX = {
    "ttl": "turtle",
    "nt": "ntriples",
    "n3": "n3",
    "rdf": "rdfxml",
    "xml": "rdfxml",
    "owl": "rdfxml",
    "jsonld": "jsonld",
    "json": "jsonld",
    "trig": "trig",
    "nq": "nquads",
}
_XML = re.compile(rb"\s*<(?:\?xml|!DOCTYPE|!--|rdf:RDF|RDF)")
_HEAD = 1 << 20
_ENTITY = re.compile(rb"<!ENTITY\s+(%\s+)?(\S+)\s+(?:\"([^\"]*)\"|'([^']*)'|(SYSTEM|PUBLIC))")
_REFERENCE = re.compile(rb"&(?!#)|%")
_MAX_ENTITY = 512


def read_document(source: Source, format: str | None = None, name: str | None = None) -> Iterator[ox.Triple]:
    """The triples of a file, gzip file, directory, or bytes; the format follows from the name's suffix.

    >>> [str(t) for t in read_document(b"<urn:a> <urn:p> [] .", "turtle", name="a.ttl")]
    ['<urn:a> <urn:p> _:f9397afcc8614-0']
    """
    if format is not None and format not in _FORMATS:
        raise UsageError(f"`{escape_control(format)}` is no format of documents: use {', '.join(_FORMATS)}")
    for found in inputs(source, name):
        yield from _read(found, format)


def imports_of(triples: Iterable[ox.Triple]) -> list[str]:
    """The documents that `owl:imports` names; they are listed, not followed."""
    return [t.object.value for t in triples if t.predicate == OWL_IMPORTS and type(t.object) is ox.NamedNode]


def _read(document: Input, format: str | None) -> Iterator[ox.Triple]:
    file = _Chunks(document.chunks())
    chosen = format or _format_of(document.name, file.head())
    if chosen == "rdfxml":
        _no_bombs(document.name, file.head())
    rename = _numbered(scope_of(document.name))
    base = _base_of(document.name)
    quads = ox.parse(cast(IO[bytes], file), format=_FORMATS[chosen], base_iri=base)
    while True:
        try:
            quad = next(quads)
        except StopIteration:
            return
        except SyntaxError as problem:
            raise _located(document, problem) from None
        except ValueError as problem:  # (bytes that are no text)
            raise Piece(document.name, b"").error("I106", str(problem), "the file must be UTF-8") from None
        except OSError as problem:
            if file.failed is not None:
                raise file.failed from None
            raise UsageError(f"cannot read `{escape_control(document.name)}`: {problem}") from None
        yield rename_triple(quad.triple, rename)


def _base_of(name: str) -> str:
    """Relative IRIs of a file are resolved against its name, not against where it lies on this machine."""
    return f"file:///{quote(Path(name).name, errors='surrogatepass')}"


def _format_of(name: str, head: bytes) -> str:
    suffix = name.lower().removesuffix(".gz").rpartition(".")[2]
    chosen = _BY_SUFFIX.get(suffix)
    if chosen is None:
        raise UsageError(
            f"the format of `{escape_control(name)}` does not follow from its name: "
            f"use a suffix such as .ttl, .nt, .rdf or .jsonld"
        )
    if suffix in ("owl", "xml") and not _XML.match(head.removeprefix(b"\xef\xbb\xbf")):
        return "turtle"  # ontologies in Turtle are often called .owl
    return chosen


def _no_bombs(name: str, head: bytes) -> None:
    """Refuse entities that could grow: the parser expands what a file declares, however often it nests."""
    for parameter, entity, double, single, outside in _ENTITY.findall(head):
        value = double or single
        if parameter or outside or len(value) > _MAX_ENTITY or _REFERENCE.search(value):
            line = head[: head.index(b"<!ENTITY")].count(b"\n") + 1
            shown = escape_control(entity.decode("utf-8", "replace"))
            raise Piece(name, b"", line).error(
                "I107",
                f"the entity `{shown}` is long, nested or from outside",
                "write the text where it is used",
            )


def _numbered(scope: str) -> Callable[[ox.BlankNode], ox.BlankNode]:
    names: dict[str, ox.BlankNode] = {}

    def rename(node: ox.BlankNode) -> ox.BlankNode:
        found = names.get(node.value)
        if found is None:
            found = names[node.value] = ox.BlankNode(f"{scope}-{len(names)}")
        return found

    return rename


def _located(document: Input, problem: SyntaxError) -> InputError:
    """The error with its line, for which the document is read again up to there."""
    number = problem.lineno or 1
    line = b""
    seen = 1
    try:
        for chunk in document.chunks() if document.close else ():
            pieces = chunk.split(b"\n")
            if seen + len(pieces) > number:
                line = (line if seen == number else b"") + pieces[number - seen]
                if seen + len(pieces) - 1 > number:
                    break
            seen += len(pieces) - 1
    except (InputError, UsageError):
        line = b""
    return Piece(document.name, line, number).syntax_error(problem, header_lines=number - 1)


class _Chunks(io.RawIOBase):
    """Chunks as a file that pyoxigraph reads."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._rest = b""
        self.failed: InputError | None = None

    def head(self) -> bytes:
        """The first megabyte, or less if the file is shorter."""
        while len(self._rest) < _HEAD and (chunk := next(self._chunks, b"")):
            self._rest += chunk
        return self._rest

    def readable(self) -> bool:
        """It is."""
        return True

    def read(self, size: int = -1) -> bytes:
        """Up to so many bytes; what goes wrong is kept, because the parser would turn it into its own."""
        if not self._rest:
            try:
                self._rest = next(self._chunks, b"")
            except InputError as problem:
                self.failed = problem
                raise OSError("unreadable") from problem
        if size < 0 or size >= len(self._rest):
            found, self._rest = self._rest, b""
        else:
            found, self._rest = self._rest[:size], self._rest[size:]
        return found
