"""The lexical decisions of the language, one by one: what is read, what is refused, and how it is said.

The language page of the documentation tells the same from the user's side.
"""

from __future__ import annotations

import pytest

from laser_rdf.errors import Diagnostic, ProgramError
from laser_rdf.lang import ast
from laser_rdf.lang.names import RESERVED
from laser_rdf.lang.parser import parse
from laser_rdf.values.terms import (
    IRI,
    LANG_STRING,
    LOCAL_BASE,
    OWL,
    RDF,
    RDF_TYPE,
    RDFS,
    XSD,
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_INTEGER,
    Literal,
    Term,
)

PREFIX = "PREFIX ex: <http://example.org/>\n"


def problems(text: str) -> tuple[Diagnostic, ...]:
    with pytest.raises(ProgramError) as raised:
        parse(text)
    return raised.value.diagnostics


def refused(text: str, code: str, *words: str) -> None:
    """The first problem has the code, and its message and advice contain the words."""
    first = problems(text)[0]
    assert first.code == code, first
    assert [word for word in words if word not in first.message + first.note] == []


def body(text: str) -> tuple[ast.BodyItem, ...]:
    return parse(f"{PREFIX}p :- {text} .").rules[0].body


def literal(text: str) -> ast.Literal:
    (item,) = body(text)
    assert isinstance(item, ast.Literal)
    return item


def comparison(text: str) -> ast.Comparison:
    *_, item = body(text)
    assert isinstance(item, ast.Comparison)
    return item


def term(text: str) -> Term:
    formula = literal(f"q({text})").formula
    assert isinstance(formula, ast.Atom)
    (arg,) = formula.args
    assert isinstance(arg, ast.Const)
    return arg.term


def same(*texts: str) -> None:
    """All texts are the same program."""
    first, *others = map(parse, texts)
    assert [other for other in others if other != first] == []


# --- 1: reserved words -----------------------------------------------------------------------------------


@pytest.mark.parametrize("word", sorted(RESERVED))
def test_a_reserved_word_is_no_predicate_and_no_constant(word: str) -> None:
    refused(f"{word}(X) :- q(X).", "S001")
    if word in ("true", "false"):
        assert term(word) == Literal(word, XSD + "boolean")
    else:
        refused(f"p :- q({word}).", "S001")


@pytest.mark.parametrize("word", sorted(RESERVED))
def test_a_reserved_word_is_written_as_a_full_iri(word: str) -> None:
    iri = f"{LOCAL_BASE}{word}"
    assert literal(f"<{iri}>(X)").formula == ast.Atom(iri, (ast.Var("X"),))


@pytest.mark.parametrize(
    "word",
    ["step", "of", "per", "all", "ms", "s", "min", "h", "d", "a", "count", "prefix", "base", "nothing"],
)
def test_other_words_are_names(word: str) -> None:
    assert literal(f"{word}(X)").formula == ast.Atom(LOCAL_BASE + word, (ast.Var("X"),))
    assert term(word) == IRI(LOCAL_BASE + word)


def test_a_is_a_keyword_inside_blocks_only() -> None:
    block = literal("{ ?x a ex:C }").formula
    assert isinstance(block, ast.Block)
    assert block.patterns[0].predicate == ast.Const(IRI(RDF_TYPE))
    assert literal("a(X, Y)").formula == ast.Atom(LOCAL_BASE + "a", (ast.Var("X"), ast.Var("Y")))
    refused(PREFIX + "p :- { a ex:q ?x }.", "S014", "keyword")


# --- 2: `<` and `<-` -------------------------------------------------------------------------------------


def test_less_than_needs_no_blanks() -> None:
    first, second = body("X<Y, Z>3")
    assert isinstance(first, ast.Comparison)
    assert isinstance(second, ast.Comparison)
    assert (first.op, second.op) == ("<", ">")


@pytest.mark.parametrize("iri", ["http://example.org/x", "urn:x:y"])
def test_an_iri_starts_with_a_scheme(iri: str) -> None:
    assert term(f"<{iri}>") == IRI(iri)


def test_a_relative_iri_is_resolved_or_refused() -> None:
    base = "BASE <http://example.org/a#b>\n"
    for reference, iri in (("#c", "http://example.org/a#c"), ("/c", "http://example.org/c")):
        assert parse(f"{base}p(<{reference}>).").rules[0].head.formula == ast.Atom(
            "http://example.org/a#bp", (ast.Const(IRI(iri)),)
        )
    assert parse(f"{base}p(<>).").rules[0].head.formula == ast.Atom(
        "http://example.org/a#bp", (ast.Const(IRI("http://example.org/a#b")),)
    )
    refused("p(</c>).", "S005", "BASE")


def test_an_arrow_is_always_one_token() -> None:
    same("p :- q.", "p <- q.", "p ← q.", "p<-q.")
    refused("p(X) :- q(X), X<-5.", "S001", "write `X < -5`")
    assert comparison("q(X), X < -5").right == ast.Const(Literal("-5", XSD_INTEGER))


def test_less_than_directly_before_a_prefixed_name_is_refused() -> None:
    refused(PREFIX + "p(X) :- q(X), X<ex:a.", "S001", "blank")
    assert comparison("q(X), X < ex:a").right == ast.Const(IRI("http://example.org/a"))


# --- 3: names --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("local", ["a", "a-1", "a_b", "1a", "_a", "größe", "温度", "a-b-c"])
def test_local_parts(local: str) -> None:
    assert term(f"ex:{local}") == IRI(f"http://example.org/{local}")


@pytest.mark.parametrize("local", ["a.b", "a/b", r"a\-b", "-a", "a-"])
def test_what_local_parts_do_not_have(local: str) -> None:
    assert problems(f"{PREFIX}p(ex:{local}, ex:c).")


def test_a_percent_sign_in_a_name_starts_a_comment() -> None:
    assert parse(PREFIX + "p(ex:a%20b\n).") == parse(PREFIX + "p(ex:a).")


def test_subtraction_after_a_prefixed_name_needs_a_blank() -> None:
    assert comparison("q(X), X = ex:a-1").right == ast.Const(IRI("http://example.org/a-1"))
    one = ast.Const(Literal("1", XSD_INTEGER))
    minus = ast.Binary("-", ast.Const(IRI("http://example.org/a")), one)
    assert comparison("q(X), X = ex:a - 1").right == minus
    for variable in ("?x", "X"):
        name = variable.lstrip("?")
        assert comparison(f"q({variable}), 0 < {variable}-1").right == ast.Binary("-", ast.Var(name), one)


@pytest.mark.parametrize("name", ["größe", "温度", "élan", "ß"])
def test_letters_beyond_ascii_are_letters(name: str) -> None:
    assert term(name) == IRI(LOCAL_BASE + name)


def test_a_capital_letter_beyond_ascii_is_neither() -> None:
    refused("p(X) :- Ölstand(X).", "S015", "`?Ölstand`")
    assert literal("q(?Ölstand)").formula == ast.Atom(LOCAL_BASE + "q", (ast.Var("Ölstand"),))


# --- 4: numbers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "datatype"),
    [
        ("5", XSD_INTEGER),
        ("05", XSD_INTEGER),
        ("5.0", XSD_DECIMAL),
        ("1e3", XSD_DOUBLE),
        ("1.5E-7", XSD_DOUBLE),
    ],
)
def test_numbers(text: str, datatype: str) -> None:
    assert term(text) == Literal(text, datatype)
    assert term(f"-{text}") == Literal(f"-{text}", datatype)


def test_a_number_before_a_dot_ends_the_rule() -> None:
    same("p :- q(X), X > 5. r.", "p :- q(X), X > 5 . r .")
    refused("p(5.).", "S001")
    refused("p(.5).", "S001")


def test_a_sign_is_an_operator() -> None:
    same("p :- q(X), X > 3-1.", "p :- q(X), X > 3 - 1.")
    same("p(+5).", "p(5).")


# --- 5: comments and `mod` -------------------------------------------------------------------------------


def test_comments() -> None:
    same("p. q.", "p. % r.\nq.", "p. // r.\nq.", "p. /* r.\n */ q.", "p. %* r.\n *% q.", "p.%r.\nq.")


def test_modulo_is_a_word() -> None:
    assert comparison("q(X), X mod 2 = 1").left == ast.Binary(
        "mod", ast.Var("X"), ast.Const(Literal("2", XSD_INTEGER))
    )
    refused("p :- q(X), X % 2 = 1.", "S002")


def test_a_hash_is_no_comment() -> None:
    refused("p.\n# a comment\nq.", "S001", "comments start with `%`")
    refused("#include q.", "S001", "directives are `#show`")


# --- 6: aggregates ---------------------------------------------------------------------------------------


def test_the_colon_of_an_aggregate_has_blanks_around_it() -> None:
    assert isinstance(body("N := count { X : q(X) }")[0], ast.Aggregate)
    for colon in (": ", ":"):
        assert problems(f"p(N) :- N := count {{ X{colon}q(X) }}.")
    refused("p(N) :- N := count { X: q(X) }.", "S001", "blanks around it")


def test_aggregates_stand_only_right_of_an_assignment() -> None:
    for condition in ("N = count { X : q(X) }", "q(N), N > sum { X : q(X) }", "max { X : q(X) } < 3"):
        refused(f"p :- {condition}.", "S001", "aggregates need `:=`")
    refused("p(N) :- N := 1 + count { X : q(X) }.", "S001", "aggregates need `:=`")
    refused("p(count { X : q(X) }) :- r.", "S001", "aggregates need `:=`")


def test_count_distinct_is_count() -> None:
    same("p(N) :- N := count { X : q(X) }.", "p(N) :- N := count distinct { X : q(X) }.")
    refused("p(N) :- N := sum distinct { X : q(X) }.", "S008")
    refused("p(N) :- N := median { X : q(X) }.", "S008", "count, sum, avg, min, max")


def test_an_aggregate_inside_an_aggregate_is_refused() -> None:
    assert problems("p(N) :- N := count { X : X := count { Y : q(Y) } }.")


# --- 7: `at`, `from`, `@`, words and symbols -------------------------------------------------------------


def test_at_and_from_take_expressions() -> None:
    same("p :- q(X) at X + 1 in [5] from 2 * X.", "p :- q(X) at (X + 1) in [5] from (2 * X).")


def test_the_at_sign_takes_a_simple_term_or_brackets() -> None:
    same("p :- q(X) at X + 1.", "p :- @(X + 1) q(X).")
    same("p :- q at T.", "p :- @T q.")
    same("p :- q at 5.", "p :- @5 q.")
    assert problems("p :- @X + 1 q(X).")


def test_a_language_tag_stands_directly_behind_its_string() -> None:
    assert term('"a"@en') == Literal("a", LANG_STRING, "en")
    assert term('"a"@de-AT') == Literal("a", LANG_STRING, "de-at")
    assert problems('p("a" @en).')


@pytest.mark.parametrize(
    "rule",
    [
        "p :- q in [5], ⊞[5] ◇ r.",
        "p at T :- ⊞[5] @T q.",
        "@T p :- q at T in [5].",
        "p :- N := count { X : q(X) in [5] }, @T r(N).",
    ],
)
def test_one_rule_does_not_mix_words_and_symbols(rule: str) -> None:
    refused(rule, "S004", "in words", "in symbols")


def test_two_rules_may_differ() -> None:
    same("p :- q in [5]. r :- s in [5].", "p :- q in [5]. r ← ⊞[5] ◇ s.")


@pytest.mark.parametrize("rule", ["p ← q in [5].", "p :- ⊞[5] ◇ q.", "p :- ¬ q in [5]."])
def test_arrows_and_negation_go_with_both(rule: str) -> None:
    parse(rule)


# --- 8: blocks -------------------------------------------------------------------------------------------


def test_conditions_of_a_block_follow_a_dot() -> None:
    block = literal("{ ?x ex:p ?v . ?v > 5 . ?v < 9 }").formula
    assert isinstance(block, ast.Block)
    assert len(block.conditions) == 2
    refused(PREFIX + "p :- { ?x ex:p ?v, ?v > 5 }.", "S001")
    assert problems(PREFIX + "p :- { ?v > 5 . ?x ex:p ?v }.")


def test_blank_nodes_stand_in_blocks_only() -> None:
    same(PREFIX + "p :- { [] ex:p [] }.", PREFIX + "p :- { _:x ex:p _:y }.")
    assert problems("p(_:x) :- q.")
    assert problems("p([]) :- q.")


def test_there_are_no_lists() -> None:
    refused(PREFIX + "p(?x) :- { ?x ex:p (1 2) }.", "S001", "no lists")


def test_an_underscore_is_anonymous_and_starts_no_name() -> None:
    assert literal("q(_)").formula == ast.Atom(LOCAL_BASE + "q", (ast.Wildcard(),))
    refused("p(X) :- q(X, _x).", "S001", "`_x`: a name cannot start with `_`")
    refused("_p(X) :- q(X).", "S001", "`_p`")
    assert literal("q(?_x)").formula == ast.Atom(LOCAL_BASE + "q", (ast.Var("_x"),))


# --- 9: accepted spellings -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "window"),
    [
        ("[5]", ast.TimeWindow(ast.Size(5))),
        ("[5s]", ast.TimeWindow(ast.Size(5, "s"))),
        ("[300 sec]", ast.TimeWindow(ast.Size(300, "s"))),
        ("[500 msec]", ast.TimeWindow(ast.Size(500, "ms"))),
        ("[1.5 s]", ast.TimeWindow(ast.Size(1500, "ms"))),
        ("[PT5M]", ast.TimeWindow(ast.Size(5, "min"))),
        ("[2 h]", ast.TimeWindow(ast.Size(2, "h"))),
        ("[1 d]", ast.TimeWindow(ast.Size(1, "d"))),
        ("[+5 min step 1 min]", ast.TimeWindow(ast.ZERO, ast.Size(5, "min"), ast.Size(1, "min"))),
        ("[5 min, +1 min]", ast.TimeWindow(ast.Size(5, "min"), ast.Size(1, "min"))),
        ("[all]", ast.AllWindow()),
        ("[#3]", ast.TupleWindow(3)),
        ("[3 #]", ast.TupleWindow(3)),
        ("[#3 of q/2]", ast.TupleWindow(3, ast.PredicateRef(LOCAL_BASE + "q", 2))),
        ("[#1 per ?a, ?b]", ast.PartitionWindow(1, (ast.Var("a"), ast.Var("b")))),
    ],
)
def test_windows(text: str, window: ast.Window) -> None:
    assert literal(f"q(?a, ?b) in {text}").window == window
    same(f"p :- q(?a, ?b) in {text}.", f"p :- q(?a, ?b) {text}.")
    same(f"p :- q(?a, ?b) at T in {text}.", f"p :- q(?a, ?b) at T {text}.")


def test_constants_as_window_sizes() -> None:
    program = "#const n = 5 .\n"
    assert parse(program + "p :- q in [n min].").rules == parse("p :- q in [5 min].").rules
    assert parse(program + "p :- q in [#n].").rules == parse("p :- q in [#5].").rules
    refused("p :- q in [n].", "S010")
    refused("p :- q in [n]. #const n = 5 .", "S010")


def test_other_units_are_refused() -> None:
    refused("p :- q in [5 minutes].", "S001", "units are ms, s, min, h and d")
    refused("p :- q in [5.5].", "S001")


@pytest.mark.parametrize(("prefix", "iri"), [("rdf", RDF), ("rdfs", RDFS), ("owl", OWL), ("xsd", XSD)])
def test_predeclared_prefixes(prefix: str, iri: str) -> None:
    assert term(f"{prefix}:x") == IRI(iri + "x")


def test_other_prefixes_have_to_be_declared() -> None:
    refused("p :- foaf:name(X, Y).", "S003", "`foaf:`")


# --- 10: local names -------------------------------------------------------------------------------------


def test_local_names_are_the_same_in_all_programs() -> None:
    assert LOCAL_BASE == "urn:laser:local:"
    assert term("a") == IRI("urn:laser:local:a")
    based = parse("BASE <http://example.org/>\np(a).").rules[0].head.formula
    assert based == ast.Atom("http://example.org/p", (ast.Const(IRI("http://example.org/a")),))


# --- what surrounds them ---------------------------------------------------------------------------------


def test_expressions_are_no_arguments() -> None:
    refused("p(X + 1) :- q(X).", "S006", ":=")


def test_variables_have_two_spellings() -> None:
    same("p(X) :- q(X).", "p(?X) :- q(?X).")
    refused("p($x) :- q($x).", "S001", "replace `$` by `?`")
    refused("p :- Q(X).", "S001", "a variable cannot be a predicate")
