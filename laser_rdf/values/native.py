"""Python values as terms, and terms as Python values.

    "room1"   ↔  <urn:laser:local:room1>        a name of the program
    True      ↔  "true"^^xsd:boolean
    5         ↔  "5"^^xsd:integer
    0.5       ↔  "5.0E-1"^^xsd:double
    any Term  ↔  itself

The two functions are inverse to each other on everything they accept: a literal that is not written
canonically (`"05"^^xsd:integer`) stays a term, or its text would be lost.
"""

from __future__ import annotations

import re

from laser_rdf.errors import UsageError, escape_control
from laser_rdf.values.numbers import DOUBLE, INTEGER, NoValue, Number, number_literal, number_of
from laser_rdf.values.terms import (
    IRI,
    LOCAL_BASE,
    XSD_BOOLEAN,
    XSD_DOUBLE,
    XSD_INTEGER,
    BlankNode,
    Literal,
    Term,
)

TRUE = Literal("true", XSD_BOOLEAN)
FALSE = Literal("false", XSD_BOOLEAN)

_NAME = re.compile(r"\w(?:[\w-]*\w)?")


def to_term(value: object) -> Term:
    """The term of a Python value; UsageError if it has none.

    >>> print(to_term("room1"), to_term(0.5))
    <urn:laser:local:room1> "5.0E-1"^^<http://www.w3.org/2001/XMLSchema#double>
    """
    match value:
        case IRI() | BlankNode() | Literal():
            return value
        case str():
            return _local(value)
        case bool():
            return TRUE if value else FALSE
        case int():
            return _integer(value)
        case float():
            return number_literal(Number(DOUBLE, float(value)))  # a subclass may print otherwise
    raise UsageError(
        f"a `{type(value).__name__}` is no value of a program: use str, bool, int, float or a term"
    )


def _local(name: str) -> IRI:
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"`{escape_control(name[:80])}` is not a name: a str stands for a name of the program "
            "(letters, digits, `_`, inner `-`); write text as Literal(…) and other resources as IRI(…)"
        )
    return IRI(LOCAL_BASE + name)


def _integer(value: int) -> Literal:
    try:
        return number_literal(Number(INTEGER, value))
    except NoValue:
        raise UsageError("an int of more than 4000 digits is no value of a program") from None


def from_term(term: Term) -> object:
    """The Python value of a term; the term itself if it has none.

    >>> from_term(IRI("urn:laser:local:room1")), from_term(Literal("5", XSD_INTEGER))
    ('room1', 5)
    >>> from_term(Literal("05", XSD_INTEGER))
    Literal(lexical='05', datatype='http://www.w3.org/2001/XMLSchema#integer', language='')
    """
    match term:
        case IRI(value) if value.startswith(LOCAL_BASE):
            name = value[len(LOCAL_BASE) :]
            return name if _NAME.fullmatch(name) else term
        case Literal(_, datatype) if datatype == XSD_BOOLEAN:
            return True if term == TRUE else False if term == FALSE else term
        case Literal(_, datatype) if datatype in (XSD_INTEGER, XSD_DOUBLE):
            number = number_of(term)
            return term if number is None or number_literal(number) != term else number.value
    return term
