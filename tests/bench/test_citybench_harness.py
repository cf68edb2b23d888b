"""`bench citybench` measures, checks answers, writes and compares; how fast anything is, is not tested."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import pytest

from laser_rdf.bench import citybench_command as command
from laser_rdf.bench.citybench import harness, report, single_run
from laser_rdf.bench.citybench.generate import generate
from laser_rdf.bench.citybench.measuring import percentile, percentiles
from laser_rdf.errors import UsageError
from laser_rdf.stream.results import Change


def arguments(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    return parser.parse_args(list(words))


@pytest.fixture(scope="module")
def city(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(generate(tmp_path_factory.mktemp("city"), sensors=5, hours=3, seed=1))


def tiny(city: str, **options: Any) -> harness.Options:
    given = {"queries": ("Q1",), "copies": (1,), "background": (1,), "rate": 1, "elements": 12, "samples": 2}
    return harness.Options(city, apart=False, **(given | options))


def test_a_tiny_run_writes_everything_and_is_complete(
    city: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    words = "--queries Q1,Q11 --copies 1,2 --background 1,2 --per-second 1 --elements 12 --samples 2".split()
    out = tmp_path / "deep" / "out"
    assert command.main(arguments("--data", city, *words, "--out", str(out))) == 0
    assert capsys.readouterr().out.startswith("# bench citybench\n")
    data = json.loads((out / "citybench.json").read_text())
    rows = data["results"]["runs"]
    assert [(row["query"], row["copies"], row["background"]) for row in rows] == [
        (query, *sizes) for query in ("Q1", "Q11") for sizes in ((1, 1), (2, 1), (1, 2))
    ]
    for row in rows:
        assert row["completeness"] == 1
        assert row["first_difference"] is None
        assert row["checked_points"] == {"reference evaluator": 2, "SPARQL query": 2}
        assert row["answers"] > 0
        assert 0 < row["graph_ms_p50"] <= row["graph_ms_p95"] <= row["graph_ms_p99"]
        assert row["peak_mb"] > 0
    names = {path.name for path in out.iterdir()}
    pictures = {
        f"citybench-{n}.{k}" for n in ("latency", "copies", "background", "memory") for k in ("png", "svg")
    }
    assert names == {"citybench.json", "citybench.md", *pictures}


def test_an_answer_that_is_lost_is_noticed(city: str, monkeypatch: pytest.MonkeyPatch) -> None:
    take = single_run.State.__call__

    def forgetful(self: single_run.State, change: Change) -> None:
        take(self, change)
        if self.lines:
            self.lines.remove(min(self.lines))

    monkeypatch.setattr(single_run.State, "__call__", forgetful)
    found = harness.run(tiny(city))
    [row] = found.incomplete
    assert row["completeness"] < 1
    assert "is missing" in row["first_difference"]
    assert "**Not complete:** Q1" in found.as_markdown()
    assert command._code(found) == 1


def test_paced_runs_say_how_late_answers_are(city: str) -> None:
    found = harness.run(tiny(city, rate=50, paced=True))
    assert found.rows[0]["late_ms_p50"] >= 0
    assert "How late" in found.as_markdown()


def test_ctrl_c_keeps_what_was_measured(city: str, monkeypatch: pytest.MonkeyPatch) -> None:
    measure = harness.measure

    def stopped(task: single_run.Task) -> Any:
        if task.copies == 2:
            raise KeyboardInterrupt
        return measure(task)

    monkeypatch.setattr(harness, "measure", stopped)
    found = harness.run(tiny(city, copies=(1, 2)))
    assert (len(found.rows), found.stopped_by) == (1, "Ctrl-C")
    assert command._code(found) == 130


def test_an_earlier_run_beside(tmp_path: Path) -> None:
    row = {"query": "Q1", "copies": 1, "background": 1, "rate": 1.0, "paced": False}
    figures = {"graph_ms_p50": 1.0, "graph_ms_p99": 2.0, "graphs_per_second": 100.0, "peak_mb": 50.0}
    path = tmp_path / "citybench.json"
    path.write_text(json.dumps({"benchmark": "citybench", "results": {"runs": [row | figures]}}))
    earlier = report.read_earlier(path)
    [line] = report.beside(
        [row | figures | {"graph_ms_p50": 0.5}, {**row, **figures, "query": "Q2"}], earlier
    )
    assert line["graph_ms_p50"] == "0.5 : 1 = 0.50"
    path.write_text("{}")
    with pytest.raises(UsageError, match="is no report"):
        report.read_earlier(path)
    with pytest.raises(UsageError, match="cannot read"):
        report.read_earlier(tmp_path / "none.json")


def test_percentiles() -> None:
    values = [float(n) for n in range(100, 0, -1)]
    assert percentiles("ms", values) == {"ms_p50": 50.0, "ms_p95": 95.0, "ms_p99": 99.0}
    assert percentile([3.0], 99) == 3.0


@pytest.mark.parametrize(
    "words",
    ["--copies 0", "--copies ,", "--rate fast", "--rate x0", "--elements x", "--elements 1 --duration 1"],
)
def test_wrong_arguments(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        arguments(*words.split())
    assert "error" in capsys.readouterr().err


def test_what_does_not_fit_together(city: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no query `Q99`"):
        command.options_of(arguments("--queries", "Q99"), city)
    with pytest.raises(UsageError, match="--per-second"):
        command.options_of(arguments("--rate", "x5", "--per-second", "5"), city)
    with pytest.raises(UsageError, match="no CityBench directory"):
        harness.run(tiny(str(tmp_path)))
    assert command.options_of(arguments("--rate", "×20", "--duration", "3"), city).elements == 60
