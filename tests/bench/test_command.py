"""`bench laser` measures, writes and prints; how fast anything is, is not tested."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from laser_rdf.bench import command, laser, memory, pictures, recursion, silence
from laser_rdf.errors import EvaluationError, UsageError

TINY = ["--windows", "1,2", "--rates", "6", "--points", "3", "--rounds", "1"]


def arguments(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    return parser.parse_args(list(words))


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """The experiments whose size no option sets, at a size for tests."""
    gap, resident = silence.measure_gap, memory.measure_memory
    monkeypatch.setattr(silence, "measure_gap", lambda rounds: gap(rounds, 10_000, 10, 100))
    monkeypatch.setattr(memory, "measure_memory", lambda: resident(1_000, 2_000))
    monkeypatch.setattr(laser, "RECURSION_EDGES", 100)
    monkeypatch.setattr(recursion, "SHARES", (10, 100))


@pytest.mark.usefixtures("small")
def test_a_tiny_run_writes_everything(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    out = tmp_path / "deep" / "out"
    assert command.main(arguments("--quick", *TINY, "--out", str(out))) == 0
    printed = capsys.readouterr()
    assert printed.out.startswith("# bench laser\n")
    assert "/" in printed.err
    assert "diamond, window 1, rate 6, full" in printed.err
    data = json.loads((out / "laser.json").read_text())
    assert data["complete"] is True
    assert set(data["machine"]) == {"date", "cpu", "cores", "system", "python", "laser-rdf"}
    assert data["options"]["points"] == 3
    results = data["results"]
    assert set(results) == {"micro", "ten_rules", "window_growth", "gap", "memory", "recursion"}
    assert {row["experiment"] for row in results["micro"]} == {
        *"diamond box join rules-10 cooling negation count".split()
    }
    for row in results["micro"]:
        assert set(row) == {
            *"experiment window rate mode points rounds engine_us loop_us ratio".split(),
        }
        assert row["engine_us"] > 0
    assert {row["mode"] for row in results["micro"]} == {"full", "changes"}
    assert results["gap"][0]["answers"] == results["gap"][0]["expiries"] == 10
    assert results["memory"][0]["many_kb"] > 0
    assert [row["changed_percent"] for row in results["recursion"]] == [10, 100]
    assert "| experiment | mode | 1/6 | 2/6 |" in (out / "laser.md").read_text()
    for name in ("full", "changes", "recursion"):
        assert (out / f"laser-{name}.png").read_bytes().startswith(b"\x89PNG")
        assert "<svg" in (out / f"laser-{name}.svg").read_text()


@pytest.fixture
def unpainted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without pictures, which need the extra."""
    monkeypatch.setattr(pictures, "require_matplotlib", lambda: None)
    monkeypatch.setattr(pictures, "draw", lambda report, folder: [])


@pytest.mark.usefixtures("unpainted")
def test_json_is_printed_when_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--experiments", "join,count", *TINY, "--json", "--out", str(tmp_path)]
    assert command.main(arguments(*words)) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == json.loads((tmp_path / "laser.json").read_text())
    assert {row["experiment"] for row in printed["results"]["micro"]} == {"join", "count"}


@pytest.mark.usefixtures("unpainted")
def test_peer_stands_beside(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("clingo")
    words = ["--experiments", "box", *TINY, "--peer", "clingo", "--json", "--out", str(tmp_path)]
    assert command.main(arguments(*words)) == 0
    rows = json.loads(capsys.readouterr().out)["results"]["peer"]
    assert [row["window"] for row in rows] == [1, 2]
    assert all(row["clingo_us"] > 0 for row in rows)


@pytest.mark.usefixtures("unpainted")
@pytest.mark.parametrize(
    ("reason", "code"),
    [(KeyboardInterrupt(), 130), (EvaluationError("a limit"), 1)],
    ids=["ctrl-c", "failure"],
)
def test_stopping_keeps_what_was_measured(
    reason: BaseException,
    code: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    measure: Callable[..., Any] = laser.measure_micro

    def stopped(experiment: Any, window: int, *rest: Any) -> Any:
        if window == 2:
            raise reason
        return measure(experiment, window, *rest)

    monkeypatch.setattr(laser, "measure_micro", stopped)
    words = ["--experiments", "diamond", *TINY, "--out", str(tmp_path)]
    assert command.main(arguments(*words)) == code
    assert f"The run was stopped by {str(reason) or 'Ctrl-C'}" in capsys.readouterr().out
    data = json.loads((tmp_path / "laser.json").read_text())
    assert data["complete"] is False
    assert {row["window"] for row in data["results"]["micro"]} == {1}


def test_a_missing_extra_says_how_to_install_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(pictures, "import_module", missing)
    with pytest.raises(UsageError, match=r"pip install laser-rdf\[bench\]"):
        command.main(arguments("--quick", "--out", str(tmp_path)))


def test_an_unknown_experiment_is_named() -> None:
    with pytest.raises(UsageError, match="no experiment `triangle`; there are diamond, box, join"):
        command.options_of(arguments("--experiments", "triangle"))


@pytest.mark.parametrize("words", [("--points", "0"), ("--rates", "200,x"), ("--windows", "-1")])
def test_wrong_numbers_are_refused(words: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        arguments(*words)
    assert words[0] in capsys.readouterr().err


def test_defaults_depend_on_quick() -> None:
    options = command.options_of(arguments())
    assert (options.windows, options.rates, options.points) == ((1, 20, 40, 80), (200, 400, 800), 300)
    options = command.options_of(arguments("--quick"))
    assert (options.windows, options.rates, options.points) == ((20, 80), (200,), 100)
    options = command.options_of(arguments("--quick", "--points", "7", "--windows", "0"))
    assert (options.windows, options.points) == ((0,), 7)


def test_the_bar_is_for_terminals(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    command.show_progress(1, 2, "join")
    command.show_progress(2, 2, "")
    assert capsys.readouterr().err == f"\r\x1b[K[{'#' * 12}{'.' * 12}] 1/2 join\r\x1b[K[{'#' * 24}] 2/2 \n"
