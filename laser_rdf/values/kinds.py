"""What kind of value a term has, decided once per term: the basis of comparison and of `min` and `max`.

Each kind has keys that Python compares natively, so that comparing two terms is two cached lookups and one
comparison. A literal that is ill-typed, or of a datatype unknown here, is OTHER: only itself equals it.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from laser_rdf.values.durations import DurationKind, parse_duration
from laser_rdf.values.moments import MomentKind, parse_moment
from laser_rdf.values.numbers import MAX_CACHED_LENGTH, NUMERIC_DATATYPES, XML_WHITESPACE, parse_number
from laser_rdf.values.terms import (
    XSD_BOOLEAN,
    XSD_DATE,
    XSD_DATE_TIME,
    XSD_DATE_TIME_STAMP,
    XSD_DAY_TIME_DURATION,
    XSD_DURATION,
    XSD_STRING,
    XSD_TIME,
    XSD_YEAR_MONTH_DURATION,
    Literal,
    Term,
)


class Kind(enum.Enum):
    """The kinds of value; all but DURATION and OTHER are ordered within themselves."""

    NUMBER = "number"
    STRING = "string"
    BOOLEAN = "boolean"
    DATE_TIME = "dateTime"
    DATE = "date"
    TIME = "time"
    DAY_TIME = "dayTimeDuration"
    YEAR_MONTH = "yearMonthDuration"
    DURATION = "duration"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Valued:
    """A kind and the key by which values of that kind compare.

    The key is a `Number`, a str, a bool, an instant in seconds, or (months, seconds) of a duration; of OTHER
    it is None.
    """

    kind: Kind
    key: Any


ORDERED = frozenset(Kind) - {Kind.DURATION, Kind.OTHER}
DURATIONS = frozenset({Kind.DURATION, Kind.DAY_TIME, Kind.YEAR_MONTH})

_OTHER = Valued(Kind.OTHER, None)
_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}
_MOMENTS = {MomentKind.DATE_TIME: Kind.DATE_TIME, MomentKind.DATE: Kind.DATE, MomentKind.TIME: Kind.TIME}
_DURATION_KINDS = {
    DurationKind.DURATION: Kind.DURATION,
    DurationKind.DAY_TIME: Kind.DAY_TIME,
    DurationKind.YEAR_MONTH: Kind.YEAR_MONTH,
}


def value_of(term: Term) -> Valued:
    """The kind and key of a term.

    >>> value_of(Literal("1", XSD_BOOLEAN))
    Valued(kind=<Kind.BOOLEAN: 'boolean'>, key=True)
    >>> value_of(Literal("maybe", XSD_BOOLEAN)).kind
    <Kind.OTHER: 'other'>
    """
    if type(term) is not Literal:
        return _OTHER
    if term.datatype == XSD_STRING:
        return Valued(Kind.STRING, term.lexical)  # cheaper to make than to look up, and may be long
    if len(term.lexical) > MAX_CACHED_LENGTH:
        return _value(term.lexical, term.datatype)
    return _cached_value(term.lexical, term.datatype)


def _value(lexical: str, datatype: str) -> Valued:
    if datatype in NUMERIC_DATATYPES:
        number = parse_number(lexical, datatype)
        return _OTHER if number is None else Valued(Kind.NUMBER, number)
    if datatype == XSD_BOOLEAN:
        truth = _BOOLEANS.get(lexical.strip(XML_WHITESPACE))
        return _OTHER if truth is None else Valued(Kind.BOOLEAN, truth)
    if datatype in (XSD_DATE_TIME, XSD_DATE_TIME_STAMP, XSD_DATE, XSD_TIME):
        moment = parse_moment(lexical, datatype)
        return _OTHER if moment is None else Valued(_MOMENTS[moment.kind], moment.instant)
    if datatype in (XSD_DURATION, XSD_DAY_TIME_DURATION, XSD_YEAR_MONTH_DURATION):
        d = parse_duration(lexical, datatype)
        return _OTHER if d is None else Valued(_DURATION_KINDS[d.kind], (d.months, d.seconds))
    return _OTHER


_cached_value = lru_cache(maxsize=1 << 16)(_value)
