r"""N-Triples that can stand in a file, in a request body and inside `INSERT DATA { … }`.

    Triple(a, p, Literal('say "hi"\n'))   →   <urn:a> <urn:p> "say \"hi\"\n" .

Whatever text leaves has come through here. Literals are escaped by who writes them, but IRIs are trusted: one
that a lenient parser let in may hold a `>` and go on with anything. So every text is held against the
grammar, and what does not fit is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import pyoxigraph as ox

from laser_rdf.errors import SinkError, UsageError, escape_control

_IRI = r'<[^\x00-\x20<>"{}|^`\\]++>'
_LITERAL = r'"[^"\\\n\r]*+(?:\\[^\n\r][^"\\\n\r]*+)*+"(?:@[A-Za-z0-9-]++|\^\^' + _IRI + ")?"
_PLAIN = re.compile(rf"(?:{_IRI} {_IRI} (?:{_IRI}|{_LITERAL}) \.\n)*+")
_ONE_IRI = re.compile(_IRI)
_MAX_SHOWN = 120

Triples = Iterable[ox.Triple | str] | Iterable[ox.Triple] | Iterable[str] | str
"""Triples as terms, as N-Triples without the dots (as in `ResultGraph.statements`), or as N-Triples text."""


def lines(triples: Triples) -> str:
    r"""One line per triple.

    >>> a = ox.NamedNode("http://example.org/a")
    >>> lines([ox.Triple(a, a, ox.Literal('} "\n'))])
    '<http://example.org/a> <http://example.org/a> "} \\"\\n" .\n'
    """
    if isinstance(triples, str):
        return checked(triples)
    statements = [str(triple) for triple in triples]
    return checked(" .\n".join(statements) + " .\n" if statements else "")


def checked(text: str) -> str:
    """The text, if it is N-Triples without blank nodes, a line each; else SinkError.

    >>> checked("<urn:a> <urn:p> <urn:b> } ; DROP ALL # .\\n")
    Traceback (most recent call last):
    ...
    laser_rdf.errors.SinkError: `<urn:a> <urn:p> <urn:b> } ; DROP ALL # .` is no triple and cannot be written
    """
    if _PLAIN.fullmatch(text) is None:
        _examine(text)
    return text


def iri(name: str) -> str:
    """An IRI between brackets.

    >>> iri("http://example.org/a")
    '<http://example.org/a>'
    """
    text = f"<{name}>"
    if _ONE_IRI.fullmatch(text) is None:
        raise SinkError(f"`{_short(text)}` is not an IRI and cannot be written")
    return text


def _examine(text: str) -> None:
    """The slow way, line by line, for triple terms and for what is wrong."""
    *whole, rest = text.split("\n")
    if rest:
        raise SinkError(f"`{_short(rest)}` has no end and cannot be written")
    for line in whole:
        if _PLAIN.fullmatch(f"{line}\n") is not None:
            continue
        try:
            found = [quad.triple for quad in ox.parse(line, format=ox.RdfFormat.N_TRIPLES)]
        except SyntaxError:
            found = []
        if len(found) == 1 and has_blank_node(found[0]):
            raise UsageError(f"`{_short(line)}` has a blank node: make it an IRI before it is written")
        # Nothing but the triple: no comment, no other way to write it.
        if len(found) != 1 or f"{found[0]} ." != line:
            raise SinkError(f"`{_short(line)}` is no triple and cannot be written")


def has_blank_node(triple: ox.Triple) -> bool:
    """Whether a blank node occurs in it, in a triple term too.

    >>> a = ox.NamedNode("http://example.org/a")
    >>> has_blank_node(ox.Triple(a, a, ox.Triple(a, a, ox.BlankNode("b"))))
    True
    """
    return any(
        isinstance(term, ox.BlankNode) or (isinstance(term, ox.Triple) and has_blank_node(term))
        for term in (triple.subject, triple.object)
    )


def _short(text: str) -> str:
    return escape_control(text if len(text) <= _MAX_SHOWN else text[:_MAX_SHOWN] + "…")
