"""RDF terms: what constants are.

Terms are compared and joined by their text (`"01"^^xsd:integer` and `1` are two terms); what they are
worth is another module's business (`laser_rdf.values.numbers`, `compare`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

LOCAL_BASE = "urn:laser:local:"

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
XSD = "http://www.w3.org/2001/XMLSchema#"

RDF_TYPE = RDF + "type"
LANG_STRING = RDF + "langString"
XSD_STRING = XSD + "string"
XSD_BOOLEAN = XSD + "boolean"
XSD_INTEGER = XSD + "integer"
XSD_DECIMAL = XSD + "decimal"
XSD_DOUBLE = XSD + "double"
XSD_FLOAT = XSD + "float"
XSD_DATE_TIME = XSD + "dateTime"
XSD_DATE_TIME_STAMP = XSD + "dateTimeStamp"
XSD_DATE = XSD + "date"
XSD_TIME = XSD + "time"
XSD_DURATION = XSD + "duration"
XSD_DAY_TIME_DURATION = XSD + "dayTimeDuration"
XSD_YEAR_MONTH_DURATION = XSD + "yearMonthDuration"


@dataclass(frozen=True, slots=True)
class IRI:
    """An absolute IRI.

    >>> print(IRI("http://example.org/a"))
    <http://example.org/a>
    """

    value: str

    def __str__(self) -> str:
        """Its N-Triples text."""
        return ntriples(self)


@dataclass(frozen=True, slots=True)
class BlankNode:
    """A blank node of a stream or a background file; its label is unique in the run."""

    label: str

    def __str__(self) -> str:
        """Its N-Triples text."""
        return ntriples(self)


@dataclass(frozen=True, slots=True)
class Literal:
    """A literal with the text it was written with; a language makes it an `rdf:langString`.

    >>> print(Literal("2.50", XSD_DECIMAL))
    "2.50"^^<http://www.w3.org/2001/XMLSchema#decimal>
    >>> Literal("chaud", language="fr").datatype == LANG_STRING
    True
    """

    lexical: str
    datatype: str = XSD_STRING
    language: str = ""

    def __post_init__(self) -> None:
        """Settle the datatype of a string with a language."""
        # Atoms join by term: one tagged string must not be two terms because a caller left the datatype out.
        if self.language and self.datatype != LANG_STRING:
            object.__setattr__(self, "datatype", LANG_STRING)

    def __str__(self) -> str:
        """Its N-Triples text."""
        return ntriples(self)


Term = IRI | BlankNode | Literal


def ntriples(term: Term) -> str:
    r"""The canonical N-Triples text of a term (RDF 1.2 N-Triples, section 4).

    >>> print(ntriples(Literal('say "hi"\n', language="en")))
    "say \"hi\"\n"@en
    >>> print(ntriples(IRI("http://example.org/a b")))
    <http://example.org/a\u0020b>
    >>> print(ntriples(BlankNode("b1")))
    _:b1
    """
    match term:
        case IRI(value):
            return f"<{_NOT_IN_IRI.sub(_numeric_escape, value)}>"
        case BlankNode(label):
            return f"_:{label}"
        case Literal(lexical, datatype, language):
            quoted = f'"{_NOT_IN_STRING.sub(_string_escape, lexical)}"'
            if language:
                return f"{quoted}@{language}"
            if datatype == XSD_STRING:
                return quoted
            return f"{quoted}^^<{_NOT_IN_IRI.sub(_numeric_escape, datatype)}>"


# Unpaired surrogates are no characters; escaped, they cannot break the encoding of an output file.
_NOT_IN_IRI = re.compile(r'[\x00-\x20<>"{}|^`\\\ud800-\udfff]')
_NOT_IN_STRING = re.compile(r'[\x00-\x1f"\\\x7f\ud800-\udfff\ufffe\uffff]')
_SHORT_ESCAPES = {
    "\b": r"\b",
    "\t": r"\t",
    "\n": r"\n",
    "\f": r"\f",
    "\r": r"\r",
    '"': r"\"",
    "\\": r"\\",
}


def _numeric_escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04X}"


def _string_escape(match: re.Match[str]) -> str:
    return _SHORT_ESCAPES.get(match[0]) or _numeric_escape(match)
