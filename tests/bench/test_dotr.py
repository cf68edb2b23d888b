"""The scenario of `bench dotr` gives what a search through all readings gives; times are not tested."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from laser_rdf.bench import dotr, dotr_command, pictures
from laser_rdf.bench import dotr_scenario as data
from laser_rdf.bench.dotr_scenario import ANY, EACH, IN_QUERIES, IN_RULES, LAST, WITHIN, Scenario
from laser_rdf.errors import UsageError
from laser_rdf.rdf import read_stream
from laser_rdf.rdf.event_query import EventQuery

TINY = ["--backgrounds", "30,100", "--rules", "1,2", "--datalog", "1", "--lengths", "2"]
TINY += ["--graphs", "5", "--rounds", "1"]

Found = Counter[tuple[int, tuple[int, ...]]]
"""How often there is a result: its time, the value of A and those of the B it names."""


def given(scenario: Scenario, graphs: int, seed: int) -> Found:
    """What the pipeline gives."""
    queries = [EventQuery.parse(name, query) for name, query in data.queries(scenario).items()]
    log = data.stream(graphs, seed)
    found: Found = Counter()
    for result in dotr.pipeline_of(scenario, queries, read_stream(log, "trig")):
        events: dict[str, dict[str, int]] = {}
        for triple in result.timed().triples:
            name = triple.predicate.value.removeprefix(data.BASE)
            events.setdefault(str(triple.subject), {})[name] = int(triple.object.value)  # type: ignore[union-attr]
        for event in events.values():
            named = sorted(event.keys() - {"has_val"})
            found[result.time, (event["has_val"], *(event[name] for name in named))] += 1
    return found


def searched(scenario: Scenario, graphs: int, seed: int) -> Found:
    """What is to be found, by trying everything."""
    readings = data.readings(graphs, seed)

    def before(time: int, room: int, *, strictly: bool) -> list[tuple[int, int]]:
        latest = time - 1 if strictly else time
        return [
            (t, value)
            for t, kind, sensor, value in readings
            if kind == "B" and time - WITHIN <= t <= latest and data.room_of(sensor) == room
        ]

    def patterns(time: int, room: int, left: int, *, strictly: bool) -> Iterator[tuple[int, ...]]:
        if left == 0:
            yield ()
            return
        candidates = before(time, room, strictly=strictly)
        for t, value in candidates[-1:] if scenario.selection == LAST else candidates:
            for rest in patterns(t, room, left - 1, strictly=True):
                yield (value, *rest)

    found: Found = Counter()
    for time, kind, sensor, value in readings:
        if kind == "A":
            room = data.room_of(sensor)
            if scenario.selection == ANY:
                chosen = {()} if before(time, room, strictly=False) else set[tuple[int, ...]]()
            else:
                chosen = set(patterns(time, room, scenario.length - 1, strictly=False))
            for values in chosen:
                found[time, (value, *values)] = scenario.rules
    return found


@pytest.mark.parametrize("filters", [IN_QUERIES, IN_RULES])
@pytest.mark.parametrize(
    ("selection", "length"), [(ANY, 2), (LAST, 2), (EACH, 2), (LAST, 3), (EACH, 3), (LAST, 4)]
)
def test_answers_equal_a_search(selection: str, length: int, filters: str) -> None:
    scenario = Scenario(
        rules=3, background=100, datalog=2, selection=selection, length=length, filters=filters
    )
    wanted = searched(scenario, 150, 7)
    assert len(wanted) > 10
    assert given(scenario, 150, 7) == wanted


def test_a_threshold_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The scenario's values exceed all thresholds; with lower ones the rules tell them apart."""
    monkeypatch.setattr(data, "LOWEST", 0)
    monkeypatch.setattr(data, "HIGHEST", 9)
    ways = [
        Scenario(rules=8, background=50, datalog=1, filters=filters) for filters in (IN_QUERIES, IN_RULES)
    ]
    one, other = (given(scenario, 120, 3) for scenario in ways)
    assert one == other
    readings = data.readings(120, 3)
    for time, kind, sensor, value in readings:
        near = [
            v
            for t, k, s, v in readings
            if k == "B" and time - WITHIN <= t <= time and data.room_of(s) == data.room_of(sensor)
        ]
        fitting = sum(value > x and max(near, default=0) > x for x in range(8))
        assert one[time, (value,)] == (fitting if kind == "A" else 0)


@pytest.mark.parametrize("size", [30, 1000])
def test_the_background_has_its_size(size: int) -> None:
    assert len(set(data.background(size))) == size


def arguments(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    dotr_command.add_arguments(parser)
    return parser.parse_args(list(words))


def test_a_tiny_run_writes_everything(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    folder = tmp_path / "deep" / "out"
    assert dotr_command.main(arguments(*TINY, "--out", str(folder))) == 0
    assert capsys.readouterr().out.startswith("# bench dotr\n")
    report = json.loads((folder / "dotr.json").read_text())
    assert report["complete"] is True
    results = report["results"]
    assert [row["paper_ms"] for row in results["dotr_default"]][-1] == 12.09
    assert [row["background"] for row in results["dotr_background"]] == [30, 100]
    assert [row["rules"] for row in results["dotr_rules"]] == [1] * 4 + [2] * 4
    assert [row["selection"] for row in results["dotr_length"]] == [LAST, EACH]
    for section in ("dotr_background", "dotr_rules", "dotr_datalog", "dotr_length"):
        for row in results[section]:
            parts = [row[key] for key in row if key.endswith("_ms") and key not in ("total_ms", "p99_ms")]
            assert len(parts) == 8
            assert sum(parts) == pytest.approx(row["total_ms"], abs=0.001)
    written = {path.name for path in folder.iterdir()}
    assert written == {f"dotr{end}" for end in (".json", ".md", "-sensitivity.png", "-sensitivity.svg")}


def test_stopping_keeps_what_was_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(pictures, "require_matplotlib", lambda: None)
    monkeypatch.setattr(pictures, "draw", lambda report, folder: [])
    measure = dotr.measure

    def stopped(scenarios: Any, options: dotr.Options) -> Any:
        if scenarios[0].background == 30:
            raise KeyboardInterrupt
        return measure(scenarios, options)

    monkeypatch.setattr(dotr, "measure", stopped)
    assert dotr_command.main(arguments(*TINY, "--json", "--out", str(tmp_path))) == 130
    printed = json.loads(capsys.readouterr().out)
    assert printed["complete"] is False
    assert list(printed["results"]) == ["dotr_default"]


def test_targets_are_judged() -> None:
    row = {"rules": 1000, "selection": ANY, "filters": IN_RULES}
    sections: dict[str, list[dict[str, Any]]] = {
        "dotr_default": [{"here": "total", "any_ms": 0.2}],
        "dotr_rules": [{**row, "total_ms": 5.0}, {**row, "selection": LAST, "total_ms": 20.0}],
    }
    assert [found["met"] for found in dotr.targets(sections)] == ["yes", "yes", "no"]
    assert dotr.targets({}) == []


def test_defaults_depend_on_quick() -> None:
    options = dotr_command.options_of(arguments())
    assert (options.backgrounds[-1], options.rules[-1], options.rounds) == (1_000_000, 1_000, 3)
    options = dotr_command.options_of(arguments("--quick", "--rules", "5"))
    assert (options.backgrounds[-1], options.rules, options.rounds) == (10_000, (5,), 2)


@pytest.mark.parametrize(
    "words", [("--rules", "0"), ("--rules", "99999"), ("--lengths", "1"), ("--graphs", "x")]
)
def test_wrong_numbers_are_refused(words: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        arguments(*words)
    assert words[0] in capsys.readouterr().err


def test_any_has_no_length() -> None:
    with pytest.raises(UsageError, match="choose `last` or `each`"):
        Scenario(selection=ANY, length=3)
