"""Text → quads, by pyoxigraph: one piece by itself, or many at once.

A call of the parser costs as much as several quads. So the statements or messages of a chunk are parsed in
one call, and what came from which is found out afterwards: by lines where a line is a quad, else by seams,
which are triples of our own between the texts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import pyoxigraph as ox

from laser_rdf.rdf.blank_nodes import may_have_triple_terms
from laser_rdf.rdf.problems import Piece

MAX_NESTING = 1000
IN_LINES = (ox.RdfFormat.N_TRIPLES, ox.RdfFormat.N_QUADS)
"""The formats in which a line is a quad, or nothing."""

_NESTING = re.compile(rb"<<\(?|\)?>>")
_NO_QUAD = re.compile(rb"[ \t]*(?:#.*)?\Z", re.DOTALL)
_SEAM = ox.Quad(*[ox.NamedNode("urn:laser:seam")] * 3)
_SEAM_TEXT = b"\n<urn:laser:seam> <urn:laser:seam> <urn:laser:seam> .\n"

Together = tuple[list[list[ox.Quad]], ox.QuadParser]
"""The quads of each text, and the parser that has read them all."""


def parsed(piece: Piece, form: ox.RdfFormat, header: bytes = b"") -> tuple[list[ox.Quad], ox.QuadParser]:
    """The quads of a piece as pyoxigraph gives them, and the parser; InputError if it does not parse."""
    if may_nest_deeply(piece.data):
        refuse_nesting(piece)
    parser = ox.parse(header + piece.data, format=form)
    try:
        return list(parser), parser
    except SyntaxError as problem:
        raise piece.syntax_error(problem, header.count(b"\n")) from None


def parse_together(texts: Sequence[bytes], form: ox.RdfFormat, header: bytes = b"") -> Together | None:
    """The quads of each text, all parsed at once, which is several times as fast as one by one.

    None if that does not show what each of them says: then they are to be looked at by themselves.

    >>> texts = [b"<urn:a> <urn:p> 1, 2 .", b"", b"<urn:a> <urn:p> 3 ."]
    >>> [len(quads) for quads in parse_together(texts, ox.RdfFormat.TURTLE)[0]]
    [2, 0, 1]
    """
    by_lines = form in IN_LINES and not any(b"\r" in text for text in texts)  # which may end a line as well
    text = header + (b"" if by_lines else _SEAM_TEXT).join(texts)
    if may_nest_deeply(text):
        return None
    parser = ox.parse(text, format=form)
    try:
        quads = list(parser)
    except SyntaxError:
        return None
    found = _cut_by_lines(quads, texts) if by_lines else _cut_at_seams(quads, len(texts))
    return None if found is None else (found, parser)


def _cut_at_seams(quads: list[ox.Quad], texts: int) -> list[list[ox.Quad]] | None:
    if quads.count(_SEAM) != texts - 1:
        return None
    found, start, index = [], 0, quads.index
    for _ in range(texts - 1):
        stop = index(_SEAM, start)
        found.append(quads[start:stop])
        start = stop + 1
    found.append(quads[start:])
    return found


def _cut_by_lines(quads: list[ox.Quad], texts: Sequence[bytes]) -> list[list[ox.Quad]] | None:
    """The quads of texts of whole lines: no line holds two, and most logs have no lines without one."""
    counts = [text.count(b"\n") for text in texts]
    if sum(counts) != len(quads):
        counts = [sum(not _NO_QUAD.match(line) for line in text.split(b"\n")) for text in texts]
        if sum(counts) != len(quads):
            return None
    found, start = [], 0
    for count in counts:
        found.append(quads[start : start + count])
        start += count
    return found


def may_nest_deeply(text: bytes) -> bool:
    """Whether there are so many triple terms that they could be nested too deeply."""
    return may_have_triple_terms(text) and text.count(b"<<") > MAX_NESTING


def refuse_nesting(piece: Piece) -> None:
    """Refuse triple terms nested so deeply that pyoxigraph's recursion would end the process."""
    depth = 0
    for found in _NESTING.finditer(piece.data):
        depth = depth + 1 if found[0].startswith(b"<<") else max(0, depth - 1)
        if depth > MAX_NESTING:
            raise piece.error("I107", f"triple terms nested over {MAX_NESTING} deep", "nest them less")
