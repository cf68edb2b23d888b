"""Plans and generated code of small programs, as `laser-rdf show` prints them, in golden files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from laser_rdf.cli import main

PROGRAMS = Path(__file__).parent / "programs"
ALL = sorted(path.stem for path in PROGRAMS.glob("*.lars"))
Golden = Callable[[Path, str], None]


def shown(name: str, option: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["show", option, str(PROGRAMS / f"{name}.lars")]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("name", ALL)
def test_plan(name: str, golden: Golden, capsys: pytest.CaptureFixture[str]) -> None:
    golden(PROGRAMS / f"{name}.plan.txt", shown(name, "--plan", capsys))


@pytest.mark.parametrize("name", ALL)
def test_code(name: str, golden: Golden, capsys: pytest.CaptureFixture[str]) -> None:
    code = shown(name, "--code", capsys)
    golden(PROGRAMS / f"{name}.code.txt", code)
    compile(code, name, "exec")


@pytest.mark.parametrize("name", ALL)
def test_both_are_the_same_every_time(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing depends on the order of a set or on a hash."""
    for option in ("--plan", "--code"):
        assert len({shown(name, option, capsys) for _ in range(3)}) == 1


def test_there_are_programs() -> None:
    assert set(ALL) >= {"diamond", "join", "negation", "count", "recursion", "cooling"}
