"""What the parser and the atom reader say about wrong text, to the letter."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import laser_rdf.lang
from laser_rdf.cli import main

HERE = Path(__file__).parent
PROGRAMS = sorted((HERE / "diagnostics").glob("*.lars"))
STREAMS = sorted((HERE / "inputs").glob("*.atoms"))


def complaint(capsys: pytest.CaptureFixture[str], code: int, *arguments: str) -> str:
    assert main(list(arguments)) == code
    return capsys.readouterr().err


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda p: p.stem)
def test_program(path: Path, golden, capsys, monkeypatch) -> None:
    monkeypatch.chdir(path.parent)
    text = complaint(capsys, 2, "check", path.name)
    assert f"error[{path.stem[:4]}]" in text
    golden(path.with_suffix(".txt"), text)


@pytest.mark.parametrize("path", STREAMS, ids=lambda p: p.stem)
def test_stream(path: Path, golden, capsys, monkeypatch, tmp_path: Path) -> None:
    monkeypatch.chdir(path.parent)
    (tmp_path / "p.lars").write_text("q(X) :- p(X).")
    text = complaint(capsys, 1, "eval", str(tmp_path / "p.lars"), "--stream", path.name)
    assert f"error[{path.stem[:4]}]" in text
    golden(path.with_suffix(".txt"), text)


def test_every_code_has_a_golden_text() -> None:
    sources = Path(laser_rdf.lang.__file__).parent.glob("*.py")
    codes = {code for source in sources for code in re.findall(r'"([SI]\d{3})"', source.read_text())}
    assert codes == {path.stem[:4] for path in [*PROGRAMS, *STREAMS]}
