"""What is printed reads back as the same program."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from laser_rdf.lang import ast
from laser_rdf.lang.atoms import AtomReader
from laser_rdf.lang.parser import parse
from laser_rdf.lang.printer import shortener, show, show_atom
from laser_rdf.values.terms import IRI, LOCAL_BASE, Literal, Term
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


# What may stand in an IRI: everything but blanks, ASCII control characters, halves of pairs, and these.
in_iris = st.text(
    st.characters(min_codepoint=0x21, exclude_characters='<>"{}|^`\\', exclude_categories=["Cs"])
)
odd_terms: st.SearchStrategy[Term] = st.one_of(
    in_iris.map(lambda text: IRI("http://example.org/" + text)),
    st.text(st.characters(exclude_categories=["Cs"])).map(Literal),
    st.sampled_from("\x7f\x80\x9b\u061c\u200e\u202e\u2028\u2069\ufeff").map(lambda c: IRI(f"urn:x:{c}a")),
)


def has_hidden(text: str) -> bool:
    return any(c < " " or "\x7f" <= c <= "\x9f" or c in "\u061c\u200e\u200f\ufeff" for c in text) or any(
        "\u2028" <= c <= "\u202e" or "\u2066" <= c <= "\u2069" for c in text
    )


@given(odd_terms)
def test_a_term_of_odd_characters_is_printed_safely_and_reads_back(term: Term) -> None:
    program = ast.Program(
        rules=(ast.Rule(ast.Head(ast.Atom("urn:x:p", (ast.Const(term),)))),),
        prefixes=(ast.Prefix("ex", "http://example.org/\u202e"),),
        base="urn:x:\x9b",
    )
    text = show(program)
    assert parse(text) == program
    assert not has_hidden(text.replace("\n", ""))
    atom = show_atom("urn:x:p", [term], shortener(program))
    assert not has_hidden(atom)
    reader = AtomReader("-", {prefix.name: prefix.iri for prefix in program.prefixes}, program.base)
    assert reader.atom(atom) == ("urn:x:p", (term,))
