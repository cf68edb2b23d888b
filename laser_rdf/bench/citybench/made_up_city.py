"""A city to make data of: roads, car parks, venues, libraries, each with a place. Same seed, same city.

The roads, car parks and stations that the queries name are always there, under their names in Aarhus.
"""

from __future__ import annotations

import hashlib
import random
from dataclasses import dataclass

NAMED_ROADS = ("182955", "158505", "186979")
NAMED_AREAS = ("201399", "184892")
CAR_PARKS = {
    "BRUUNS": 953,
    "NORREPORT": 65,
    "BUSGADEHUSET": 130,
    "SKOLEBAKKEN": 512,
    "SCANDCENTER": 1240,
    "SALLING": 700,
    "MAGASIN": 400,
    "KALKVAERKSVEJ": 210,
}
CENTRE = (56.1567, 10.2108)
_FIRST_REPORT = 300_000
_VENUES = ("Concert Hall", "Town Hall", "Harbour Stage", "Old Theatre", "Museum")
_LIBRARIES = ("Main Library", "North Library", "South Library", "West Library", "Harbour Library")


@dataclass(frozen=True, slots=True)
class Place:
    """Degrees."""

    latitude: float
    longitude: float


@dataclass(frozen=True, slots=True)
class Road:
    """A stretch of road with a sensor; `metres` long."""

    report: str
    start: Place
    end: Place
    metres: int


@dataclass(frozen=True, slots=True)
class Listed:
    """An event of a listing: what happens where, and at what hour of the first week."""

    key: str
    title: str
    spot: str
    place: Place
    hour: int


@dataclass(frozen=True, slots=True)
class City:
    """All that stays."""

    roads: tuple[Road, ...]
    areas: dict[str, Place]
    parks: dict[str, Place]
    culture: tuple[Listed, ...]
    library: tuple[Listed, ...]


def made_up_city(sensors: int, seed: int) -> City:
    """A city with so many roads; as many events, a tenth as many areas whose air is watched.

    >>> city = made_up_city(sensors=5, seed=1)
    >>> [road.report for road in city.roads]
    ['182955', '158505', '186979', '300000', '300001']
    >>> city == made_up_city(sensors=5, seed=1), city == made_up_city(sensors=5, seed=2)
    (True, False)
    """
    chance = random.Random(seed)  # noqa: S311 - data, not a secret
    reports = [*NAMED_ROADS, *(str(_FIRST_REPORT + i) for i in range(sensors - len(NAMED_ROADS)))]
    roads = tuple(_road(report, chance) for report in reports)
    areas = [*NAMED_AREAS, *(road.report for road in roads[: max(0, sensors // 10 - len(NAMED_AREAS))])]
    return City(
        roads,
        {area: _place(chance, 0.1) for area in areas},
        {park: _place(chance, 0.01) for park in CAR_PARKS},
        _listed("culture", _VENUES, max(5, min(sensors, 100)), chance),
        _listed("library", _LIBRARIES, max(10, min(4 * sensors, 1500)), chance),
    )


def name_of(*parts: object) -> str:
    """A name that looks like those of Aarhus, and is the same for the same parts.

    >>> name_of("Property", 158505, "AvgSpeed")
    'e2d6da6c54b03655'
    """
    return hashlib.sha256("\0".join(map(str, parts)).encode()).hexdigest()[:16]


def _place(chance: random.Random, around: float) -> Place:
    latitude, longitude = CENTRE
    return Place(
        round(latitude + chance.uniform(-around, around), 6),
        round(longitude + chance.uniform(-around, around), 6),
    )


def _road(report: str, chance: random.Random) -> Road:
    start = _place(chance, 0.08)
    end = Place(
        round(start.latitude + chance.uniform(-0.01, 0.01), 6),
        round(start.longitude + chance.uniform(-0.01, 0.01), 6),
    )
    return Road(report, start, end, chance.randrange(200, 3000))


def _listed(what: str, spots: tuple[str, ...], count: int, chance: random.Random) -> tuple[Listed, ...]:
    places = {spot: _place(chance, 0.05) for spot in spots}
    found = []
    for number in range(count):
        spot = chance.choice(spots)
        found.append(
            Listed(
                name_of(what, number), f"Event {number} at {spot}", spot, places[spot], chance.randrange(168)
            )
        )
    return tuple(found)
