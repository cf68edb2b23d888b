"""Data of CityBench's shape at any size: the same files, the same columns, the same vocabulary.

    generate("city", sensors=100, hours=24, seed=7)  →  city/streams/*.stream, city/dataset/*, …

Same arguments, same bytes. Traffic, pollution, car parks and the user have a row every five minutes, the
weather has one every twenty.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from pathlib import Path

from laser_rdf.bench.citybench.made_up_city import CAR_PARKS, CENTRE, City, Place, Road, made_up_city
from laser_rdf.bench.citybench.made_up_knowledge import documents
from laser_rdf.bench.citybench.vocabulary import USER
from laser_rdf.errors import UsageError, escape_control

MINUTES, WEATHER_MINUTES = 5, 20
_BEGIN = datetime(2014, 8, 1, 7, 50)
_METADATA = "REPORT_ID,DISTANCE_IN_METERS,POINT_1_LAT,POINT_1_LNG,POINT_2_LAT,POINT_2_LNG,REPORT_NAME,_id"
_TRAFFIC = "status,avgMeasuredTime,avgSpeed,extID,medianMeasuredTime,TIMESTAMP,vehicleCount,_id,REPORT_ID"
_PARKING = "vehiclecount,updatetime,_id,totalspaces,garagecode,streamtime"
_POLLUTION = (
    "ozone,particullate_matter,carbon_monoxide,sulfure_dioxide,nitrogen_dioxide,longitude,latitude,timestamp"
)
_WEATHER = "hum,tempm,wspdm,TIMESTAMP"


def generate(directory: str | Path, *, sensors: int = 20, hours: int = 24, seed: int = 1) -> Path:
    """Write a directory with `sensors` roads and `hours` hours; those that queries name are among them."""
    if sensors < 1 or hours < 1:
        raise UsageError("there must be at least one sensor and one hour")
    root = Path(directory)
    city = made_up_city(sensors, seed)
    try:
        for folder in ("streams", "dataset", "ontology"):
            (root / folder).mkdir(parents=True, exist_ok=True)
        for place, text in documents(city, seed).items():
            (root / place).write_text(text, encoding="utf-8", newline="\n")
        _write(root / "dataset" / "trafficMetaData.csv", [_METADATA, *map(_metadata, city.roads)])
        for name, lines in streams(city, hours, seed):
            _write(root / "streams" / f"{name}.stream", lines)
    except OSError as problem:
        shown = escape_control(str(directory))
        raise UsageError(f"cannot write to `{shown}`: {problem.strerror or problem}") from None
    return root


def streams(city: City, hours: int, seed: int) -> Iterator[tuple[str, Iterable[str]]]:
    """Every stream with its lines. Each has its own chance: its rows do not hang on the other streams."""
    rows = hours * 60 // MINUTES
    for number, road in enumerate(city.roads):
        yield f"AarhusTrafficData{road.report}", _traffic(road, number, rows, _chance(seed, road.report))
    for area, place in city.areas.items():
        yield f"AarhusPollutionData{area}", _pollution(place, rows, _chance(seed, "air" + area))
    for number, (park, spaces) in enumerate(CAR_PARKS.items()):
        yield f"AarhusParkingData{park}", _parking(park, number, spaces, rows, _chance(seed, park))
    yield "AarhusWeatherData0", _weather(hours * 60 // WEATHER_MINUTES, _chance(seed, "weather"))
    yield "UserLocationService", _user(rows, _chance(seed, "user"))


def _chance(seed: int, name: str) -> random.Random:
    return random.Random(f"{seed}/{name}")  # noqa: S311 - data, not a secret


def _times(rows: int, minutes: int = MINUTES) -> Iterator[tuple[int, datetime]]:
    return ((row, _BEGIN + timedelta(minutes=minutes * row)) for row in range(rows))


def _busy(time: datetime) -> float:
    """How busy the city is, from 0 (at two in the night) to 1 (at two in the afternoon)."""
    return (1 - math.cos((time.hour + time.minute / 60 - 2) / 12 * math.pi)) / 2


def _metadata(road: Road) -> str:
    ends = f"{road.start.latitude},{road.start.longitude},{road.end.latitude},{road.end.longitude}"
    return f"{road.report},{road.metres},{ends},AAR_BT_{road.report},{road.report}"


def _traffic(road: Road, number: int, rows: int, chance: random.Random) -> Iterator[str]:
    yield _TRAFFIC
    for row, time in _times(rows):
        count = int(chance.uniform(0, 30) * _busy(time))
        # A road that nobody is on has no speed.
        speed = chance.randrange(20, 80) if count else 0
        seconds = round(road.metres / (speed / 3.6)) if speed else 0
        identifier = 20_000_000 + number * 1_000_000 + row
        yield (
            f"OK,{seconds},{speed},{number},{seconds},{time.isoformat()},{count},{identifier},{road.report}"
        )


def _parking(park: str, number: int, spaces: int, rows: int, chance: random.Random) -> Iterator[str]:
    yield _PARKING
    for row, time in _times(rows):
        # At the busiest hours it is full, or a little more than that, as in Aarhus.
        taken = int(spaces * min(1.02, 0.1 + 0.95 * _busy(time) + chance.uniform(-0.05, 0.05)))
        moment = time.isoformat(" ")
        yield f"{max(0, taken)},{moment}.000,{row * len(CAR_PARKS) + number + 1},{spaces},{park},{moment}"


def _pollution(place: Place, rows: int, chance: random.Random) -> Iterator[str]:
    yield _POLLUTION
    levels = [chance.randrange(40, 90) for _ in range(5)]
    for _, time in _times(rows):
        levels = [min(200, max(15, level + chance.randrange(-5, 6))) for level in levels]
        readings = ",".join(map(str, levels))
        yield f"{readings},{place.longitude},{place.latitude},{time.isoformat(' ')}"


def _weather(rows: int, chance: random.Random) -> Iterator[str]:
    yield _WEATHER
    for _, time in _times(rows, WEATHER_MINUTES):
        humidity, degrees = chance.randrange(40, 100), round(10 + 10 * _busy(time) + chance.uniform(-2, 2), 1)
        yield f"{humidity},{degrees},{round(chance.uniform(0, 40), 1)},{time.isoformat()}"


def _user(rows: int, chance: random.Random) -> Iterator[str]:
    """A walk around the centre: sometimes near everything, sometimes near nothing."""
    for row in range(rows):
        away = 0.25 + 0.25 * math.sin(row / 10)
        latitude = CENTRE[0] + away * math.cos(row / 25) + chance.uniform(-0.01, 0.01)
        longitude = CENTRE[1] + away * math.sin(row / 25) + chance.uniform(-0.01, 0.01)
        yield f"{USER}user-007|{latitude},{longitude}"


def _write(path: Path, lines: Iterable[str]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines)
