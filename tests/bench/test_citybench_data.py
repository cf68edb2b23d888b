"""The reader of CityBench's layout, and the generator that writes it."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from laser_rdf.bench.citybench import CityBench, clock_of
from laser_rdf.bench.citybench.generate import generate
from laser_rdf.bench.citybench.queries import CITY_QUERIES
from laser_rdf.errors import InputError, UsageError
from laser_rdf.rdf.documents import read_document
from laser_rdf.values import Clock

REAL = Path("/work/shared/citybench")
ROAD, WEATHER = "AarhusTrafficData182955", "AarhusWeatherData0"


@pytest.fixture
def city(tmp_path: Path) -> Path:
    return generate(tmp_path / "city", sensors=4, hours=2, seed=5)


def values(data: CityBench, name: str, row: int = 0) -> dict[str, str]:
    """The values of a row by the class of the property."""
    classes = {p.value: c for s in data.services.values() for p, c in s.properties}
    graph = next(g for g in data.elements(name) if str(g.name).endswith(f"{row:08d}>"))
    of = {
        t.subject: classes[t.object.value]
        for t in graph.triples
        if t.predicate.value.endswith("observedProperty")
    }
    return {of[t.subject]: t.object.value for t in graph.triples if t.predicate.value.endswith("hasValue")}


def rewrite(city: Path, name: str, *lines: str, encoding: str = "utf-8") -> Path:
    path = city / "streams" / f"{name}.stream"
    path.write_bytes("\r\n".join(lines).encode(encoding))
    return path


TRAFFIC = "status,avgMeasuredTime,avgSpeed,extID,medianMeasuredTime,TIMESTAMP,vehicleCount,_id,REPORT_ID"


def test_a_row_of_each_kind(city: Path) -> None:
    (city / "dataset" / "trafficMetaData.csv").write_text(
        "REPORT_ID,DISTANCE_IN_METERS\n182955,500\n158505,0\n"
    )
    rewrite(city, ROAD, TRAFFIC, "OK,34,50,1,34,x,10,7,182955", "OK,0,0,1,0,x,0,8,182955")
    rewrite(city, "AarhusTrafficData158505", TRAFFIC, "OK,34,50,1,34,x,10,9,158505")
    rewrite(city, WEATHER, "hum,tempm,wspdm,TIMESTAMP", "56,18,7.4,x")
    rewrite(
        city,
        "AarhusParkingData",
        "vehiclecount,updatetime,_id,totalspaces,garagecode,streamtime",
        "22,x,4,953,BRUUNS,y",
    )
    data = CityBench(city, strict=True)
    assert values(data, ROAD) == {
        "AvgSpeed": "50",
        "VehicleCount": "10",
        "MeasureTime": "34",
        "EstimatedTime": "10",
        "CongestionLevel": "0.02",
    }
    assert values(data, ROAD, 1)["EstimatedTime"] == "-1"
    assert values(data, "AarhusTrafficData158505")["CongestionLevel"] == "-1"
    assert values(data, WEATHER) == {"Humidity": "56", "Temperature": "18", "WindSpeed": "7.4"}
    assert values(data, "AarhusParkingData") == {"ParkingVacancy": "931"}
    [place, *_] = [
        t for t in next(data.elements("UserLocationService")).triples if "hasLat" in t.predicate.value
    ]
    assert str(place.subject).startswith("_:")


def test_time_is_by_row_and_rate(city: Path) -> None:
    graphs = list(CityBench(city).elements(ROAD, rate=4, origin=10, limit=3, clock=Clock()))
    assert [(g.time, g.timestamp) for g in graphs] == [(10, 10), (10, Fraction(41, 4)), (10, Fraction(21, 2))]
    assert [g.time for g in CityBench(city).elements(ROAD, rate=4, limit=3)] == [0, 1, 2]
    assert clock_of(4).unit_ms == 250


def test_bad_rows_are_skipped_and_counted_or_an_error(city: Path) -> None:
    rewrite(
        city, WEATHER, "\ufeffhum,tempm,wspdm,TIMESTAMP", "56,warm,7,x", "56,18", "56,18,7,x", "nan,1,1,x"
    )
    data = CityBench(city)
    assert [g.time for g in data.elements(WEATHER)] == [2]
    assert data.skipped == 3
    with pytest.raises(
        InputError, match=r"AarhusWeatherData0\.stream:2:4: .*column `tempm`: `warm` is no number"
    ):
        list(CityBench(city, strict=True).elements(WEATHER))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"", "the file is empty"),
        ("hum,tempm,wspdm,TIMESTAMP".encode("utf-16"), "UTF-16"),
        (b"hum,tempm,\xff,TIMESTAMP", "not UTF-8"),
        (b"hum,tempm,TIMESTAMP\n1,2,3", "column `wspdm`: it is missing"),
        (b"x" * 100_000, "a line of more than"),
    ],
)
def test_files_that_are_wrong_as_a_whole(city: Path, text: bytes, told: str) -> None:
    (city / "streams" / f"{WEATHER}.stream").write_bytes(text)
    with pytest.raises(InputError, match=told):
        list(CityBench(city).elements(WEATHER))


def test_what_is_not_there_is_named(city: Path) -> None:
    with pytest.raises(UsageError, match=r"no CityBench directory: there is no `streams`"):
        CityBench(city / "nowhere")
    with pytest.raises(UsageError, match="no stream `x`"):
        list(CityBench(city).elements("x"))
    rewrite(city, "Unknown", "hum,tempm,wspdm,TIMESTAMP", "1,2,3,x")
    with pytest.raises(UsageError, match="does not say what the service `Unknown` observes"):
        list(CityBench(city).elements("Unknown"))


def test_generated_data_are_the_same_again_and_all_readable(city: Path, tmp_path: Path) -> None:
    again = generate(tmp_path / "again", sensors=4, hours=2, seed=5)
    files = sorted(p.relative_to(city) for p in city.rglob("*.*"))
    assert all((city / p).read_bytes() == (again / p).read_bytes() for p in files)
    data = CityBench(city, strict=True)
    for name in data.streams():
        rows = list(data.elements(name))
        assert rows
        assert all(graph.triples for graph in rows)
    assert {name for query in CITY_QUERIES.values() for name in query.streams} <= data.streams().keys()
    assert all(list(read_document(path)) for path in [*data.documents(), *data.ontology_files()])


@pytest.mark.skipif(not REAL.exists(), reason="the data of CityBench are not here")
def test_the_real_data_are_read() -> None:
    data = CityBench(REAL)
    assert len(data.streams()) == 46
    for name in data.streams():
        assert len(list(data.elements(name, limit=50))) == 50
    assert data.skipped == 0
    assert values(data, ROAD)["CongestionLevel"] == str(11 / 511)
    assert len([*data.elements(WEATHER)]) + data.skipped == 4357
    assert data.skipped == 22
