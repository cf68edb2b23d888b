"""What xsd:dateTime, xsd:date and xsd:time literals are worth.

Python's `datetime` ends at the years 1 and 9999 and at microseconds; XML Schema 1.1 does not. So a moment is
a number of seconds, on the proleptic Gregorian calendar with a year 0, for years of up to 9 digits. A moment
without a time zone counts as UTC.
"""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from laser_rdf.values.durations import SECONDS_PER_DAY, Seconds, fraction_of, seconds_of
from laser_rdf.values.numbers import MAX_CACHED_LENGTH, XML_WHITESPACE, NoValue, decimal_text
from laser_rdf.values.terms import (
    XSD_DATE,
    XSD_DATE_TIME,
    XSD_DATE_TIME_STAMP,
    XSD_TIME,
    Literal,
    Term,
)

MAX_YEAR = 999_999_999


class MomentKind(enum.Enum):
    """The three types of moment, by the datatype of their results."""

    DATE_TIME = XSD_DATE_TIME
    DATE = XSD_DATE
    TIME = XSD_TIME


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment on the wall clock of its time zone.

    `local` counts seconds: of a dateTime from 1970-01-01T00:00:00 on that clock, of a date to its first
    second, of a time from midnight. `offset` is the time zone in minutes, None when there is none.
    """

    kind: MomentKind
    local: Seconds
    offset: int | None = None

    @property
    def instant(self) -> Seconds:
        """Seconds since 1970-01-01T00:00:00Z; what moments are compared by.

        >>> moment_of(Literal("1970-01-01T01:00:00+01:00", XSD_DATE_TIME)).instant
        0
        """
        return self.local - 60 * self.offset if self.offset else self.local


_DATE = r"(-?(?:[1-9][0-9]{3,8}|0[0-9]{3}))-([0-9]{2})-([0-9]{2})"
_TIME = r"([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?"
_ZONE = r"(Z|[+-](?:(?:0[0-9]|1[0-3]):[0-5][0-9]|14:00))"
_FORMS = {
    XSD_DATE_TIME: re.compile(f"{_DATE}T{_TIME}{_ZONE}?"),
    XSD_DATE_TIME_STAMP: re.compile(f"{_DATE}T{_TIME}{_ZONE}"),
    XSD_DATE: re.compile(f"{_DATE}{_ZONE}?"),
    XSD_TIME: re.compile(f"{_TIME}{_ZONE}?"),
}


def moment_of(term: Term) -> Moment | None:
    """The moment a term denotes, if it denotes one.

    >>> moment_of(Literal("2024-02-29", XSD_DATE)).local
    1709164800
    >>> moment_of(Literal("2023-02-29", XSD_DATE)) is None
    True
    """
    if type(term) is not Literal or term.datatype not in _FORMS:
        return None
    if len(term.lexical) > MAX_CACHED_LENGTH:
        return parse_moment(term.lexical, term.datatype)
    return _cached_moment(term.lexical, term.datatype)


def parse_moment(lexical: str, datatype: str) -> Moment | None:
    """The moment that the text denotes in the datatype; None if it denotes none."""
    found = _FORMS[datatype].fullmatch(lexical.strip(XML_WHITESPACE))
    if found is None:
        return None
    *parts, zone = found.groups()
    if datatype == XSD_TIME:
        seconds = _seconds_of_day(*parts)
        # 24:00:00 is midnight; a time has no next day to move to.
        return None if seconds is None else Moment(MomentKind.TIME, seconds % SECONDS_PER_DAY, _offset(zone))
    year, month, day = map(int, parts[:3])
    if not (1 <= month <= 12 and 1 <= day <= days_in_month(year, month)):
        return None
    midnight = days_from_civil(year, month, day) * SECONDS_PER_DAY
    if datatype == XSD_DATE:
        return Moment(MomentKind.DATE, midnight, _offset(zone))
    seconds = _seconds_of_day(*parts[3:])
    if seconds is None or (year == MAX_YEAR and midnight + seconds >= _END):
        return None
    return Moment(MomentKind.DATE_TIME, midnight + seconds, _offset(zone))


_cached_moment = lru_cache(maxsize=1 << 15)(parse_moment)


def _seconds_of_day(hours: str, minutes: str, seconds: str, digits: str | None) -> Seconds | None:
    fraction = fraction_of(digits)
    if fraction is None or int(hours) > 24 or int(minutes) > 59 or int(seconds) > 59:
        return None
    total = 3600 * int(hours) + 60 * int(minutes) + int(seconds) + fraction
    return seconds_of(total) if total <= SECONDS_PER_DAY else None


def _offset(zone: str | None) -> int | None:
    if zone is None:
        return None
    if zone == "Z":
        return 0
    minutes = 60 * int(zone[1:3]) + int(zone[4:6])
    return -minutes if zone[0] == "-" else minutes


def moment_literal(moment: Moment) -> Literal:
    """The canonical literal of a moment, in its own time zone; NoValue beyond the years of 9 digits.

    >>> print(moment_literal(Moment(MomentKind.DATE_TIME, Fraction(1, 4), offset=-90)).lexical)
    1970-01-01T00:00:00.25-01:30
    """
    day, rest = divmod(moment.local, SECONDS_PER_DAY)
    parts = []
    if moment.kind is not MomentKind.TIME:
        year, month, day_of_month = civil_from_days(int(day))
        if abs(year) > MAX_YEAR:
            raise NoValue
        parts.append(f"{'-' if year < 0 else ''}{abs(year):04d}-{month:02d}-{day_of_month:02d}")
    if moment.kind is not MomentKind.DATE:
        whole = int(rest)
        fraction = decimal_text(Fraction(rest - whole))[1:] if rest != whole else ""
        parts.append(f"{whole // 3600:02d}:{whole // 60 % 60:02d}:{whole % 60:02d}{fraction}")
    return Literal("T".join(parts) + _zone_text(moment.offset), moment.kind.value)


def _zone_text(offset: int | None) -> str:
    if offset is None:
        return ""
    if offset == 0:
        return "Z"
    return f"{'-' if offset < 0 else '+'}{abs(offset) // 60:02d}:{abs(offset) % 60:02d}"


def days_in_month(year: int, month: int) -> int:
    """The length of a month.

    >>> days_in_month(2000, 2), days_in_month(1900, 2), days_in_month(0, 2)
    (29, 28, 29)
    """
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def days_from_civil(year: int, month: int, day: int) -> int:
    """Days from 1970-01-01 to a date.

    The year is taken to begin in March, so that the leap day is its last one; 400 years are 146097 days.

    >>> days_from_civil(1970, 1, 1), days_from_civil(2000, 3, 1)
    (0, 11017)
    """
    year -= month <= 2
    era, year_of_era = divmod(year, 400)
    day_of_year = (153 * ((month - 3) % 12) + 2) // 5 + day - 1
    return era * 146_097 + year_of_era * 365 + year_of_era // 4 - year_of_era // 100 + day_of_year - 719_468


def civil_from_days(days: int) -> tuple[int, int, int]:
    """Year, month and day of a number of days from 1970-01-01: the inverse of `days_from_civil`.

    >>> civil_from_days(11017)
    (2000, 3, 1)
    """
    era, day_of_era = divmod(days + 719_468, 146_097)
    year_of_era = (day_of_era - day_of_era // 1460 + day_of_era // 36_524 - day_of_era // 146_096) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    shifted = (5 * day_of_year + 2) // 153
    month = shifted + 3 if shifted < 10 else shifted - 9
    return era * 400 + year_of_era + (month <= 2), month, day_of_year - (153 * shifted + 2) // 5 + 1


_END = days_from_civil(MAX_YEAR + 1, 1, 1) * SECONDS_PER_DAY
