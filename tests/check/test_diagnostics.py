"""Every diagnostic as a person reads it: one program and one golden text for each case."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from laser_rdf.check import CODES, check, diagnose
from laser_rdf.errors import ProgramError
from laser_rdf.lang.ast import Program
from laser_rdf.lang.parser import parse

HERE = Path(__file__).parent / "diagnostics"
CASES = sorted(HERE.glob("*.lars"))


def streams(program: Program) -> list[str] | None:
    """The names of the streams, for a case that has them in a first line `% streams: east, west`."""
    found = re.match("% streams: (.*)", program.source.text)
    return found[1].split(", ") if found else None


@pytest.mark.parametrize("path", CASES, ids=lambda p: p.stem)
def test_text(path: Path, golden: Callable[[Path, str], None]) -> None:
    program = parse(path.read_text(encoding="utf-8"), path.name)
    found = diagnose(program, streams=streams(program))
    assert path.stem.partition("-")[0] in {d.code for d in found}
    golden(path.with_suffix(".txt"), "\n\n".join(d.render(program.source) for d in found) + "\n")


@pytest.mark.parametrize("path", CASES, ids=lambda p: p.stem)
def test_check_raises_exactly_for_errors(path: Path) -> None:
    program = parse(path.read_text(encoding="utf-8"), path.name)
    found = diagnose(program, streams=streams(program))
    if any(d.code.startswith("E") for d in found):
        with pytest.raises(ProgramError) as raised:
            check(program, streams=streams(program))
        assert raised.value.diagnostics == found
    else:
        assert check(program, streams=streams(program)).warnings == found


def test_every_code_has_a_golden_text() -> None:
    assert {path.stem.partition("-")[0] for path in CASES} == set(CODES)
