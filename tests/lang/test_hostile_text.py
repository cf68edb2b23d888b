"""Whatever the text, the parser answers with a program or with a ProgramError that names a place."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laser_rdf.errors import LaserError, ProgramError
from laser_rdf.lang.ast import Program
from laser_rdf.lang.depth import MAX_DEPTH
from laser_rdf.lang.parser import decode, parse
from laser_rdf.lang.printer import show
from tests.syntax_trees import programs

pytestmark = pytest.mark.fuzz

PIECES = [
    *"""
p q(X) ?x X _ _:b [] { } ( ) [ ] , . ; : :- <- ← := = != < <= > >= + - * / mod not in at now always from on
⊞ ◇ □ @T ¬ #3 #show #const #external all step per of 5 5.0 1e3 "a" 'b' "open \\" @en ^^ xsd:integer ex:a
<urn:a> <#x> PREFIX ex: <http://e/> BASE true false count sum % // /* */ %* *% ∞ PT5M min s 温度 a
""".split(),
    "\n",
    "\x00",
    "\ud7ff",
]


def outcome(text: str) -> Program | None:
    """The program, or None after an error that was a proper one."""
    try:
        return parse(text)
    except ProgramError as error:
        assert error.diagnostics
        for diagnostic in error.diagnostics:
            assert diagnostic.span.line >= 1
            assert diagnostic.span.column >= 1
            assert diagnostic.code
            assert diagnostic.note
            assert f":{diagnostic.span}:" in diagnostic.render(error.source)
        return None


@given(st.text(max_size=60))
def test_any_text(text: str) -> None:
    outcome(text)


@given(st.lists(st.sampled_from(PIECES), max_size=25), st.sampled_from(["", " "]))
def test_shuffled_pieces_of_the_language(pieces: list[str], glue: str) -> None:
    outcome(glue.join(pieces))


@given(programs, st.integers(0, 500))
def test_truncated_programs(program: Program, end: int) -> None:
    outcome(show(program)[:end])


@given(programs, st.randoms(use_true_random=False))
def test_programs_with_characters_exchanged(program: Program, rng: random.Random) -> None:
    characters = list(show(program))
    for _ in range(3):
        if characters:
            characters[rng.randrange(len(characters))] = rng.choice(characters)
    outcome("".join(characters))


@given(st.binary(max_size=60))
def test_any_bytes(data: bytes) -> None:
    try:
        outcome(decode(data, "bytes"))
    except LaserError as error:
        assert "UTF-8" in str(error)


def test_half_a_surrogate_pair_is_named() -> None:
    with pytest.raises(ProgramError, match="1:4: error\\[S009\\]"):
        parse('p("\ud800").')


@pytest.mark.parametrize(
    "text",
    [
        "p(X) :- q(X), Y = " + "(" * 50_000 + "X" + ")" * 50_000 + ".",
        "p(X) :- q(X), X > " + " + ".join(["1"] * (MAX_DEPTH - 1)) + ".",
        "p(X) :- q(X), { ?x ex:p " + "[ ex:p " * 3000 + "?y" + "]" * 3000 + " }.",
    ],
    ids=["brackets", "sum", "nodes"],
)
def test_deep_nesting_that_is_no_problem(text: str) -> None:
    program = parse("PREFIX ex: <http://example.org/>\n" + text)
    assert parse(show(program)) == program


@pytest.mark.parametrize(
    "expression",
    [
        " + ".join(["1"] * 100_000),
        "-" * 50_000 + "X",
        "abs(" * 50_000 + "X" + ")" * 50_000,
        "1 + (" * 50_000 + "X" + ")" * 50_000,
    ],
    ids=["sum", "signs", "calls", "brackets"],
)
def test_expressions_nested_too_deep_are_refused(expression: str) -> None:
    with pytest.raises(ProgramError, match="S007"):
        parse(f"p(X) :- q(X), X > {expression}.")


def test_a_program_of_a_megabyte_is_read() -> None:
    rule = "q(X, Y) :- p(X, Z) in [5 min], r(Z, Y) at T in [10 s], not s(X) in [5], X > 5.\n"
    count = 1_000_000 // len(rule)
    assert len(parse(rule * count).rules) == count


def test_many_errors_are_reported_together_and_end() -> None:
    with pytest.raises(ProgramError) as caught:
        parse("p(X :- q.\n" * 5_000)
    assert 10 <= len(caught.value.diagnostics) <= 50


def test_a_megabyte_without_a_dot_is_an_error_and_no_hang() -> None:
    assert outcome("p(X) :- q(X) q(X) " * 60_000) is None
    assert outcome('"' * 100_000) is None
    assert outcome("%* " * 300_000) is None
    assert outcome("<" * 100_000) is None
