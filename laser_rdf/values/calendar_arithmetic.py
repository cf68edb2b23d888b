"""Arithmetic of moments and durations, as XPath defines it (Functions and Operators 3.1, sections 8 and 9).

    dateTime - dateTime → dayTimeDuration          likewise date - date and time - time
    dateTime ± duration → dateTime                 likewise date, and time with a dayTimeDuration
    duration ± duration → duration                 of one and the same ordered kind
    duration * number, duration / number → duration
    duration / duration → decimal                  of one and the same ordered kind

Adding months keeps the day of the month, or takes the last one there is (31 January + P1M is in February).
Where XPath is silent on `xsd:duration`, `dateTimePlusDuration` of XML Schema is followed: months, then
seconds.
"""

from __future__ import annotations

import math
from fractions import Fraction

from laser_rdf.values.durations import (
    SECONDS_PER_DAY,
    Duration,
    DurationKind,
    duration_literal,
    duration_of,
    seconds_of,
)
from laser_rdf.values.moments import (
    Moment,
    MomentKind,
    civil_from_days,
    days_from_civil,
    days_in_month,
    moment_literal,
    moment_of,
)
from laser_rdf.values.numbers import DECIMAL, NoValue, Number, number_literal
from laser_rdf.values.rounding import to_places
from laser_rdf.values.terms import Literal, Term


def add(left: Term, right: Term) -> Literal:
    """Duration + duration, moment + duration, duration + moment.

    >>> from laser_rdf.values.terms import XSD_DATE, XSD_YEAR_MONTH_DURATION
    >>> add(Literal("2024-01-31", XSD_DATE), Literal("P1M", XSD_YEAR_MONTH_DURATION)).lexical
    '2024-02-29'
    """
    d, e = duration_of(left), duration_of(right)
    if d is not None and e is not None:
        return _sum(d, e, 1)
    if e is not None:
        return moment_literal(_move(_moment(left), e, 1))
    if d is not None:
        return moment_literal(_move(_moment(right), d, 1))
    raise NoValue


def subtract(left: Term, right: Term) -> Literal:
    """Duration - duration, moment - duration, moment - moment."""
    e = duration_of(right)
    if e is None:
        m, n = _moment(left), _moment(right)
        if m.kind is not n.kind:
            raise NoValue
        return duration_literal(Duration(DurationKind.DAY_TIME, 0, seconds_of(m.instant - n.instant)))
    d = duration_of(left)
    if d is not None:
        return _sum(d, e, -1)
    return moment_literal(_move(_moment(left), e, -1))


def scale(term: Term, factor: Number) -> Literal:
    """Duration * number.

    >>> from laser_rdf.values.numbers import DOUBLE
    >>> from laser_rdf.values.terms import XSD_DAY_TIME_DURATION
    >>> scale(Literal("PT2H10M", XSD_DAY_TIME_DURATION), Number(DOUBLE, 2.5)).lexical
    'PT5H25M'
    """
    duration = _ordered(term)
    if isinstance(factor.value, float) and not math.isfinite(factor.value):
        raise NoValue
    return duration_literal(_scaled(duration, Fraction(factor.value)))


def scale_down(term: Term, divisor: Number) -> Literal:
    """Duration / number; by an infinite one it is nothing."""
    duration = _ordered(term)
    if divisor.value == 0 or divisor.value != divisor.value:  # by zero or by NaN
        raise NoValue
    factor = Fraction(0) if divisor.value in (math.inf, -math.inf) else 1 / Fraction(divisor.value)
    return duration_literal(_scaled(duration, factor))


def ratio(left: Term, right: Term) -> Literal:
    """Duration / duration.

    >>> from laser_rdf.values.terms import XSD_YEAR_MONTH_DURATION
    >>> ratio(Literal("P1Y", XSD_YEAR_MONTH_DURATION), Literal("P8M", XSD_YEAR_MONTH_DURATION)).lexical
    '1.5'
    """
    d, e = _ordered(left), _ordered(right)
    if d.kind is not e.kind:
        raise NoValue
    dividend, divisor = (d.months, e.months) if d.kind is DurationKind.YEAR_MONTH else (d.seconds, e.seconds)
    if divisor == 0:
        raise NoValue
    return number_literal(Number(DECIMAL, to_places(Fraction(dividend) / divisor)))


def _moment(term: Term) -> Moment:
    moment = moment_of(term)
    if moment is None:
        raise NoValue
    return moment


def _ordered(term: Term) -> Duration:
    duration = duration_of(term)
    if duration is None or duration.kind is DurationKind.DURATION:
        raise NoValue
    return duration


def _sum(d: Duration, e: Duration, sign: int) -> Literal:
    if d.kind is not e.kind or d.kind is DurationKind.DURATION:
        raise NoValue
    return duration_literal(
        Duration(d.kind, d.months + sign * e.months, seconds_of(d.seconds + sign * e.seconds))
    )


def _scaled(duration: Duration, factor: Fraction) -> Duration:
    months = math.floor(duration.months * factor + Fraction(1, 2))
    return Duration(duration.kind, months, seconds_of(to_places(duration.seconds * factor)))


def _move(moment: Moment, duration: Duration, sign: int) -> Moment:
    if moment.kind is MomentKind.TIME:
        if duration.kind is not DurationKind.DAY_TIME:
            raise NoValue
        local = (moment.local + sign * duration.seconds) % SECONDS_PER_DAY
        return Moment(moment.kind, seconds_of(local), moment.offset)
    local = _add_months(moment, sign * duration.months).local + sign * duration.seconds
    if moment.kind is MomentKind.DATE:
        local = local // SECONDS_PER_DAY * SECONDS_PER_DAY
    return Moment(moment.kind, seconds_of(local), moment.offset)


def _add_months(moment: Moment, months: int) -> Moment:
    if not months:
        return moment
    days, rest = divmod(moment.local, SECONDS_PER_DAY)
    year, month, day = civil_from_days(int(days))
    carry, month = divmod(month - 1 + months, 12)
    year, month = year + carry, month + 1
    day = min(day, days_in_month(year, month))
    return Moment(moment.kind, days_from_civil(year, month, day) * SECONDS_PER_DAY + rest, moment.offset)
