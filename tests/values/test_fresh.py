"""Names of fresh resources."""

from __future__ import annotations

import subprocess
import sys

import pytest

from laser_rdf.values import IRI, Literal, fresh_resource, to_term

RULE = "{ [] a ex:Fire } :- smoke(X) ."
PINNED = "urn:laser:fresh:30f5fa147a743f4f5d12f8b5ff0cb8cc"


def test_the_name_is_pinned():
    assert fresh_resource(RULE, "b1", [IRI("urn:laser:local:hall")], None) == IRI(PINNED)


def test_every_part_counts():
    names = [
        fresh_resource(RULE, "b1", [to_term("a"), to_term("b")], None),
        fresh_resource(RULE, "b2", [to_term("a"), to_term("b")], None),
        fresh_resource(RULE + " ", "b1", [to_term("a"), to_term("b")], None),
        fresh_resource(RULE, "b1", [to_term("b"), to_term("a")], None),
        fresh_resource(RULE, "b1", [to_term("a")], None),
        fresh_resource(RULE, "b1", [to_term("a"), to_term("b")], 0),
        fresh_resource(RULE, "b1", [to_term("a"), to_term("b")], 1),
        fresh_resource(RULE, "b1", [], None),
        fresh_resource(RULE, "b1", [Literal("1")], None),
        fresh_resource(RULE, "b1", [to_term(1)], None),
        fresh_resource(RULE, "b1", [], 1),
        fresh_resource("ab", "c", [], None),
        fresh_resource("a", "bc", [], None),
    ]
    assert len(set(names)) == len(names)


def test_any_text_and_any_time_have_a_name():
    assert fresh_resource("\ud800", "b", [Literal("\ud800")], 10**5000).value.startswith("urn:laser:fresh:")


@pytest.mark.parametrize("seed", ["0", "1"])
def test_the_same_in_another_process(seed):
    call = f"fresh_resource({RULE!r}, 'b1', [to_term('hall')], None)"
    code = f"from laser_rdf.values import *; print({call}.value)"
    done = subprocess.run(
        [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == PINNED


def test_importing_values_does_not_load_the_regex_library():
    code = "import sys, laser_rdf.values; print('re2' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
