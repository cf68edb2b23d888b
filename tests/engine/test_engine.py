"""The engine says what the reference evaluator says."""

from __future__ import annotations

import pytest
from hypothesis import assume, event, given

from laser_rdf.check import check
from laser_rdf.errors import EvaluationError, ProgramError
from laser_rdf.lang.parser import parse
from laser_rdf.plan.planning import NotIncremental
from tests.engine.comparing import compare
from tests.engine.programs import Scenario, scenarios

pytestmark = pytest.mark.fuzz


@given(scenarios())
def test_engine_equals_reference(scenario: Scenario) -> None:
    try:
        program = check(parse(scenario.program))
    except ProgramError as error:
        event(f"rejected: {error.diagnostics[0].code}")
        assume(False)
    try:
        compare(scenario, program)
    except EvaluationError:
        event("limit reached")
    except NotIncremental as form:
        event(str(form))
