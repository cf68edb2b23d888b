"""What a Python program can rely on: steps, answers, values, errors."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from laser_rdf import Answer, Engine, EvaluationError, LaserError, Program, UsageError
from laser_rdf.check import check
from laser_rdf.values import DEFAULT_FUNCTIONS, IRI, XSD_INTEGER, BlankNode, Literal

WINDOW = "#external p/1 . q(X) :- p(X) in [2]."
NOW = "#external p/1 . q(X) :- p(X)."


def engine(text: str, **options: object) -> Engine:
    return Engine(Program.parse(text), **options)  # type: ignore[arg-type]


def sorted_facts(facts: list[tuple[object, tuple[object, ...]]]) -> list[str]:
    return sorted(map(repr, facts))


# --- time ------------------------------------------------------------------------------------------------


def test_answers_tell_what_changed() -> None:
    e = engine(WINDOW)
    first = e.step(1, [("p", ("a",)), ("p", ("b",))])
    assert (first.time, sorted(first.added), first.removed) == (1, [("q", ("a",)), ("q", ("b",))], [])
    second = e.step(3, [("p", ("a",))])
    assert (second.added, second.removed) == ([], [])
    third = e.step(4)
    assert (third.added, third.removed) == ([], [("q", ("b",))])
    assert third.holds() == [("q", ("a",))]
    assert third.timeline() == [(4, "q", ("a",))]


def test_an_answer_prints_itself() -> None:
    answer = engine(WINDOW).step(1, [("p", ("a",))])
    assert repr(answer) == "Answer(time=1, added=[('q', ('a',))], removed=[])"
    assert isinstance(answer, Answer)


def test_time_does_not_go_backwards() -> None:
    e = engine(WINDOW)
    e.step(5)
    with pytest.raises(UsageError, match="time goes backwards: 4 after 5"):
        e.step(4)
    with pytest.raises(LaserError):
        list(e.advance(3))
    assert e.step(5, [("p", ("a",))]).added == [("q", ("a",))]


@pytest.mark.parametrize("time", [-1, 1.0, True, "1", None])
def test_what_is_no_time_point(time: object) -> None:
    with pytest.raises(UsageError, match="no time point"):
        engine(WINDOW).step(time)  # type: ignore[arg-type]


def test_the_same_time_point_again_adds_to_it() -> None:
    e = engine("#external p/1, r/1 . q(X) :- p(X), r(X), not s(X). #external s/1 .")
    assert e.step(1, [("p", ("a",))]).added == []
    assert e.step(1, [("r", ("a",))]).added == [("q", ("a",))]
    again = e.step(1, [("r", ("a",))])
    assert (again.added, again.removed) == ([], [])
    assert e.step(1, [("s", ("a",))]).removed == [("q", ("a",))]


def test_an_answer_is_asked_before_the_next_step() -> None:
    e = engine(WINDOW)
    answer = e.step(1, [("p", ("a",))])
    e.step(2)
    for ask in (answer.holds, answer.timeline):
        with pytest.raises(UsageError, match="has moved on from 1 to 2"):
            ask()
    assert answer.added == [("q", ("a",))]


def test_the_start_is_the_first_step_or_given() -> None:
    text = "#external p/1 . q(X) :- p(X) always in [3]."
    assert engine(text).step(5, [("p", ("a",))]).added == [("q", ("a",))]
    assert engine(text, start=4).step(5, [("p", ("a",))]).added == []
    with pytest.raises(UsageError, match="before the start of the timeline, 4"):
        engine(text, start=4).step(3)


# --- advance ---------------------------------------------------------------------------------------------


def test_advance_yields_changes_only() -> None:
    e = engine("#external p/1 . q(X) :- p(X) in [2]. r(X) at V :- p(X) at T in [9], V := T + 5.")
    e.step(1, [("p", ("a",))])
    changes = [(a.time, a.added, a.removed) for a in e.advance(1_000_000_000)]
    assert changes == [
        (4, [], [("q", ("a",))]),
        (6, [("r", ("a",))], []),
        (7, [], [("r", ("a",))]),
    ]
    assert e.step(1_000_000_000).holds() == []


def test_advance_needs_a_place_to_start() -> None:
    with pytest.raises(UsageError, match="nothing to advance from"):
        list(engine(WINDOW).advance(3))


def test_advance_from_the_start() -> None:
    e = engine("#external p/1 . q(X) :- p(X) in [2]. r(X) at 7 :- p(X).", background=[("p", ("a",))], start=3)
    assert [(a.time, a.added) for a in e.advance(9)] == [
        (3, [("q", ("a",))]),
        (7, [("r", ("a",))]),
        (8, []),
    ]


def test_advance_to_where_the_engine_is() -> None:
    e = engine(WINDOW)
    e.step(4, [("p", ("a",))])
    assert list(e.advance(4)) == []
    assert e.step(4).holds() == [("q", ("a",))]


def test_answers_of_advance_can_be_asked() -> None:
    e = engine("#external p/1 . q(X) :- p(X) in [2], not r(X). r(X) :- p(X) in [1].")
    e.step(1, [("p", ("a",))])
    assert [(a.time, a.holds()) for a in e.advance(9)] == [(3, [("q", ("a",))]), (4, [])]


# --- values ----------------------------------------------------------------------------------------------

VALUES = [
    "name",
    "na-me",
    1,
    True,
    1.0,
    0.5,
    False,
    0,
    -7,
    10**17,
    10**18,
    10**40,
    Literal("01", XSD_INTEGER),
    Literal("1"),
    Literal("chat", "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString", "fr"),
    Literal("a b\n'\"\\"),
    IRI("http://example.org/a"),
    IRI("urn:laser:local:"),
    BlankNode("x"),
]


def exactly(facts: list[tuple[object, tuple[object, ...]]]) -> list[tuple[object, ...]]:
    """Facts so that 1, True and 1.0 differ."""
    return sorted((repr(name), *((type(a).__name__, repr(a)) for a in args)) for name, args in facts)


@pytest.mark.parametrize("window", ["", " in [2]", " in [#99]", " always in [1]", " at T in [1]"])
def test_values_come_back_as_they_went_in(window: str) -> None:
    e = engine(f"#external p/1 . q(X) :- p(X){window}.")
    answer = e.step(1, [("p", (value,)) for value in VALUES])
    wanted = exactly([("q", (value,)) for value in VALUES])
    assert exactly(answer.added) == wanted
    assert exactly(answer.holds()) == wanted
    assert exactly([(name, args) for _, name, args in answer.timeline()]) == wanted


def test_terms_are_joined_by_term_and_compared_by_value() -> None:
    e = engine("#external p/1, r/1 . same(X) :- p(X), r(X). equal(X, Y) :- p(X), r(Y), X = Y.")
    answer = e.step(1, [("p", (1,)), ("r", (1.0,)), ("r", (True,)), ("r", (Literal("01", XSD_INTEGER),))])
    assert exactly(answer.added) == exactly([("equal", (1, 1.0)), ("equal", (1, Literal("01", XSD_INTEGER)))])


def test_equal_python_values_stay_apart_in_the_timeline() -> None:
    e = engine("#external p/1 . q(X) at T :- p(X) at T in [0].")
    answer = e.step(0, [("p", (1,)), ("p", (True,)), ("p", (1.0,))])
    assert len(answer.timeline()) == len(answer.holds()) == 3


def test_a_term_that_has_a_python_value_is_that_value() -> None:
    e = engine(NOW)
    assert e.step(1, [("p", (Literal("5", XSD_INTEGER),))]).added == [("q", (5,))]
    assert e.step(2, [("p", (IRI("urn:laser:local:a"),))]).added == [("q", ("a",))]


NO_VALUES = [None, [1], ("a",), "a b", "", "-a", "a\n", b"a", 1j, 10**5000, {"a"}, "http://example.org/a"]


@pytest.mark.parametrize("value", NO_VALUES, ids=range(len(NO_VALUES)))
@pytest.mark.parametrize("window", ["", " in [#2]"])
def test_what_is_no_value(value: object, window: str) -> None:
    with pytest.raises(UsageError):
        engine(f"#external p/1 . q(X) :- p(X){window}.").step(1, [("p", (value,))])


@pytest.mark.parametrize("name", [None, 5, "a b", Literal("p"), 1.5])
def test_what_is_no_predicate(name: object) -> None:
    with pytest.raises(UsageError):
        engine(NOW).step(1, [(name, ("a",))])


def test_bad_input_does_not_mix_with_good_names() -> None:
    """Names are recognised many at a time: one that is none must not hide among the others."""
    with pytest.raises(UsageError):
        engine(NOW).step(1, [("p", ("a",)), ("p", ("",)), ("p", ("b",))])
    with pytest.raises(UsageError):
        engine(NOW).step(1, [("p", ("a",)), ("p", ("b c",)), ("p", (3,))])


def test_digits_are_a_name_and_no_number() -> None:
    answer = engine(NOW).step(1, [("p", ("1",)), ("p", (1,))])
    assert exactly(answer.added) == exactly([("q", ("1",)), ("q", (1,))])


# --- facts -----------------------------------------------------------------------------------------------


def test_unknown_predicates_are_passed_over() -> None:
    e = engine(NOW)
    facts = [("other", ("a",)), ("p", ("a", "b")), ("p", ()), ("p", ("a",)), (IRI("http://e.org/p"), ("z",))]
    assert e.step(1, facts).added == [("q", ("a",))]
    assert sum(e.stats().stored.values()) <= 2


@pytest.mark.parametrize("window", ["", " in [#3]", " always in [0]"])
def test_facts_from_a_generator(window: str) -> None:
    def facts() -> Iterator[tuple[str, tuple[str]]]:
        yield from (("p", (x,)) for x in "abc")

    e = engine(f"#external p/1 . q(X) :- p(X){window}.", background=(f for f in [("p", ("z",))]))
    assert len(e.step(1, facts()).added) == 4


def test_background_holds_from_the_first_time_point_on() -> None:
    e = engine("#external p/1 . q(X) :- p(X). r(X) :- p(X) always in [all].", background=[("p", ("a",))])
    assert sorted(e.step(3).added) == [("q", ("a",)), ("r", ("a",))]
    assert list(e.advance(10**9)) == []
    assert len(e.step(10**9 + 1).holds()) == 2


def test_predicates_may_be_iris() -> None:
    text = "PREFIX ex: <http://example.org/> #external ex:p/1 . ex:q(X) :- ex:p(X)."
    e = engine(text)
    assert e.step(1, [(IRI("http://example.org/p"), ("a",))]).added == [(IRI("http://example.org/q"), ("a",))]
    assert e.step(2, [("p", ("a",))]).added == []
    assert e.step(3, [(IRI("http://example.org/p"), ("a",))]).holds() == [
        (IRI("http://example.org/q"), ("a",))
    ]


def test_names_are_under_the_base() -> None:
    e = engine("BASE <http://example.org/> #external p/1 . q(X) :- p(X). r(k) :- p(k).")
    answer = e.step(1, [("p", ("a",)), (IRI("http://example.org/p"), (IRI("http://example.org/k"),))])
    assert sorted(answer.added) == [("q", ("a",)), ("q", ("k",)), ("r", ("k",))]
    assert e.atom(("p", ("a",))).args == (IRI("http://example.org/a"),)
    local = e.step(2, [("p", (IRI("urn:laser:local:a"),))])
    assert local.added == [("q", (IRI("urn:laser:local:a"),))]


def test_triples_and_types_are_what_they_stand_for() -> None:
    e = engine("#external p/1, s/2 . q(X) :- p(X). r(X, Y) :- s(X, Y).")
    rdf_type = IRI("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
    assert e.step(1, [("triple", ("a", "s", "b")), (rdf_type, ("a", "p"))]).added == [
        ("q", ("a",)),
        ("r", ("a", "b")),
    ]


def test_streams_by_name() -> None:
    e = engine("#external p/1 . q(X) :- p(X) in [3] on left. r(X) :- p(X) in [3].")
    assert sorted(e.step(1, [("p", ("a",))], "left").added) == [("q", ("a",)), ("r", ("a",))]
    assert e.step(1, [("p", ("b",))], "right").added == [("r", ("b",))]
    assert e.step(2, [("p", ("c",))]).added == [("r", ("c",))]


def test_only_what_is_shown_is_told() -> None:
    e = engine("#external p/1 . #show q . q(X) :- r(X). r(X) :- p(X) in [1].")
    answer = e.step(1, [("p", ("a",))])
    assert answer.added == answer.holds() == [("q", ("a",))]
    assert answer.timeline() == [(1, "q", ("a",))]
    assert [a.removed for a in e.advance(5)] == [[("q", ("a",))]]


# --- functions, limits, numbers --------------------------------------------------------------------------


def test_functions_of_the_caller() -> None:
    def twice(value: int) -> int:
        return 2 * value

    functions = DEFAULT_FUNCTIONS.with_function("twice", twice, 1)
    program = check(Program.parse("#external p/1 . q(Y) :- p(X), Y := twice(X)."), functions=functions)
    assert Engine(program).step(1, [("p", (4,))]).added == [("q", (8,))]


def test_recursion_through_arithmetic_ends_at_the_limit() -> None:
    text = "#external p/1 . n(X) :- p(X). n(Y) :- n(X), Y := X + 1."
    e = engine(text, max_derivations=50)
    with pytest.raises(EvaluationError, match="more than 50 derivations at time point 3"):
        e.step(3, [("p", (1,))])


def test_numbers_of_the_work() -> None:
    e = engine(WINDOW)
    e.step(1, [("p", ("a",)), ("p", ("b",))])
    list(e.advance(9))
    stats = e.stats()
    assert stats.steps >= 2
    assert stats.expiries >= 2
    assert stats.derivations >= 2
    assert stats.step_ns >= stats.longest_step_ns > 0
    assert set(stats.stored.values()) == {0}


def test_two_engines_of_one_program_know_nothing_of_each_other() -> None:
    program = check(Program.parse(WINDOW))
    one, other = Engine(program), Engine(program)
    one.step(1, [("p", ("a",))])
    assert other.step(1, [("p", ("b",))]).holds() == [("q", ("b",))]
    assert one.step(2).holds() == [("q", ("a",))]
