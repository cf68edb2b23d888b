"""What numeric literals are worth: a literal goes in, a `Number` or None comes out, and back.

There are four kinds, in the order in which SPARQL promotes them: integer, decimal, float, double. Integers
and decimals are exact. None means "not a number": another datatype, an ill-typed text (`"abc"^^xsd:integer`,
`"300"^^xsd:byte`), or one beyond the limit of 4000 digits.

The limit keeps hostile input cheap, and it stays below the 4300 digits at which CPython's `int()` refuses.
"""

from __future__ import annotations

import enum
import math
import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from laser_rdf.values.rounding import (
    integer_of,
    integer_text,
    nearest_double,
    nearest_single,
    scientific,
    shortest_single,
)
from laser_rdf.values.terms import XSD, XSD_DECIMAL, XSD_DOUBLE, XSD_FLOAT, XSD_INTEGER, Literal, Term

MAX_DIGITS = 4000
XML_WHITESPACE = " \t\n\r"
MAX_CACHED_LENGTH = 64  # longer texts are parsed anew, so that the caches stay small in bytes too

_TOO_LARGE = 10**MAX_DIGITS


class NoValue(Exception):
    """An expression has no value, so the condition it stands in does not hold."""


class NumberKind(enum.IntEnum):
    """The four numeric types; a pair is computed in the greater of its two kinds."""

    INTEGER = 0
    DECIMAL = 1
    FLOAT = 2
    DOUBLE = 3


INTEGER, DECIMAL, FLOAT, DOUBLE = NumberKind

DATATYPE_OF_KIND = {INTEGER: XSD_INTEGER, DECIMAL: XSD_DECIMAL, FLOAT: XSD_FLOAT, DOUBLE: XSD_DOUBLE}

_INTEGER_RANGES: dict[str, tuple[int | None, int | None]] = {
    XSD_INTEGER: (None, None),
    XSD + "nonPositiveInteger": (None, 0),
    XSD + "negativeInteger": (None, -1),
    XSD + "nonNegativeInteger": (0, None),
    XSD + "positiveInteger": (1, None),
    **{XSD + name: (-(1 << bits - 1), (1 << bits - 1) - 1) for name, bits in
       (("long", 64), ("int", 32), ("short", 16), ("byte", 8))},
    **{XSD + name: (0, (1 << bits) - 1) for name, bits in
       (("unsignedLong", 64), ("unsignedInt", 32), ("unsignedShort", 16), ("unsignedByte", 8))},
}  # fmt: skip

NUMERIC_DATATYPES = frozenset({*_INTEGER_RANGES, XSD_DECIMAL, XSD_FLOAT, XSD_DOUBLE})


@dataclass(frozen=True, slots=True)
class Number:
    """A number: int for INTEGER, Fraction for DECIMAL, float for DOUBLE and (in single precision) FLOAT."""

    kind: NumberKind
    value: int | Fraction | float


def number_of(term: Term) -> Number | None:
    """The numeric value of a term, if it has one.

    >>> number_of(Literal(" +05 ", XSD_INTEGER))
    Number(kind=<NumberKind.INTEGER: 0>, value=5)
    >>> number_of(Literal("2.50", XSD_DECIMAL)).value
    Fraction(5, 2)
    >>> number_of(Literal("128", XSD + "byte")), number_of(Literal("1_000", XSD_INTEGER))
    (None, None)
    """
    if type(term) is not Literal or term.datatype not in NUMERIC_DATATYPES:
        return None
    if len(term.lexical) > MAX_CACHED_LENGTH:
        return parse_number(term.lexical, term.datatype)
    # The key is two strings and not the term: hashing those stays inside the interpreter.
    return _cached_number(term.lexical, term.datatype)


def parse_number(lexical: str, datatype: str) -> Number | None:
    """The number that the text denotes in the datatype; None if it denotes none."""
    text = lexical.strip(XML_WHITESPACE)
    if len(text) > MAX_DIGITS and sum(map(str.isdigit, text)) > MAX_DIGITS:
        return None
    if datatype == XSD_DOUBLE:
        return _parse_double(text)
    if datatype == XSD_FLOAT:
        return _parse_float(text)
    if datatype == XSD_DECIMAL:
        return Number(DECIMAL, _exact(text)) if _DECIMAL_TEXT.fullmatch(text) else None
    if datatype in _INTEGER_RANGES and _INTEGER_TEXT.fullmatch(text):
        value = integer_of(text)
        low, high = _INTEGER_RANGES[datatype]
        if (low is None or low <= value) and (high is None or value <= high):
            return Number(INTEGER, value)
    return None


_cached_number = lru_cache(maxsize=1 << 16)(parse_number)

_INTEGER_TEXT = re.compile(r"[+-]?[0-9]+")
_DECIMAL_TEXT = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")
_DOUBLE_TEXT = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_SPECIAL = {"INF": math.inf, "+INF": math.inf, "-INF": -math.inf, "NaN": math.nan}


def _parse_double(text: str) -> Number | None:
    if text in _SPECIAL:
        return Number(DOUBLE, _SPECIAL[text])
    return Number(DOUBLE, float(text)) if _DOUBLE_TEXT.fullmatch(text) else None


def _parse_float(text: str) -> Number | None:
    double = _parse_double(text)
    if double is None:
        return None
    rough = float(double.value)
    if not 2.0**-160 < abs(rough) < 2.0**130:
        return Number(FLOAT, nearest_single(rough))
    # Rounding the double would round twice; inside this range the exact value is small enough to take.
    return Number(FLOAT, nearest_single(_exact(text)))


def _exact(text: str) -> Fraction:
    mantissa, _, exponent = text.replace("E", "e").partition("e")
    whole, _, fraction = mantissa.partition(".")
    scale = (integer_of(exponent) if exponent else 0) - len(fraction)
    digits = integer_of(whole + fraction)
    return Fraction(digits * 10**scale) if scale >= 0 else Fraction(digits, 10**-scale)


def promote(x: Number, y: Number) -> tuple[NumberKind, int | Fraction | float, int | Fraction | float]:
    """The kind in which a pair is computed, and both values in it.

    >>> promote(Number(INTEGER, 1), Number(DOUBLE, 0.5))
    (<NumberKind.DOUBLE: 3>, 1.0, 0.5)
    """
    if x.kind is y.kind:
        return x.kind, x.value, y.value
    kind = max(x.kind, y.kind)
    return kind, _cast(x, kind), _cast(y, kind)


def _cast(number: Number, kind: NumberKind) -> int | Fraction | float:
    if isinstance(number.value, float):
        return number.value  # a single is a double already
    if kind is DOUBLE:
        return nearest_double(number.value)
    # Python computes and compares an int with a Fraction exactly: a decimal needs no conversion.
    return nearest_single(number.value) if kind is FLOAT else number.value


def number_literal(number: Number) -> Literal:
    """The canonical literal of a number; NoValue when it would take more than 4000 digits.

    >>> [number_literal(Number(DECIMAL, value)).lexical for value in (Fraction(5, 2), Fraction(2))]
    ['2.5', '2.0']
    >>> number_literal(Number(DOUBLE, 1000.0)).lexical, number_literal(Number(DOUBLE, -0.0)).lexical
    ('1.0E3', '-0.0E0')
    """
    value = number.value
    if isinstance(value, float):
        text = _float_text(value, number.kind)
    elif number.kind is INTEGER:
        if not -_TOO_LARGE < value < _TOO_LARGE:
            raise NoValue
        text = integer_text(int(value))
    else:
        text = decimal_text(Fraction(value))
    return Literal(text, DATATYPE_OF_KIND[number.kind])


def _float_text(value: float, kind: NumberKind) -> str:
    if math.isnan(value):
        return "NaN"
    sign = "-" if math.copysign(1.0, value) < 0 else ""
    if math.isinf(value):
        return sign + "INF"
    return sign + scientific(repr(abs(value)) if kind is DOUBLE else shortest_single(abs(value)))


def decimal_text(value: Fraction) -> str:
    """The canonical decimal text; NoValue if it has no end or is too long.

    >>> decimal_text(Fraction(-1, 8))
    '-0.125'
    """
    numerator, denominator = value.numerator, value.denominator
    twos = (denominator & -denominator).bit_length() - 1
    fives = round(math.log(denominator >> twos, 5))
    places = max(twos, fives, 1)
    if places > MAX_DIGITS or 5**fives << twos != denominator:
        raise NoValue
    scaled = abs(numerator) * (10**places // denominator)
    if scaled >= _TOO_LARGE:
        raise NoValue
    digits = integer_text(scaled).rjust(places + 1, "0")
    if len(digits) > MAX_DIGITS:
        raise NoValue
    return f"{'-' if numerator < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def time_point_of(term: Term) -> int | None:
    """The whole number a term denotes, whatever its numeric type; None if it denotes none.

    >>> [time_point_of(Literal("5", XSD_INTEGER)), time_point_of(Literal("5e0", XSD_DOUBLE))]
    [5, 5]
    >>> time_point_of(Literal("5.5", XSD_DECIMAL)) is None
    True
    """
    number = number_of(term)
    if number is None:
        return None
    value = number.value
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    return value.numerator if value.denominator == 1 else None
