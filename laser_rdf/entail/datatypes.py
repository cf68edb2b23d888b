"""Literals as members of their datatypes (rules dt-type2 and dt-not-type).

A literal belongs to its datatype and to those the datatype is derived from: `"5"^^xsd:byte` is an
`xsd:short`, an `xsd:integer`, an `xsd:decimal`. Whether a value written with a wider datatype fits a
narrower one is not asked. `dt-eq` and `dt-diff` are not applied: literals are what they are written as.
"""

from __future__ import annotations

from laser_rdf.entail.rules import Node
from laser_rdf.rdf.interner import Interner, Symbol, Value, ox_term
from laser_rdf.values import OWL, RDF, RDFS, XSD, XSD_INTEGER

_DERIVED = {
    "integer": "decimal",
    "nonNegativeInteger": "integer",
    "nonPositiveInteger": "integer",
    "long": "integer",
    "positiveInteger": "nonNegativeInteger",
    "negativeInteger": "nonPositiveInteger",
    "int": "long",
    "short": "int",
    "byte": "short",
    "unsignedLong": "nonNegativeInteger",
    "unsignedInt": "unsignedLong",
    "unsignedShort": "unsignedInt",
    "unsignedByte": "unsignedShort",
    "normalizedString": "string",
    "token": "normalizedString",
    "language": "token",
    "Name": "token",
    "NMTOKEN": "token",
    "NCName": "Name",
    "dateTimeStamp": "dateTime",
}
_PRIMITIVE = (
    "decimal",
    "string",
    "boolean",
    "float",
    "double",
    "dateTime",
    "anyURI",
    "hexBinary",
    "base64Binary",
)

RL_DATATYPES = (
    RDF + "PlainLiteral",
    RDF + "XMLLiteral",
    RDFS + "Literal",
    OWL + "real",
    OWL + "rational",
    *(XSD + name for name in (*_PRIMITIVE, *_DERIVED)),
)
"""The datatypes of OWL 2 RL and some of those above them."""


def datatypes_of(datatype: str) -> tuple[str, ...]:
    """A datatype and those it is derived from.

    >>> [iri.rpartition("#")[2] for iri in datatypes_of(XSD + "short")]
    ['short', 'int', 'long', 'integer', 'decimal']
    """
    found = [datatype]
    if datatype.startswith(XSD):
        name = datatype[len(XSD) :]
        while name in _DERIVED:
            name = _DERIVED[name]
            found.append(XSD + name)
    return tuple(found)


def _primitive(datatype: str) -> str:
    return datatypes_of(datatype)[-1]


class Datatypes:
    """Literals and the classes they belong to, as values of an interner."""

    def __init__(self, interner: Interner) -> None:
        self._interner = interner
        self._classes: dict[str, tuple[Value, ...]] = {}
        self.known = {self._value(iri): iri for iri in RL_DATATYPES}

    def _value(self, iri: str) -> Value:
        import pyoxigraph as ox

        return self._interner.value(ox.NamedNode(iri))

    def classes(self, literal: Node) -> tuple[Value, ...]:
        """The datatypes of a literal."""
        datatype = _datatype(literal)
        found = self._classes.get(datatype)
        if found is None:
            found = self._classes[datatype] = tuple(map(self._value, datatypes_of(datatype)))
        return found

    def contradicts(self, literal: Node, datatype: Node) -> bool:
        """Whether a literal has a datatype whose values are of another kind than those of this one."""
        iri = self.known.get(datatype)
        if iri is None or not iri.startswith(XSD):
            return False
        own = _datatype(literal)
        primitive = _primitive(own)
        return primitive in _XSD_PRIMITIVES and primitive != _primitive(iri)


_XSD_PRIMITIVES = frozenset(XSD + name for name in _PRIMITIVE)


def _datatype(literal: Node) -> str:
    if type(literal) is int:
        return XSD_INTEGER
    return ox_term(literal).datatype.value  # type: ignore[union-attr]


def is_literal(node: Node) -> bool:
    """Whether a value is a literal."""
    return type(node) is int or (type(node) is Symbol and node.is_literal)
