"""Built-in functions of moments: their parts as their own time zone shows them, and time points.

`year`, `month` and `day` take a dateTime or a date; `hours`, `minutes` and `seconds` a dateTime or a time.
"""

from __future__ import annotations

from fractions import Fraction

from laser_rdf.values.clock import Clock
from laser_rdf.values.durations import SECONDS_PER_DAY, Seconds
from laser_rdf.values.moments import Moment, MomentKind, civil_from_days, moment_of
from laser_rdf.values.numbers import DECIMAL, INTEGER, NoValue, Number, number_literal, time_point_of
from laser_rdf.values.terms import Literal, Term


def _moment(term: Term, *kinds: MomentKind) -> Moment:
    moment = moment_of(term)
    if moment is None or moment.kind not in kinds:
        raise NoValue
    return moment


def _civil(term: Term) -> tuple[int, int, int]:
    moment = _moment(term, MomentKind.DATE_TIME, MomentKind.DATE)
    return civil_from_days(int(moment.local // SECONDS_PER_DAY))


def _second_of_day(term: Term) -> Seconds:
    return _moment(term, MomentKind.DATE_TIME, MomentKind.TIME).local % SECONDS_PER_DAY


def _integer(value: int) -> Literal:
    return number_literal(Number(INTEGER, value))


def year(term: Term) -> Literal:
    """`year(D)`.

    >>> from laser_rdf.values.terms import XSD_DATE
    >>> year(Literal("2024-02-29", XSD_DATE)).lexical
    '2024'
    """
    return _integer(_civil(term)[0])


def month(term: Term) -> Literal:
    """`month(D)`."""
    return _integer(_civil(term)[1])


def day(term: Term) -> Literal:
    """`day(D)`."""
    return _integer(_civil(term)[2])


def hours(term: Term) -> Literal:
    """`hours(D)`."""
    return _integer(int(_second_of_day(term) // 3600))


def minutes(term: Term) -> Literal:
    """`minutes(D)`."""
    return _integer(int(_second_of_day(term) // 60 % 60))


def seconds(term: Term) -> Literal:
    """`seconds(D)`, a decimal.

    >>> from laser_rdf.values.terms import XSD_TIME
    >>> seconds(Literal("12:30:04.50", XSD_TIME)).lexical
    '4.5'
    """
    return number_literal(Number(DECIMAL, Fraction(_second_of_day(term) % 60)))


def timestamp(args: tuple[Term, ...], clock: Clock) -> Literal:
    """`timestamp(T)`: the dateTime at which a time point starts."""
    time_point = time_point_of(args[0])
    if time_point is None:
        raise NoValue
    return clock.timestamp(time_point)


def timepoint(args: tuple[Term, ...], clock: Clock) -> Literal:
    """`timepoint(D)`: the time point in which a dateTime lies.

    >>> from laser_rdf.values.terms import XSD_DATE_TIME
    >>> timepoint((Literal("1970-01-01T00:01:00Z", XSD_DATE_TIME),), Clock(unit_ms=1000)).lexical
    '60'
    """
    return _integer(clock.time_point(_moment(args[0], MomentKind.DATE_TIME).instant))
