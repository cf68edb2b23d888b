"""Terms ↔ values. A term becomes a value once, on the way in, and a term again once, on the way out.

    <http://example.org/a>     ↔   a Symbol, always the same object for the same term
    "5"^^xsd:integer           ↔   5
    "05"^^xsd:integer          ↔   a Symbol: it is another term than 5, though worth as much

Values are equal exactly when the terms are. A symbol is compared and hashed by its address, which costs what
an integer costs, and it goes when no fact refers to it any more (`Interner.sweep`): no number is ever reused,
so nothing that remembers a value can mistake it for another.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import lru_cache

import pyoxigraph as ox

from laser_rdf.errors import UsageError, escape_control
from laser_rdf.rdf.term_texts import OxTerm, is_iri, term_text
from laser_rdf.values import IRI, XSD_INTEGER, BlankNode, Literal, Term
from laser_rdf.values.kinds import Valued, value_of

_INTEGER = ox.NamedNode(XSD_INTEGER)
_CANONICAL = re.compile(r"0|-?[1-9][0-9]{0,17}")
_MIN_SWEEP = 1 << 16
_DIRECTED = "--"
TRIPLE_TERM = "urn:laser:tripleTerm"
"""The datatype under which triple terms pass through programs, which carry them but cannot look inside."""


def to_value(term: OxTerm) -> Term:
    """The term as `laser_rdf.values` knows it; a triple term is a literal of a datatype of its own.

    >>> print(to_value(ox.Literal("2.50", datatype=ox.NamedNode("http://www.w3.org/2001/XMLSchema#decimal"))))
    "2.50"^^<http://www.w3.org/2001/XMLSchema#decimal>
    """
    match term:
        case ox.NamedNode():
            return IRI(term.value)
        case ox.BlankNode():
            return BlankNode(term.value)
        case ox.Literal():
            if term.direction is not None:  # written as N-Triples 1.2 writes it: "…"@ar--rtl
                return Literal(term.value, language=f"{term.language}{_DIRECTED}{term.direction}")
            return Literal(term.value, term.datatype.value, term.language or "")
        case ox.Triple():
            return Literal(str(term), TRIPLE_TERM)


def from_value(term: Term) -> OxTerm:
    """The pyoxigraph term; UsageError if it is not a valid RDF term.

    >>> from_value(Literal("chaud", language="fr"))
    <Literal value=chaud language=fr>
    """
    try:
        match term:
            case IRI(value):
                return ox.NamedNode(value)
            case BlankNode(label):
                return ox.BlankNode(label)
            case Literal(lexical, datatype, language):
                if language:
                    tag, _, direction = language.partition(_DIRECTED)
                    if direction:
                        return ox.Literal(lexical, language=tag, direction=ox.BaseDirection(direction))
                    return ox.Literal(lexical, language=tag)
                if datatype == TRIPLE_TERM:
                    return _triple_term(lexical)
                return ox.Literal(lexical, datatype=ox.NamedNode(datatype))
    except ValueError as problem:
        raise UsageError(f"`{escape_control(str(term))}` is not a valid RDF term: {problem}") from None


def _triple_term(text: str) -> OxTerm:
    """The triple term of this text; a literal that somebody gave our datatype stays what it is."""
    try:
        quads = list(ox.parse(f"<urn:x> <urn:x> <<( {text} )>> .", format=ox.RdfFormat.N_TRIPLES))
    except SyntaxError:
        quads = []
    return quads[0].object if len(quads) == 1 else ox.Literal(text, datatype=ox.NamedNode(TRIPLE_TERM))


class Symbol:
    """A term that occurs, as one object: equal to nothing but itself.

    >>> terms = Interner()
    >>> terms.value(ox.NamedNode("http://example.org/a")) is terms.value(ox.NamedNode("http://example.org/a"))
    True
    """

    __slots__ = ("as_term", "is_literal", "subject", "term", "text", "worth")

    term: OxTerm
    is_literal: bool
    as_term: Term
    """The term as `laser_rdf.values` knows it."""

    worth: Valued
    """The kind of value and the key by which it compares."""

    text: str
    """The term as N-Triples, a blank node as its IRI."""

    subject: str
    """The same, for a term that can be a subject; AttributeError for others."""

    def __init__(self, term: OxTerm) -> None:
        self.term = term
        self.is_literal = type(term) is ox.Literal

    def __getattr__(self, name: str) -> object:
        # Python asks here when a slot is empty: what follows from the term is made once, when it is needed.
        made: object
        match name:
            case "as_term":
                made = to_value(self.term)
            case "worth":
                made = value_of(self.as_term)
            case "text":
                made = term_text(self.term)
            case "subject" if is_iri(self.text):
                made = self.text
            case _:
                raise AttributeError(name)
        setattr(self, name, made)
        return made

    def __repr__(self) -> str:
        return f"Symbol({self.term})"


Value = Symbol | int


@lru_cache(maxsize=1 << 12)
def _integer(value: int) -> ox.Literal:
    return ox.Literal(str(value), datatype=_INTEGER)


def ox_term(value: Value) -> OxTerm:
    """The pyoxigraph term of a value.

    >>> ox_term(5)
    <Literal value=5 datatype=<NamedNode value=http://www.w3.org/2001/XMLSchema#integer>>
    """
    return _integer(value) if type(value) is int else value.term  # type: ignore[union-attr]


def term_of(value: Value) -> Term:
    """The term of a value as `laser_rdf.values` knows it.

    >>> print(term_of(5))
    "5"^^<http://www.w3.org/2001/XMLSchema#integer>
    """
    return Literal(str(value), XSD_INTEGER) if type(value) is int else value.as_term  # type: ignore[union-attr]


class Interner:
    """Gives every term its value.

    >>> terms = Interner()
    >>> terms.value(ox.Literal("5", datatype=ox.NamedNode("http://www.w3.org/2001/XMLSchema#integer")))
    5
    >>> terms.value(ox.Literal("05", datatype=ox.NamedNode("http://www.w3.org/2001/XMLSchema#integer")))
    Symbol("05"^^<http://www.w3.org/2001/XMLSchema#integer>)
    """

    __slots__ = ("_known", "_sweep_at")

    def __init__(self) -> None:
        self._known: dict[OxTerm, Value] = {}
        self._sweep_at = _MIN_SWEEP

    def __len__(self) -> int:
        return len(self._known)

    def __contains__(self, term: object) -> bool:
        return term in self._known

    def value(self, term: OxTerm) -> Value:
        """The value of a term, a new one if it has none."""
        return self._known.get(term) or self._make(term)

    def lookup(self) -> tuple[Callable[[OxTerm], Value | None], Callable[[OxTerm], Value]]:
        """For loops: what finds the value of a term, and what makes one when it found none (or 0).

        >>> get, make = Interner().lookup()
        >>> get(ox.NamedNode("urn:a")) or make(ox.NamedNode("urn:a"))
        Symbol(<urn:a>)
        """
        return self._known.get, self._make

    def find(self, term: OxTerm) -> Value | None:
        """The value of a term; None if it has not occurred."""
        return self._known.get(term)

    def of_term(self, term: Term) -> Value:
        """The value of a term given as `laser_rdf.values` knows it.

        >>> print(ox_term(Interner().of_term(IRI("http://example.org/a"))))
        <http://example.org/a>
        """
        return self.value(from_value(term))

    def _make(self, term: OxTerm) -> Value:
        found: Value
        if type(term) is ox.Literal and term.datatype == _INTEGER and _CANONICAL.fullmatch(term.value):
            found = int(term.value)
        else:
            found = Symbol(term)
        self._known[term] = found
        return found

    def sweep(self) -> int:
        """Forget the terms whose symbols nobody has any more; how many that were.

        To be called between two elements; it does nothing until the vocabulary has doubled.
        """
        before = len(self._known)
        if before < self._sweep_at:
            return 0
        probe = ox.BlankNode()
        self._known[probe] = Symbol(
            probe
        )  # nobody else has this one: it shows what the others count at least
        counts = list(map(sys.getrefcount, self._known.values()))
        unused = counts[-1]
        kept = zip(self._known.items(), counts, strict=True)
        self._known = {t: v for (t, v), n in kept if n > unused and type(v) is not int}
        self._sweep_at = max(_MIN_SWEEP, 2 * len(self._known))
        return before - len(self._known)
