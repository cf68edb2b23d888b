"""Every case in tests/cases gives its expected answers on every evaluator."""

from __future__ import annotations

import pytest

from laser_rdf.cli import main
from tests.case_files import Case, all_cases

EVALUATORS = ["reference", "annotation"]


def run(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> str:
    code = main(arguments)
    captured = capsys.readouterr()
    assert code == 0, captured.err
    return captured.out


@pytest.mark.parametrize("evaluator", EVALUATORS)
@pytest.mark.parametrize("case", all_cases(), ids=str)
def test_case(case: Case, evaluator: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [*case.arguments(), "--engine", evaluator]
    expected, answer = case.path / "expected.txt", case.path / "answer.txt"
    assert expected.exists() or answer.exists(), "a case without expected answers"
    if expected.exists():
        assert run(capsys, arguments) == expected.read_text()
    if answer.exists():
        assert run(capsys, [*arguments, "--emit", "answer"]) == answer.read_text()


def test_there_are_cases() -> None:
    assert len(all_cases()) > 10
