"""The clock: how wall-clock time becomes time points, `tp = floor((timestamp - origin) / unit)`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from laser_rdf.errors import UsageError, escape_control
from laser_rdf.values.durations import Seconds, milliseconds, seconds_of
from laser_rdf.values.moments import Moment, MomentKind, moment_literal, moment_of
from laser_rdf.values.terms import XSD_DATE_TIME, Literal

DEFAULT_ORIGIN = "1970-01-01T00:00:00Z"

UNITS_MS = {"ms": 1, "msec": 1, "s": 1000, "sec": 1000, "min": 60_000, "h": 3_600_000, "d": 86_400_000}

_AMOUNT = re.compile(r"([0-9]{1,18})(?:\.([0-9]{1,18}))?\s*([a-z]+)")


@dataclass(frozen=True, slots=True)
class Clock:
    """The length of a time point and the moment at which time point 0 starts.

    >>> Clock.parse("5 min", origin="2020-01-01T00:00:00Z").timestamp(2).lexical
    '2020-01-01T00:10:00Z'
    """

    unit_ms: int = 1000
    origin_ms: int = 0

    def __post_init__(self) -> None:
        """Refuse a unit that time cannot be counted in."""
        if self.unit_ms <= 0:
            raise UsageError(f"the unit of a clock must be longer than nothing, not {self.unit_ms} ms")

    @classmethod
    def parse(cls, unit: str, origin: str = DEFAULT_ORIGIN) -> Clock:
        """The clock of a unit such as `1 s`, `500 ms` or `PT5M` and an origin such as `2020-01-01T00:00:00Z`.

        >>> Clock.parse("1.5 s")
        Clock(unit_ms=1500, origin_ms=0)
        """
        unit_ms = _unit(unit.strip())
        if unit_ms is None or unit_ms <= 0:
            raise UsageError(
                f"`{escape_control(unit)}` is not the unit of a clock: write a whole number of milliseconds, "
                "more than none, as `500 ms`, `1 s`, `5 min`, `2 h`, `1 d` or `PT5M`"
            )
        moment = moment_of(Literal(origin, XSD_DATE_TIME))
        origin_ms = None if moment is None else moment.instant * 1000
        if origin_ms is None or origin_ms.denominator != 1:
            raise UsageError(
                f"`{escape_control(origin)}` is not the origin of a clock: "
                f"write a dateTime to the millisecond, as `{DEFAULT_ORIGIN}`"
            )
        return cls(unit_ms, origin_ms.numerator)

    def time_point(self, seconds: Seconds) -> int:
        """The time point in which a moment lies, given in seconds since 1970-01-01T00:00:00Z.

        >>> Clock(unit_ms=1000).time_point(Fraction(-1, 2))
        -1
        """
        return int((seconds * 1000 - self.origin_ms) // self.unit_ms)

    def timestamp(self, time_point: int) -> Literal:
        """The dateTime, in UTC, at which a time point starts; NoValue beyond the years of 9 digits.

        >>> Clock(unit_ms=500).timestamp(1).lexical
        '1970-01-01T00:00:00.5Z'
        """
        seconds = Fraction(self.origin_ms + time_point * self.unit_ms, 1000)
        return moment_literal(Moment(MomentKind.DATE_TIME, seconds_of(seconds), offset=0))


def _unit(text: str) -> int | None:
    amount = _AMOUNT.fullmatch(text)
    if amount is None:
        return milliseconds(text)
    whole, digits, unit = amount.groups()
    if unit not in UNITS_MS:
        return None
    exact = Fraction(int(whole + (digits or "")), 10 ** len(digits or "")) * UNITS_MS[unit]
    return exact.numerator if exact.denominator == 1 else None
