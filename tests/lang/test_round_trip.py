"""What is printed reads back as the same program."""

from __future__ import annotations

import pytest
from hypothesis import example, given

from laser_rdf.lang import ast
from laser_rdf.lang.parser import parse
from laser_rdf.lang.printer import show
from laser_rdf.values.terms import IRI, LOCAL_BASE
from tests.syntax_trees import programs

pytestmark = pytest.mark.fuzz


@given(programs)
@example(  # a constant's name that also occurs as an IRI must not be printed bare
    ast.Program(
        rules=(ast.Rule(ast.Head(ast.Atom(LOCAL_BASE + "p", (ast.Const(IRI(LOCAL_BASE + "n")),)))),),
        constants=(ast.Constant("n", IRI("urn:x:y")),),
    )
)
@pytest.mark.parametrize("symbols", [False, True])
def test_printing_and_parsing_gives_the_same_program(symbols: bool, program: ast.Program) -> None:
    assert parse(show(program, symbols=symbols)) == program
