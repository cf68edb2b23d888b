"""SPARQL's operators where they differ from those of the language: they tell "false" from "no value".

Event queries (`laser_rdf.rdf.event_query`) are compiled into rules that call these. They give the answers of
pyoxigraph, which evaluates the queries that are not compiled: numbers have its text (`2`, not `2.0`),
integers 64 bits and decimals 18 places, and a moment with a zone and one without are in order only if they
are more than 14 hours apart. Where there is no value, `NoValue` is raised.
"""

from __future__ import annotations

from decimal import Context, Decimal
from fractions import Fraction

from laser_rdf.values import arithmetic
from laser_rdf.values.calendar_arithmetic import add as add_moments
from laser_rdf.values.calendar_arithmetic import subtract as subtract_moments
from laser_rdf.values.durations import Duration, DurationKind, duration_literal, duration_of, seconds_of
from laser_rdf.values.kinds import DURATIONS, Kind, value_of
from laser_rdf.values.moments import days_from_civil, moment_of
from laser_rdf.values.native import FALSE, TRUE
from laser_rdf.values.numbers import DECIMAL, INTEGER, NoValue, Number, number_of, promote
from laser_rdf.values.terms import IRI, XSD_DECIMAL, XSD_STRING, BlankNode, Literal, Term

_MOMENTS = frozenset({Kind.DATE_TIME, Kind.DATE, Kind.TIME})
_PLACES = 10**18
_INTEGERS = 1 << 63
_DECIMALS = 1 << 127
_ZONES = 14 * 3600
_EXACT = Context(prec=60)

# --- comparison ------------------------------------------------------------------------------------------


def equal(a: Term, b: Term) -> Literal:
    """`A = B`; no value for two literals of which one is of a datatype that is not known.

    >>> from laser_rdf.values.terms import XSD_INTEGER
    >>> equal(Literal("1", XSD_INTEGER), Literal("1.0", XSD_DECIMAL)).lexical
    'true'
    """
    return _boolean(_equal(a, b))


def less(a: Term, b: Term) -> Literal:
    """`A < B`; no value for what has no order, as a number and a text."""
    return _boolean(_ordered(a, b) < 0)


def at_most(a: Term, b: Term) -> Literal:
    """`A <= B`."""
    return _boolean(_ordered(a, b) <= 0)


def among(a: Term, *items: Term) -> Literal:
    """`A IN (B, …)`: true if one of them equals it, without a value if it cannot be told from one of them."""
    unknown = False
    for item in items:
        try:
            if _equal(a, item):
                return TRUE
        except NoValue:
            unknown = True
    if unknown:
        raise NoValue
    return FALSE


def same_term(a: Term, b: Term) -> Literal:
    """`sameTerm(A, B)`."""
    return _boolean(a == b)


def _equal(a: Term, b: Term) -> bool:
    if not (isinstance(a, Literal) and isinstance(b, Literal)) or a.language or b.language:
        return a == b
    x, y = value_of(a), value_of(b)
    if x.kind is Kind.OTHER or y.kind is Kind.OTHER:
        if a == b:
            return True
        raise NoValue
    if x.kind is not y.kind:
        return x.kind in DURATIONS and y.kind in DURATIONS and bool(x.key == y.key)
    if x.kind is Kind.NUMBER:
        _, u, v = promote(x.key, y.key)
        return u == v
    return _moments_in_order(a, b) == 0 if x.kind in _MOMENTS else bool(x.key == y.key)


def _ordered(a: Term, b: Term) -> int:
    order = _order(a, b)
    if order is None:
        raise NoValue
    return order


def _order(a: Term, b: Term) -> int | None:
    """Below zero if `a` comes first, zero if they are in the same place, None if they have no order."""
    if a == b:
        return 0
    x, y = value_of(a), value_of(b)
    if x.kind in DURATIONS and y.kind in DURATIONS:
        return _durations_in_order(x.key, y.key)
    if x.kind is not y.kind or x.kind is Kind.BOOLEAN:
        return None
    if x.kind is Kind.NUMBER:
        _, u, v = promote(x.key, y.key)
        return -1 if u < v else 1 if u > v else 0 if u == v else None
    if x.kind in _MOMENTS:
        return _moments_in_order(a, b)
    if x.kind is Kind.STRING:
        return -1 if x.key < y.key else 1
    if isinstance(a, Literal) and isinstance(b, Literal) and a.language and a.language == b.language:
        return -1 if a.lexical < b.lexical else 1
    return None


def _moments_in_order(a: Term, b: Term) -> int | None:
    m, n = moment_of(a), moment_of(b)
    assert m is not None
    assert n is not None
    if (m.offset is None) == (n.offset is None):
        return _sign(m.instant - n.instant)
    # The zone that is missing could be any from -14:00 to +14:00.
    apart = m.instant - n.instant
    return _sign(apart) if apart > _ZONES or apart < -_ZONES else None


# XML Schema compares a month with days by adding both to these four days.
_REFERENCES = ((1696, 9), (1697, 2), (1903, 3), (1903, 7))


def _durations_in_order(x: tuple[int, Fraction], y: tuple[int, Fraction]) -> int | None:
    months, seconds = x[0] - y[0], x[1] - y[1]
    if not months or not seconds:
        return _sign(months or seconds)
    signs = {_sign(_length(start, x[0]) + x[1] - _length(start, y[0]) - y[1]) for start in _REFERENCES}
    return signs.pop() if len(signs) == 1 else None


def _length(start: tuple[int, int], months: int) -> int:
    year, month = divmod(start[0] * 12 + start[1] - 1 + months, 12)
    return 86_400 * (days_from_civil(year, month + 1, 1) - days_from_civil(start[0], start[1], 1))


def _sign(value: float | Fraction) -> int:
    return (value > 0) - (value < 0)


# --- truth and kinds -------------------------------------------------------------------------------------


def truth(term: Term) -> Literal:
    """The effective boolean value: of a boolean itself, of a number whether it counts, of a text whether it
    is there; nothing else has one.

    >>> truth(Literal("")).lexical, truth(Literal("no")).lexical
    ('false', 'true')
    """
    value = value_of(term)
    if value.kind is Kind.NUMBER:
        number = value.key.value
        return _boolean(number != 0 and number == number)
    if value.kind in (Kind.BOOLEAN, Kind.STRING):
        return _boolean(bool(value.key))
    raise NoValue


def opposite(term: Term) -> Literal:
    """`!A`."""
    return FALSE if truth(term) is TRUE else TRUE


def is_iri(term: Term) -> Literal:
    """`isIRI(A)`."""
    return _boolean(isinstance(term, IRI))


def is_blank(term: Term) -> Literal:
    """`isBlank(A)`."""
    return _boolean(isinstance(term, BlankNode))


def is_literal(term: Term) -> Literal:
    """`isLiteral(A)`."""
    return _boolean(isinstance(term, Literal))


def is_numeric(term: Term) -> Literal:
    """`isNumeric(A)`: a literal of a numeric type that is well formed."""
    return _boolean(number_of(term) is not None)


def language_matches(tag: Term, pattern: Term) -> Literal:
    """`langMatches(tag, range)`: the range is `*` or the beginning of the tag.

    >>> language_matches(Literal("en-gb"), Literal("EN")).lexical
    'true'
    """
    for term in (tag, pattern):
        if not isinstance(term, Literal) or term.datatype != XSD_STRING:
            raise NoValue
    assert isinstance(tag, Literal)
    assert isinstance(pattern, Literal)
    if pattern.lexical == "*":
        return _boolean(tag.lexical != "")
    wanted, parts = pattern.lexical.lower().split("-"), tag.lexical.lower().split("-")
    return _boolean(parts[: len(wanted)] == wanted)


def _boolean(value: bool) -> Literal:
    return TRUE if value else FALSE


# --- arithmetic ------------------------------------------------------------------------------------------


def add(a: Term, b: Term) -> Literal:
    """`A + B`.

    >>> from laser_rdf.values.native import to_term
    >>> add(to_term(1), Literal("1.0", XSD_DECIMAL)).lexical
    '2'
    """
    if number_of(a) is not None and number_of(b) is not None:
        return stored(arithmetic.add(a, b))
    d, e = duration_of(a), duration_of(b)
    return add_moments(a, b) if d is None or e is None else _sum(d, e, 1)


def subtract(a: Term, b: Term) -> Literal:
    """`A - B`; two moments must both have a zone, or neither."""
    if number_of(a) is not None and number_of(b) is not None:
        return stored(arithmetic.subtract(a, b))
    d, e = duration_of(a), duration_of(b)
    if d is not None and e is not None:
        return _sum(d, e, -1)
    m, n = moment_of(a), moment_of(b)
    if m is not None and n is not None and (m.offset is None) != (n.offset is None):
        raise NoValue
    return subtract_moments(a, b)


def multiply(a: Term, b: Term) -> Literal:
    """`A * B`, of numbers."""
    if number_of(a) is None or number_of(b) is None:
        raise NoValue
    return stored(arithmetic.multiply(a, b))


def divide(a: Term, b: Term) -> Literal:
    """`A / B`, of numbers; a decimal is cut off after 18 places.

    >>> from laser_rdf.values.native import to_term
    >>> divide(to_term(2), to_term(3)).lexical
    '0.666666666666666666'
    """
    x, y = number_of(a), number_of(b)
    if x is None or y is None:
        raise NoValue
    if isinstance(x.value, float) or isinstance(y.value, float):
        return stored(arithmetic.divide(a, b))
    if y.value == 0:
        raise NoValue
    scaled = Fraction(x.value) * _PLACES / Fraction(y.value)
    return _decimal(Fraction(int(scaled), _PLACES))


def negate(term: Term) -> Literal:
    """`-A`, of a number or a duration."""
    duration = duration_of(term)
    if duration is not None:
        return _sum(Duration(duration.kind, 0, 0), duration, -1)
    return stored(arithmetic.negate(term))


def stored(term: Term) -> Literal:
    """A number as pyoxigraph writes it; no value if it is beyond what pyoxigraph can hold.

    >>> stored(Literal("1.50E3", "http://www.w3.org/2001/XMLSchema#double")).lexical
    '1500'
    """
    number = number_of(term)
    if number is None:
        raise NoValue
    assert isinstance(term, Literal)
    if number.kind is INTEGER:
        if not -_INTEGERS <= number.value < _INTEGERS:
            raise NoValue
        return term
    if number.kind is DECIMAL:
        return _decimal(Fraction(number.value))
    return _shortest(number, term)


def _shortest(number: Number, term: Literal) -> Literal:
    if number.value != number.value or number.value in (float("inf"), float("-inf")):
        return term
    return Literal(_without_zeros(format(Decimal(term.lexical), "f")), term.datatype)


def _decimal(value: Fraction) -> Literal:
    scaled = value * _PLACES
    if scaled.denominator != 1 or not -_DECIMALS <= scaled.numerator < _DECIMALS:
        raise NoValue
    return Literal(
        _without_zeros(format(Decimal(scaled.numerator).scaleb(-18, _EXACT), "f")),
        XSD_DECIMAL,
    )


def _without_zeros(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


def _sum(d: Duration, e: Duration, sign: int) -> Literal:
    kind = d.kind if d.kind is e.kind else DurationKind.DURATION
    months, seconds = d.months + sign * e.months, seconds_of(d.seconds + sign * e.seconds)
    if months * seconds < 0:
        raise NoValue  # a month less some days cannot be written
    return duration_literal(Duration(kind, months, seconds))
