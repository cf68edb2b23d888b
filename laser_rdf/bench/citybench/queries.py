"""The twelve questions of CityBench: which program answers each, over which streams, and how to check it.

    CITY_QUERIES["Q1"]   →   queries/citybench/q1.lars, over two traffic streams, checked by q1.check.rq

All twelve are snapshot queries: what holds at a time point hangs only on the union of the graphs that the
window of 3 seconds shows, and on the background. So a SPARQL CONSTRUCT query over that union gives the same
triples. Answers are triples of the namespace `urn:laser:citybench:`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from types import MappingProxyType

from laser_rdf.entail import Profile
from laser_rdf.lang.ast import Program
from laser_rdf.rdf.event_query import EventQuery

WINDOW_SECONDS = 3
"""How far back each query looks; both ends of the window count."""


@dataclass(frozen=True, slots=True)
class CityQuery:
    """A question: its program, the events that the program uses, the streams that it reads.

    `slow` names streams whose rows come no faster than so many in a second, whatever the rate of the run.
    `profile` is what is entailed in a run with the ontologies; the answers are the same without.

    >>> query = CITY_QUERIES["Q2"]
    >>> query.events, query.streams
    (('weather',), ('AarhusTrafficData158505', 'AarhusWeatherData0'))
    >>> len(query.parsed().rules)
    6
    """

    name: str
    question: str
    streams: tuple[str, ...]
    events: tuple[str, ...] = ()
    slow: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    profile: Profile = "rdfs"

    @property
    def path(self) -> Traversable:
        """The file of the program."""
        return _file(f"{self.name.lower()}.lars")

    @property
    def program(self) -> str:
        """The text of the program."""
        return self.path.read_text(encoding="utf-8")

    @property
    def check(self) -> str:
        """The text of the CONSTRUCT query that gives the same answers, asked of the window's union."""
        return _file(f"{self.name.lower()}.check.rq").read_text(encoding="utf-8")

    def parsed(self) -> Program:
        """The program."""
        return Program.parse(self.program, self.path.name)

    def event_queries(self) -> list[EventQuery]:
        """The event queries that the program uses."""
        return [
            EventQuery.parse(name, _file(f"{name}.rq").read_text(encoding="utf-8"), f"{name}.rq")
            for name in self.events
        ]

    def rate_of(self, stream: str, rate: float) -> float:
        """How many rows of a stream come in a second when the run has a rate.

        >>> CITY_QUERIES["Q11"].rate_of("AarhusWeatherData0", 50)
        0.1
        """
        return min(rate, self.slow.get(stream, rate))


def _file(name: str) -> Traversable:
    """A file of `queries/citybench`: inside the package in a wheel, beside it in a checkout."""
    inside = files("laser_rdf").joinpath("queries", "citybench")
    beside: Traversable = Path(__file__).parents[3] / "queries" / "citybench"
    return (inside if inside.is_dir() else beside).joinpath(name)


_ROADS = ("AarhusTrafficData182955", "AarhusTrafficData158505")
_PARKS = ("AarhusParkingDataKALKVAERKSVEJ", "AarhusParkingDataSKOLEBAKKEN")
_USER = "UserLocationService"
_WEATHER = "AarhusWeatherData0"

CITY_QUERIES: Mapping[str, CityQuery] = MappingProxyType(
    {
        query.name: query
        for query in (
            CityQuery("Q1", "How congested are the two roads of my way?", _ROADS),
            CityQuery(
                "Q2",
                "How congested is the road of my way, and in what weather?",
                (_ROADS[1], _WEATHER),
                ("weather",),
            ),
            CityQuery("Q3", "How congested are the two roads of my way on average?", _ROADS),
            CityQuery("Q4", "Which cultural events are near me?", (_USER,), ("position",)),
            CityQuery("Q5", "How congested is the road near a cultural event?", (_ROADS[1],)),
            CityQuery("Q6", "Where near me can I park?", (*_PARKS, _USER), ("position",)),
            CityQuery(
                "Q7", "Tell me when a car park is nearly full.", (*_PARKS, "AarhusParkingDataBUSGADEHUSET")
            ),
            CityQuery("Q8", "For which library events can I park nearby?", _PARKS),
            CityQuery("Q9", "Where can I park near a cultural event?", _PARKS),
            CityQuery(
                "Q10",
                "How polluted is the air of two areas?",
                ("AarhusPollutionData201399", "AarhusPollutionData184892"),
            ),
            CityQuery(
                "Q11",
                "Tell me when there is no weather.",
                (_WEATHER, _ROADS[1]),
                # Rows that came as fast as the others would leave no gap to tell of.
                slow=MappingProxyType({_WEATHER: 0.1}),
            ),
            CityQuery(
                "Q12", "Which roads are observed more than three times?", (*_ROADS, "AarhusTrafficData186979")
            ),
        )
    }
)
"""Q1 to Q12 by name."""
