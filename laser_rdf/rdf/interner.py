"""Terms ↔ integers. A term becomes an integer once, on the way in, and a term again once, on the way out.

Terms are told apart by their text: `"01"^^xsd:integer` and `1` are two terms and get two integers. What a
term is worth is found from its value (`Interner.value`), which is made once per term.
"""

from __future__ import annotations

import pyoxigraph as ox

from laser_rdf.errors import UsageError, escape_control
from laser_rdf.values import IRI, BlankNode, Literal, Term

OxTerm = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple


def to_value(term: OxTerm) -> Term:
    """The term as `laser_rdf.values` knows it; UsageError for a triple term.

    >>> print(to_value(ox.Literal("2.50", datatype=ox.NamedNode("http://www.w3.org/2001/XMLSchema#decimal"))))
    "2.50"^^<http://www.w3.org/2001/XMLSchema#decimal>
    """
    match term:
        case ox.NamedNode():
            return IRI(term.value)
        case ox.BlankNode():
            return BlankNode(term.value)
        case ox.Literal():
            if term.direction is not None:
                raise UsageError(f"`{escape_control(str(term))}` has a direction, which programs cannot read")
            return Literal(term.value, term.datatype.value, term.language or "")
        case _:
            raise UsageError(f"`{escape_control(str(term))}` is a triple term, which programs cannot read")


def from_value(term: Term) -> ox.NamedNode | ox.BlankNode | ox.Literal:
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
                    return ox.Literal(lexical, language=language)
                return ox.Literal(lexical, datatype=ox.NamedNode(datatype))
    except ValueError as problem:
        raise UsageError(f"`{escape_control(str(term))}` is not a valid RDF term: {problem}") from None


class Interner:
    """Numbers terms from 0 in the order in which they come.

    >>> terms = Interner()
    >>> a = ox.NamedNode("http://example.org/a")
    >>> terms.id(a), terms.id(ox.Literal("01")), terms.id(ox.NamedNode("http://example.org/a"))
    (0, 1, 0)
    >>> terms.term(1)
    <Literal value=01 datatype=<NamedNode value=http://www.w3.org/2001/XMLSchema#string>>
    """

    __slots__ = ("_ids", "_terms", "_values")

    def __init__(self) -> None:
        self._ids: dict[OxTerm, int] = {}
        self._terms: list[OxTerm] = []
        self._values: list[Term | None] = []

    def __len__(self) -> int:
        return len(self._terms)

    def __contains__(self, term: object) -> bool:
        return term in self._ids

    def id(self, term: OxTerm) -> int:
        """The number of a term, a new one if it has none."""
        found = self._ids.get(term)
        if found is None:
            found = self._ids[term] = len(self._terms)
            self._terms.append(term)
            self._values.append(None)
        return found

    def find(self, term: OxTerm) -> int | None:
        """The number of a term; None if it has none."""
        return self._ids.get(term)

    def term(self, number: int) -> OxTerm:
        """The term of a number; UsageError if there is none."""
        if not 0 <= number < len(self._terms):
            raise UsageError(f"no term has the number {number}")
        return self._terms[number]

    def value(self, number: int) -> Term:
        """The term of a number as `laser_rdf.values` knows it, made once.

        >>> terms = Interner()
        >>> print(terms.value(terms.id_of_value(IRI("http://example.org/a"))))
        <http://example.org/a>
        """
        term = self.term(number)
        found = self._values[number]
        if found is None:
            found = self._values[number] = to_value(term)
        return found

    def id_of_value(self, value: Term) -> int:
        """The number of a term given as `laser_rdf.values` knows it."""
        return self.id(from_value(value))
