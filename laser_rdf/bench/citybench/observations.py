"""A row of a stream → the observations that CityBench makes of it, as triples.

    OK,34,54,887,34,2014-08-01T08:00:00,11,20746942,182955      (traffic, 511 m long)
      →   :AarhusTrafficObservation-20746942-<property>  a ssn:Observation ;
              ssn:observedBy :AarhusTrafficData182955 ; ssn:observedProperty <property> ; sao:hasValue 54e0 .
          and one more for each other property that the service observes

Which properties a service observes, and of which class each is, the repository says. The class says which
value is meant: `ct:AvgSpeed` is the average speed, `ct:CongestionLevel` the vehicles per metre, and so on.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import pyoxigraph as ox

from laser_rdf.bench.citybench.rows import BadCell
from laser_rdf.bench.citybench.vocabulary import (
    HAS_LATITUDE,
    HAS_LONGITUDE,
    HAS_VALUE,
    OBSERVATION,
    OBSERVED_BY,
    OBSERVED_PROPERTY,
    SERVICE,
    TYPE,
)

Cells = Sequence[str]
_TOKEN = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True, slots=True)
class Service:
    """A service of the repository: each property that it observes, with the local name of its class."""

    iri: ox.NamedNode
    properties: tuple[tuple[ox.NamedNode, str], ...]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of stream: its columns, the classes of property it can give, and how rows become values.

    `values(cells, distances)` gets the cells of `columns` in their order, and gives a number per class.
    `identifier` is the place of the column that names the observation; None: the row's number names it.
    """

    name: str
    columns: tuple[str, ...]
    classes: tuple[str, ...]
    values: Callable[[Cells, Mapping[str, float]], dict[str, float]]
    identifier: int | None = None


def number(cells: Cells, columns: Sequence[str], at: int) -> float:
    """The number of a cell.

    >>> number(["56", "18.0"], ["hum", "tempm"], 1)
    18.0
    """
    text = cells[at].strip()
    try:
        value = float(text)
    except ValueError:
        raise BadCell(
            columns[at], f"`{text[:40]}` is no number", "write a number such as 54 or 7.4"
        ) from None
    if not math.isfinite(value) or "_" in text:
        raise BadCell(columns[at], f"`{text[:40]}` is no number", "write a number such as 54 or 7.4")
    return value


_TRAFFIC = ("avgMeasuredTime", "avgSpeed", "vehicleCount", "REPORT_ID", "_id")
_PARKING = ("vehiclecount", "totalspaces", "garagecode", "_id")
_POLLUTION = ("ozone", "particullate_matter", "carbon_monoxide", "sulfure_dioxide", "nitrogen_dioxide")
_WEATHER = ("hum", "tempm", "wspdm")


def _traffic(cells: Cells, distances: Mapping[str, float]) -> dict[str, float]:
    time, speed, count = (number(cells, _TRAFFIC, at) for at in range(3))
    distance = distances.get(cells[3].strip())
    if distance is None:
        raise BadCell(
            "REPORT_ID",
            f"`{cells[3][:40]}` is not in trafficMetaData.csv",
            "its length is needed: add it there",
        )
    return {
        "AvgSpeed": speed,
        "VehicleCount": count,
        "MeasureTime": time,
        "EstimatedTime": distance / speed if speed else -1.0,
        "CongestionLevel": count / distance if distance else -1.0,
    }


def _parking(cells: Cells, distances: Mapping[str, float]) -> dict[str, float]:
    return {"ParkingVacancy": number(cells, _PARKING, 1) - number(cells, _PARKING, 0)}


def _pollution(cells: Cells, distances: Mapping[str, float]) -> dict[str, float]:
    return {"API": max(number(cells, _POLLUTION, at) for at in range(len(_POLLUTION)))}


def _weather(cells: Cells, distances: Mapping[str, float]) -> dict[str, float]:
    humidity, temperature, wind = (number(cells, _WEATHER, at) for at in range(3))
    return {"Humidity": humidity, "Temperature": temperature, "WindSpeed": wind}


GARAGE = _PARKING.index("garagecode")
TRAFFIC = Kind(
    "Traffic",
    _TRAFFIC,
    ("AvgSpeed", "VehicleCount", "MeasureTime", "EstimatedTime", "CongestionLevel"),
    _traffic,
    identifier=_TRAFFIC.index("_id"),
)
PARKING = Kind("Parking", _PARKING, ("ParkingVacancy",), _parking, identifier=_PARKING.index("_id"))
POLLUTION = Kind("Pollution", _POLLUTION, ("API",), _pollution)
WEATHER = Kind("Weather", _WEATHER, ("Humidity", "Temperature", "WindSpeed"), _weather)
KINDS = (TRAFFIC, PARKING, POLLUTION, WEATHER)
LOCATION_COLUMNS = ("user", "latitude", "longitude")


def observation(subject: ox.NamedNode, service: Service, property: ox.NamedNode) -> list[ox.Triple]:
    """What every observation says, whatever its value."""
    return [
        ox.Triple(subject, TYPE, OBSERVATION),
        ox.Triple(subject, OBSERVED_BY, service.iri),
        ox.Triple(subject, OBSERVED_PROPERTY, property),
    ]


def measured(
    kind: Kind, service: Service, number_of_row: int, cells: Cells, distances: Mapping[str, float]
) -> list[ox.Triple]:
    """The triples of a row that holds numbers.

    >>> wind = ox.NamedNode(SERVICE + "wind")
    >>> service = Service(ox.NamedNode(SERVICE + "AarhusWeatherData0"), ((wind, "WindSpeed"),))
    >>> found = measured(WEATHER, service, 7, ["56", "18", "7.4"], {})
    >>> found[0].subject.value.removeprefix(SERVICE), found[-1].object.value
    ('AarhusWeatherObservation-7-wind', '7.4')
    """
    name = str(number_of_row)
    if kind.identifier is not None:
        name = cells[kind.identifier].strip()
        if _TOKEN.fullmatch(name) is None:
            raise BadCell(
                kind.columns[kind.identifier], "it names no row", "write a number, or letters and digits"
            )
    values = kind.values(cells, distances)
    found: list[ox.Triple] = []
    for property, of_class in service.properties:
        value = values.get(of_class)
        if value is not None:
            subject = ox.NamedNode(
                f"{SERVICE}Aarhus{kind.name}Observation-{name}-{property.value.rpartition('#')[2]}"
            )
            found += observation(subject, service, property)
            found.append(ox.Triple(subject, HAS_VALUE, ox.Literal(value)))
    return found


def located(service: Service, number_of_row: int, cells: Cells) -> list[ox.Triple]:
    """The triples of a row that says where the user is."""
    try:
        ox.NamedNode(cells[0])
    except ValueError:
        raise BadCell("user", "it is no IRI", "write `IRI|latitude,longitude`") from None
    latitude, longitude = (number(cells, LOCATION_COLUMNS, at) for at in (1, 2))
    found: list[ox.Triple] = []
    for property, of_class in service.properties:
        if of_class == "Location":
            local = property.value.rpartition("#")[2]
            subject = ox.NamedNode(f"{SERVICE}UserLocationObservation-{number_of_row}-{local}")
            place = ox.BlankNode(f"place-{number_of_row}-{local}")
            found += observation(subject, service, property)
            found += [
                ox.Triple(subject, HAS_VALUE, place),
                ox.Triple(place, HAS_LATITUDE, ox.Literal(latitude)),
                ox.Triple(place, HAS_LONGITUDE, ox.Literal(longitude)),
            ]
    return found
