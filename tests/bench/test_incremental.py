"""The three maintainers of `bench incremental` keep the same closure; how fast they are is not tested."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laser_rdf.bench import incremental, incremental_command, pictures
from laser_rdf.bench.incremental import Options, pool, streamed
from laser_rdf.bench.recursion import closure
from laser_rdf.bench.rederive import Expire, Recompute, Rederive
from laser_rdf.errors import UsageError

TINY = ["--window", "20", "--background", "10", "--depth", "3", "--steps", "2", "--rounds", "1"]


def assert_equal(window: int, background: list, stream: list) -> None:
    maintainers: list[Any] = [kind(window, background) for kind in (Recompute, Rederive, Expire)]
    for t, facts in stream:
        answers = [maintainer.step(t, facts) for maintainer in maintainers]
        seen = [pair for s, said in stream if t - window <= s <= t for _, pair in said]
        wanted = closure([*background, *seen])
        for maintainer, (added, removed) in zip(maintainers, answers, strict=True):
            assert sorted(maintainer.holds()) == sorted(("isIn", pair) for pair in wanted)
            assert sorted(added) == sorted(answers[0][0])
            assert sorted(removed) == sorted(answers[0][1])


@pytest.mark.parametrize("share", [1, 5, 10, 50, 100])
@pytest.mark.parametrize("background", [0, 60])
def test_trees(share: int, background: int) -> None:
    options = Options(shares=(share,), window=100, background=background, depth=4, branches=2)
    said, rest = pool(options)
    points = 100 // share
    assert len(said) == background
    assert_equal(points - 1, said, streamed(rest, share, min(points, 20) + 10))


pairs = st.tuples(st.sampled_from("abcde"), st.sampled_from("abcde"))


@pytest.mark.fuzz
@given(st.integers(0, 3), st.lists(pairs, max_size=3), st.lists(st.lists(pairs, max_size=4), max_size=8))
@settings(max_examples=settings.default.max_examples // 2)
def test_any_graph(window: int, background: list, points: list) -> None:
    """Cycles, triples said twice, triples that the background has, too."""
    background = list(dict.fromkeys(background))
    stream = [(t, [("said", pair) for pair in said]) for t, said in enumerate(points, start=1)]
    assert_equal(window, background, stream)


def arguments(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    incremental_command.add_arguments(parser)
    return parser.parse_args(list(words))


def test_a_tiny_run_writes_everything(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    words = ["--shares", "100,10", *TINY, "--out", str(tmp_path / "deep" / "out")]
    assert incremental_command.main(arguments(*words)) == 0
    printed = capsys.readouterr()
    assert printed.out.startswith("# bench incremental\n")
    data = json.loads((tmp_path / "deep" / "out" / "incremental.json").read_text())
    assert data["complete"] is True
    rows = data["results"]["incremental"]
    assert [row["changed_percent"] for row in rows] == [10, 100]
    assert all(row[f"{name}_us"] > 0 for row in rows for name in ("recompute", "rederive", "engine"))
    assert len(data["results"]["crossings"]) == 3
    written = {path.name for path in (tmp_path / "deep" / "out").iterdir()}
    assert written == {f"incremental{end}" for end in (".json", ".md", "-steps.png", "-steps.svg")}


def test_stopping_keeps_what_was_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(pictures, "require_matplotlib", lambda: None)
    monkeypatch.setattr(pictures, "draw", lambda report, folder: [])
    measure = incremental.measure

    def stopped(share: float, options: Options) -> Any:
        if share == 100:
            raise KeyboardInterrupt
        return measure(share, options)

    monkeypatch.setattr(incremental, "measure", stopped)
    words = ["--shares", "10,100", *TINY, "--json", "--out", str(tmp_path)]
    assert incremental_command.main(arguments(*words)) == 130
    printed = json.loads(capsys.readouterr().out)
    assert printed["complete"] is False
    assert len(printed["results"]["incremental"]) == 1


def test_defaults_depend_on_quick() -> None:
    options = incremental_command.options_of(arguments())
    assert (options.shares[0], options.shares[-1], options.window, options.rounds) == (0.1, 100, 1000, 5)
    options = incremental_command.options_of(arguments("--quick", "--background", "0"))
    assert (len(options.shares), options.background, options.rounds) == (5, 0, 3)


@pytest.mark.parametrize(
    "words", [("--shares", "0"), ("--shares", "nan"), ("--window", "0"), ("--steps", "x")]
)
def test_wrong_numbers_are_refused(words: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        arguments(*words)
    assert words[0] in capsys.readouterr().err


def test_a_share_must_fit_the_window() -> None:
    with pytest.raises(UsageError, match="choose another share or window"):
        Options(shares=(0.1,), window=100)


def test_crossings_both_ways() -> None:
    times = [(1, 4, 2, 1), (10, 1, 2, 4), (100, 4, 2, 1)]
    rows = [
        {"changed_percent": p, "engine_us": e, "recompute_us": r, "rederive_us": d} for p, e, r, d in times
    ]
    found = {(row["maintainer"], row["against"]): row["is_slower"] for row in incremental.crossings(rows)}
    assert found["engine", "recompute"] == "up to 3.2 %, from 32 %"
    assert found["rederive", "recompute"] == "from 3.2 %, up to 32 %"
    assert incremental.crossings([]) == []
