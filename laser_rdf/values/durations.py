"""What duration literals are worth: months and seconds, as in XML Schema 1.1.

`xsd:dayTimeDuration` has seconds only and `xsd:yearMonthDuration` months only, so each is ordered;
`xsd:duration` may have both and is not. Seconds are exact, with at most 18 digits behind the point.
"""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from laser_rdf.values.numbers import MAX_CACHED_LENGTH, XML_WHITESPACE, NoValue, decimal_text
from laser_rdf.values.rounding import DECIMAL_PLACES
from laser_rdf.values.terms import (
    XSD_DAY_TIME_DURATION,
    XSD_DURATION,
    XSD_YEAR_MONTH_DURATION,
    Literal,
    Term,
)

SECONDS_PER_DAY = 86_400

_MAX_COMPONENT_DIGITS = 18
_MAX_MONTHS = 12 * 10**_MAX_COMPONENT_DIGITS
_MAX_SECONDS = SECONDS_PER_DAY * 10**_MAX_COMPONENT_DIGITS

Seconds = int | Fraction
"""An exact number of seconds; an int where it can be, because most are and ints are faster."""


class DurationKind(enum.Enum):
    """The three duration types, by their datatype."""

    DURATION = XSD_DURATION
    DAY_TIME = XSD_DAY_TIME_DURATION
    YEAR_MONTH = XSD_YEAR_MONTH_DURATION


_KIND_OF_DATATYPE = {kind.value: kind for kind in DurationKind}


@dataclass(frozen=True, slots=True)
class Duration:
    """A length of time; months and seconds have the same sign."""

    kind: DurationKind
    months: int
    seconds: Seconds


def seconds_of(value: Seconds) -> Seconds:
    """The same number, as an int if it is whole.

    >>> seconds_of(Fraction(4, 2)), seconds_of(Fraction(1, 2))
    (2, Fraction(1, 2))
    """
    return value.numerator if value.denominator == 1 else value


def fraction_of(digits: str | None) -> Seconds | None:
    """The value of the digits behind the point of a number of seconds; None if they are too many.

    >>> fraction_of("250"), fraction_of(None), fraction_of("1" * 19)
    (Fraction(1, 4), 0, None)
    """
    digits = (digits or "").rstrip("0")
    if len(digits) > DECIMAL_PLACES:
        return None
    return Fraction(int(digits), 10 ** len(digits)) if digits else 0


_DURATION_TEXT = re.compile(
    r"(-)?P(?=[0-9T])(?:([0-9]+)Y)?(?:([0-9]+)M)?(?:([0-9]+)D)?"
    r"(?:T(?=[0-9])(?:([0-9]+)H)?(?:([0-9]+)M)?(?:([0-9]+)(?:\.([0-9]+))?S)?)?"
)


def duration_of(term: Term) -> Duration | None:
    """The duration a term denotes, if it denotes one.

    >>> duration_of(Literal("P1DT0.5S", XSD_DAY_TIME_DURATION)).seconds
    Fraction(172801, 2)
    >>> duration_of(Literal("P1M", XSD_DAY_TIME_DURATION)) is None
    True
    """
    if type(term) is not Literal or term.datatype not in _KIND_OF_DATATYPE:
        return None
    if len(term.lexical) > MAX_CACHED_LENGTH:
        return parse_duration(term.lexical, term.datatype)
    return _cached_duration(term.lexical, term.datatype)


def parse_duration(lexical: str, datatype: str) -> Duration | None:
    """The duration that the text denotes in the datatype; None if it denotes none."""
    found = _DURATION_TEXT.fullmatch(lexical.strip(XML_WHITESPACE))
    kind = _KIND_OF_DATATYPE[datatype]
    if found is None or any(len(part or "") > _MAX_COMPONENT_DIGITS for part in found.groups()[1:7]):
        return None
    years, months, days, hours, minutes, whole = found.groups()[1:7]
    if kind is DurationKind.DAY_TIME and (years or months):
        return None
    if kind is DurationKind.YEAR_MONTH and "".join(filter(None, (days, hours, minutes, whole))):
        return None
    fraction = fraction_of(found[8])
    if fraction is None:
        return None
    sign = -1 if found[1] else 1
    all_months = 12 * int(years or 0) + int(months or 0)
    clock = 60 * (60 * int(hours or 0) + int(minutes or 0)) + int(whole or 0)
    seconds = SECONDS_PER_DAY * int(days or 0) + clock + fraction
    if all_months >= _MAX_MONTHS or seconds >= _MAX_SECONDS:
        return None
    return Duration(kind, sign * all_months, seconds_of(sign * seconds))


_cached_duration = lru_cache(maxsize=1 << 14)(parse_duration)


def duration_literal(duration: Duration) -> Literal:
    """The canonical literal of a duration; NoValue if it is too long to be written.

    >>> duration_literal(Duration(DurationKind.DAY_TIME, 0, -93784)).lexical
    '-P1DT2H3M4S'
    >>> duration_literal(Duration(DurationKind.YEAR_MONTH, 14, 0)).lexical
    'P1Y2M'
    """
    negative = duration.months < 0 or duration.seconds < 0
    sign, factor = ("-", -1) if negative else ("", 1)
    months, seconds = factor * duration.months, factor * duration.seconds
    if months >= _MAX_MONTHS or seconds >= _MAX_SECONDS:
        raise NoValue
    years, months = divmod(months, 12)
    date = _parts((years, "Y"), (months, "M"), (int(seconds // SECONDS_PER_DAY), "D"))
    time = _time_text(seconds % SECONDS_PER_DAY)
    text = date + ("T" + time if time else "")
    if not text:
        text = "0M" if duration.kind is DurationKind.YEAR_MONTH else "T0S"
    return Literal(f"{sign}P{text}", duration.kind.value)


def _time_text(seconds: Seconds) -> str:
    hours, rest = divmod(seconds, 3600)
    minutes, rest = divmod(rest, 60)
    text = _parts((int(hours), "H"), (int(minutes), "M"))
    if rest:
        text += (str(rest.numerator) if rest.denominator == 1 else decimal_text(Fraction(rest))) + "S"
    return text


def _parts(*parts: tuple[int, str]) -> str:
    return "".join(f"{value}{unit}" for value, unit in parts if value)


def milliseconds(text: str) -> int | None:
    """The milliseconds of an ISO duration of days, hours, minutes and seconds; None if not a whole number.

    >>> milliseconds("PT1.5S"), milliseconds("P1DT2H"), milliseconds("P1M"), milliseconds("PT0.0001S")
    (1500, 93600000, None, None)
    """
    duration = parse_duration(text, XSD_DAY_TIME_DURATION)
    if duration is None:
        return None
    exact = duration.seconds * 1000
    return exact.numerator if exact.denominator == 1 else None
