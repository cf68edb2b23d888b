"""The policy `intervals`: each answer once, with the time in which it held.

An answer that holds from time point 36 on and at 40 no longer:

    <…/interval/9f2c…>  rdf:type           laser:AnswerInterval ;
                        laser:answer       <urn:laser:atom:51d0…> ;
                        time:hasBeginning  <…/instant/36> ;
                        time:hasEnd        <…/instant/40> .
    <…/instant/36>      rdf:type           time:Instant ;
                        laser:timePoint    36 ;
                        time:inXSDDateTimeStamp "1970-01-01T00:00:36Z"^^xsd:dateTimeStamp .

The beginning is the first time point at which it held, the end the first at which it no longer did. The
answer is an rdf:Statement, or the resource of an n-ary atom with its arguments. What still holds when the run
ends is a laser:OngoingInterval as well, and ends with the time point after the last.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Generic, TypeVar

from laser_rdf.rdf.naming import ResultNames
from laser_rdf.rdf.vocabulary import (
    ANSWER,
    ANSWER_INTERVAL,
    HAS_BEGINNING,
    HAS_END,
    IN_DATE_TIME_STAMP,
    INSTANT,
    ONGOING_INTERVAL,
    TIME_POINT,
)
from laser_rdf.values import RDF_TYPE, XSD_DATE_TIME_STAMP, XSD_INTEGER, Clock, NoValue

K = TypeVar("K", bound=Hashable)

Describe = Callable[[K], tuple[str, list[str]]]
"""An answer → its name as N-Triples, and the statements about it."""


class OpenIntervals(Generic[K]):
    """The answers that hold, and since when.

    >>> held = OpenIntervals(ResultNames("jams"), None, lambda name: (f"<urn:{name}>", []))
    >>> held.begin(["a", "b"], 36)
    >>> said = held.end(["a"], 40)
    >>> [line.split()[2] for line in said if "hasEnd" in line]
    ['<urn:laser:result:jams/instant/40>']
    >>> list(held)
    [('b', 36)]
    """

    def __init__(self, names: ResultNames, clock: Clock | None, describe: Describe[K]) -> None:
        self._names = names
        self._clock = clock
        self._describe = describe
        self._since: dict[K, int] = {}

    def __iter__(self) -> Iterator[tuple[K, int]]:
        return iter(self._since.items())

    def begin(self, answers: Iterable[K], time: int) -> None:
        """These hold from now on."""
        for answer in answers:
            self._since.setdefault(answer, time)

    def end(self, answers: Iterable[K], time: int) -> list[str]:
        """These hold no longer: the statements about their intervals."""
        ended = [
            (answer, begin) for answer in answers if (begin := self._since.pop(answer, None)) is not None
        ]
        return self._told(ended, time, [ANSWER_INTERVAL])

    def finish(self, last: int) -> list[str]:
        """The run has ended after a time point: the statements about what still holds."""
        ongoing = list(self._since.items())
        self._since.clear()
        return self._told(ongoing, last + 1, [ANSWER_INTERVAL, ONGOING_INTERVAL])

    def _told(self, ended: list[tuple[K, int]], time: int, kinds: list[str]) -> list[str]:
        if not ended:
            return []
        instants: dict[int, None] = {}
        described: dict[str, list[str]] = {}
        found: list[str] = []
        for answer, begin in ended:
            name, described[name] = self._describe(answer)
            interval = f"<{self._names.interval(name, begin)}>"
            found += [f"{interval} <{RDF_TYPE}> <{kind}>" for kind in kinds]
            found += [
                f"{interval} <{ANSWER}> {name}",
                f"{interval} <{HAS_BEGINNING}> <{self._names.instant(begin)}>",
                f"{interval} <{HAS_END}> <{self._names.instant(time)}>",
            ]
            instants[begin] = None
        instants[time] = None
        for about in described.values():
            found += about
        for instant in instants:
            found += self._instant(instant)
        return found

    def _instant(self, time: int) -> list[str]:
        name = f"<{self._names.instant(time)}>"
        found = [
            f"{name} <{RDF_TYPE}> <{INSTANT}>",
            f'{name} <{TIME_POINT}> "{time}"^^<{XSD_INTEGER}>',
        ]
        if self._clock is not None:
            try:
                stamp = self._clock.timestamp(time).lexical
            except NoValue:  # beyond the years that can be written; the time point says it, too
                return found
            found.append(f'{name} <{IN_DATE_TIME_STAMP}> "{stamp}"^^<{XSD_DATE_TIME_STAMP}>')
        return found
