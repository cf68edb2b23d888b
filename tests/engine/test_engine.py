"""The engine says what the reference evaluator says, at every time point of generated programs."""

from __future__ import annotations

import os

import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from laser_rdf.check import check
from laser_rdf.errors import EvaluationError, ProgramError
from laser_rdf.lang.parser import parse
from tests.engine.comparing import compare
from tests.engine.programs import FOCUSES, Focus, scenario, scenarios

pytestmark = pytest.mark.fuzz

ASKED = int(os.environ.get("LASER_RDF_EXAMPLES", "0"))
PROGRAMS = max(2_500, ASKED)
"""Over all focuses together; the same ones every time unless a longer run is asked for."""


@pytest.mark.parametrize("focus", FOCUSES, ids=lambda focus: focus.name)
def test_engine_equals_reference(focus: Focus) -> None:
    @settings(max_examples=PROGRAMS // len(FOCUSES), derandomize=not ASKED)
    @given(st.data())
    def agree(data: st.DataObject) -> None:
        made = data.draw(scenarios(focus))
        try:
            program = check(parse(made.program))
        except ProgramError as error:
            event(f"rejected: {error.diagnostics[0].code}")
            assume(False)
        try:
            both = compare(made, program)
        except EvaluationError:
            event("limit reached")
        else:
            event(f"recomputes: {both.engine.recomputes}")

    agree()


def test_generated_programs_are_worth_their_time() -> None:
    """Most of them are different, are accepted, are maintained incrementally and say something."""
    programs, accepted, incremental, telling = set(), 0, 0, 0
    for seed in range(200):
        made = scenario(seed, FOCUSES[seed % len(FOCUSES)])
        programs.add(made.program)
        try:
            both = compare(made, check(parse(made.program)))
        except (ProgramError, EvaluationError):
            continue
        accepted += 1
        incremental += both.engine.recomputes is None
        telling += both.removals > 0
    assert len(programs) > 190
    assert accepted > 160
    assert incremental > 0.85 * accepted
    assert telling > 0.5 * accepted
