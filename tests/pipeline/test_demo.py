"""`laser-rdf demo`: what it derives, what it writes, and where it refuses to write."""

from __future__ import annotations

import json
from pathlib import Path

import pyoxigraph as ox
import pytest

from laser_rdf.cli import main
from laser_rdf.demo_files import COPIED, make_files
from laser_rdf.demo_readings import DRILL, LENGTH, SPELLS, START, notices, readings
from laser_rdf.rdf import read_stream
from laser_rdf.shipped import shipped

DERIVED = [
    ("08:01:51", "Hot", "office"),
    ("08:02:30", "Smoky", "lab"),
    ("08:03:06", "Hot", "lab"),
    ("08:04:26", "SilentSensor", "archiveHeat"),
    ("08:06:00", "Smoky", "kitchen"),
    ("08:06:31", "FireAlarm", "kitchen"),
    ("08:06:31", "Hot", "kitchen"),
    ("08:07:10", "Smoky", "hall"),
    ("08:07:45", "FireAlarm", "hall"),
    ("08:07:45", "Hot", "hall"),
    ("08:07:45", "Evacuate", "groundFloor"),
]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "laser-rdf-demo"


def test_it_prints_what_it_derives_why_and_what_the_store_answers(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["demo"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert [tuple(line.split()) for line in out.splitlines() if line.startswith("08:")] == DERIVED
    assert "bld:FireAlarm(house:kitchen)  now" in out
    assert "smoke(house:s" in out, "the explanation goes down to what arrived"
    table = out.partition("fires.rq):\n\n")[2].partition("\n\n")[0]
    assert [line.split() for line in table.splitlines()] == [
        ["when", "room"],
        ["2026-01-15T08:06:31Z", "kitchen"],
        ["2026-01-15T08:07:45Z", "hall"],
    ]
    assert "laser-rdf-demo/pipeline.toml" in out.partition("Try next")[2]
    assert place.is_dir()


def test_file_and_store_hold_the_same_results(place: Path) -> None:
    assert main(["demo"]) == 0
    graphs = {str(graph.name): set(graph.triples) for graph in read_stream(place / "results.trig")}
    assert sum(map(len, graphs.values())) == len(DERIVED)
    store = ox.Store.read_only(str(place / "store"))
    for name, triples in graphs.items():
        held = {quad.triple for quad in store.quads_for_pattern(None, None, None, ox.NamedNode(name[1:-1]))}
        about = {triple for triple in held if str(triple.subject) == name}
        assert held - about == triples
        assert len(about) == 4, "what is said about a graph is in the graph"


def test_for_machines(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--json", "--out", "elsewhere"]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(each["time"][11:19], each["what"], each["who"]) for each in found] == DERIVED
    assert [each["program"] for each in found] == ["alarms"] * 10 + ["evacuation"]
    assert not place.exists()


def test_a_second_run_replaces_the_first(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--json"]) == 0
    first = (place / "results.trig").read_bytes()
    (place / "alarms.lars").write_text("broken", encoding="utf-8")
    assert main(["demo", "--json"]) == 0
    assert (place / "results.trig").read_bytes() == first
    out = capsys.readouterr().out
    assert out[: len(out) // 2] == out[len(out) // 2 :]


@pytest.mark.parametrize("seed", range(2, 6))
def test_other_noise_gives_the_same_alarms(
    seed: int, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["demo", "--json", "--seed", str(seed)]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(each["what"], each["who"]) for each in found if each["what"] in ("FireAlarm", "Evacuate")] == [
        ("FireAlarm", "kitchen"),
        ("FireAlarm", "hall"),
        ("Evacuate", "groundFloor"),
    ]


def test_it_writes_over_nothing_but_itself(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place.mkdir()
    (place / "store").mkdir()
    (place / "store" / "letters.txt").write_text("mine", encoding="utf-8")
    assert main(["demo"]) == 2
    assert "has other files in it" in capsys.readouterr().err
    assert (place / "store" / "letters.txt").read_text(encoding="utf-8") == "mine"
    assert [path.name for path in place.iterdir()] == ["store"]


def test_a_place_that_is_a_file(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place.write_text("", encoding="utf-8")
    assert main(["demo"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_readings_depend_on_the_seed_alone() -> None:
    assert list(readings(3)) == list(readings(3)) != list(readings(4))


def test_the_streams_are_streams() -> None:
    elements = list(read_stream("".join(readings()).encode(), "trig"))
    assert [graph.time - START for graph in elements] == list(range(0, LENGTH, 5))
    [drill] = read_stream(notices().encode(), "trig")
    assert drill.time - START == DRILL[1]
    assert all(spell.end <= LENGTH for spell in SPELLS)


def test_the_files_are_copies_of_what_is_shipped(tmp_path: Path) -> None:
    made = make_files(tmp_path / "demo", 1)
    for parts in COPIED:
        assert (made / parts[-1]).read_bytes() == shipped(*parts).read_bytes()


def test_the_file_says_the_same_as_the_demo(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo"]) == 0
    by_demo = (place / "results.trig").read_bytes()
    (place / "results.trig").unlink()
    capsys.readouterr()
    assert main(["run", str(place / "pipeline.toml")]) == 0
    assert (place / "results.trig").read_bytes() == by_demo
