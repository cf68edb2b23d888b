"""Time stamps: the literal that says when an element happened, and the predicates that lead to it.

A stamp is a dateTime, turned into a time point by the clock, or a whole number, which is the time point.
A dateTime without a zone is read in the configured one.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import pyoxigraph as ox

from laser_rdf.errors import UsageError, escape_control
from laser_rdf.rdf.timed_graph import Seconds, TimedGraph
from laser_rdf.values import (
    XSD_DATE_TIME,
    XSD_DATE_TIME_STAMP,
    XSD_INTEGER,
    Clock,
    Literal,
    Moment,
    MomentKind,
    NoValue,
    moment_literal,
    moment_of,
    time_point_of,
)
from laser_rdf.values.durations import SECONDS_PER_DAY

PROV_GENERATED_AT_TIME = "http://www.w3.org/ns/prov#generatedAtTime"
SOSA_RESULT_TIME = "http://www.w3.org/ns/sosa/resultTime"
AS_PUBLISHED = "https://www.w3.org/ns/activitystreams#published"

GRAPH_STAMPS = (PROV_GENERATED_AT_TIME,)
MESSAGE_STAMPS = (PROV_GENERATED_AT_TIME, SOSA_RESULT_TIME, AS_PUBLISHED)

MAX_TIME_POINT = 10**18

Path = tuple[ox.NamedNode, ...]

_OFFSET = re.compile(r"([+-])(0[0-9]|1[0-3]):([0-5][0-9])|([+-])14:00")


# The form in which nearly all stamps come; every element of a stream has one, so it has a short way.
_USUAL = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})T([01][0-9]|2[0-3]):([0-5][0-9]):([0-5][0-9])Z")

_USUAL_INTEGER = re.compile(r"-?[0-9]{1,18}")


@lru_cache(maxsize=1024)
def _midnight(date: str) -> Seconds | None:
    """The start of a date in UTC; None if there is no such date."""
    moment = moment_of(Literal(f"{date}T00:00:00Z", XSD_DATE_TIME))
    return None if moment is None else moment.instant


def stamp_paths(given: Sequence[str | Sequence[str]]) -> tuple[Path, ...]:
    """The predicate paths, in the order in which they are looked for.

    >>> stamp_paths(["http://ex.org/at", ["http://ex.org/header", "http://ex.org/at"]])[1][0].value
    'http://ex.org/header'
    """
    try:
        paths = [(given,)] if isinstance(given, str) else [(p,) if isinstance(p, str) else p for p in given]
        nodes = tuple(tuple(ox.NamedNode(iri) for iri in path) for path in paths)
    except ValueError as problem:
        raise UsageError(f"a predicate of time stamps is not an IRI: {problem}") from None
    if not nodes or not all(nodes):
        raise UsageError("give at least one predicate for time stamps")
    return nodes


def zone_minutes(zone: str) -> int:
    """The offset of a zone from UTC, in minutes.

    >>> zone_minutes("Z"), zone_minutes("-05:30")
    (0, -330)
    """
    if zone in ("Z", "UTC"):
        return 0
    found = _OFFSET.fullmatch(zone)
    if found is None:
        raise UsageError(f"`{escape_control(zone)}` is not a time zone: write `Z` or an offset as `+02:00`")
    minutes = int(zone[1:3]) * 60 + int(zone[4:6])
    return -minutes if zone[0] == "-" else minutes


@dataclass(frozen=True, slots=True)
class StampReader:
    """Turns stamps into time points, by a clock and, for dateTimes that have none, a zone in minutes."""

    clock: Clock
    zone: int = 0

    def read(self, term: object) -> tuple[int, Seconds | None] | None:
        """The time point and, of a dateTime, the seconds since 1970; None if it is no stamp.

        >>> noon = ox.Literal("1970-01-01T12:00:00", datatype=ox.NamedNode(XSD_DATE_TIME))
        >>> StampReader(Clock(unit_ms=60_000), zone=60).read(noon)
        (660, 39600)
        """
        if not isinstance(term, ox.Literal):
            return None
        lexical, datatype = term.value, term.datatype.value
        if datatype in (XSD_DATE_TIME, XSD_DATE_TIME_STAMP):
            if (usual := _USUAL.fullmatch(lexical)) and (midnight := _midnight(usual[1])) is not None:
                return self.at(midnight + int(usual[2]) * 3600 + int(usual[3]) * 60 + int(usual[4]))
            moment = moment_of(Literal(lexical, datatype))
            return None if moment is None else self.at(_instant(moment, self.zone))
        if datatype == XSD_INTEGER and _USUAL_INTEGER.fullmatch(lexical):
            return int(lexical), None  # past the cache of numbers: no stamp comes twice
        time = time_point_of(Literal(lexical, datatype))
        return None if time is None or abs(time) >= MAX_TIME_POINT else (time, None)

    def at(self, seconds: Seconds) -> tuple[int, Seconds | None]:
        """The time point of a moment in seconds since 1970."""
        return self.clock.time_point(seconds), seconds

    def of_datetime(self, moment: datetime.datetime) -> tuple[int, Seconds | None]:
        """The time point of a Python moment.

        >>> StampReader(Clock()).of_datetime(datetime.datetime(1970, 1, 1, 0, 0, 5))
        (5, 5)
        """
        lexical = moment.replace(tzinfo=None).isoformat()
        parsed = moment_of(Literal(lexical, XSD_DATE_TIME))
        assert parsed is not None
        offset = moment.utcoffset()
        if offset is None:
            return self.at(_instant(parsed, self.zone))
        microseconds = offset // datetime.timedelta(microseconds=1)
        return self.at(_seconds(parsed.local * 1_000_000 - microseconds))


def _instant(moment: Moment, zone: int) -> Seconds:
    return moment.local - 60 * zone if moment.offset is None else moment.instant


def _seconds(microseconds: Seconds) -> Seconds:
    exact = Fraction(microseconds) / 1_000_000
    return exact.numerator if exact.denominator == 1 else exact


def stamp_text(graph: TimedGraph) -> str:
    """The stamp of an element as N-Triples: a dateTime in UTC if it has one, else its time point.

    >>> print(stamp_text(TimedGraph(36)))
    "36"^^<http://www.w3.org/2001/XMLSchema#integer>
    >>> print(stamp_text(TimedGraph(36, timestamp=36)))
    "1970-01-01T00:00:36Z"^^<http://www.w3.org/2001/XMLSchema#dateTime>
    """
    if graph.timestamp is None:
        return f'"{graph.time}"^^<{XSD_INTEGER}>'
    try:
        if isinstance(graph.timestamp, int):
            day, second = divmod(graph.timestamp, SECONDS_PER_DAY)
            clock = f"{second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d}"
            return f'"{_date(day)}T{clock}Z"^^<{XSD_DATE_TIME}>'
        return str(moment_literal(Moment(MomentKind.DATE_TIME, graph.timestamp, offset=0)))
    except NoValue:
        raise UsageError(f"{graph.timestamp} s since 1970 cannot be written as a dateTime") from None


@lru_cache(maxsize=1024)
def _date(day: int) -> str:
    """The date of a day since 1970."""
    return moment_literal(Moment(MomentKind.DATE, day * SECONDS_PER_DAY)).lexical
