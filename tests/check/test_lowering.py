"""What the evaluators read: canonical atoms, windows in time points, body orders, strata."""

from __future__ import annotations

import pytest

from laser_rdf.check import (
    TRIPLE,
    CheckedAggregate,
    CheckedLiteral,
    CheckedProgram,
    CheckedRule,
    Everything,
    LastAtoms,
    LastPer,
    Predicate,
    TimeSpan,
    canonical_ground,
    check,
)
from laser_rdf.lang.ast import Assignment, Blank, Comparison
from laser_rdf.lang.parser import parse
from laser_rdf.lang.printer import show_rule
from laser_rdf.values import FRESH_BASE, IRI, LOCAL_BASE, RDF_TYPE, Clock, Literal

PREFIX = "PREFIX ex: <http://example.org/>\n"


def checked(text: str, clock: Clock | None = None) -> CheckedProgram:
    return check(parse(PREFIX + text), clock=clock or Clock())


def rule(text: str, clock: Clock | None = None) -> CheckedRule:
    (only,) = checked(text, clock).rules
    return only


def order(text: str) -> list[str]:
    """The body of a rule, in short: predicates, `not`, `:=` and `=` with the variable, aggregates."""
    return [shown(step) for step in rule(text).body]


def shown(step: object) -> str:
    match step:
        case CheckedLiteral():
            name = step.atoms[0].predicate.name.removeprefix(LOCAL_BASE)
            return f"not {name}" if step.negated else name
        case Assignment():
            return f"{step.target.name} :="
        case CheckedAggregate():
            return f"{step.target.name} := {step.function}"
        case Comparison():
            return f"{getattr(step.left, 'name', '…')} {step.op}"
    raise AssertionError(step)


def local(name: str, arity: int) -> Predicate:
    return Predicate(LOCAL_BASE + name, arity)


def ex(name: str) -> str:
    return "http://example.org/" + name


# --- canonical atoms ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("atom", "predicate"),
    [
        ("triple(X, ex:p, Y)", Predicate(ex("p"), 2)),
        ("triple(X, rdf:type, ex:C)", Predicate(ex("C"), 1)),
        ("rdf:type(X, ex:C)", Predicate(ex("C"), 1)),
        ("ex:C(X)", Predicate(ex("C"), 1)),
        ("rdf:type(X, Y)", TRIPLE),
        ("rdf:type(X, _)", TRIPLE),
        ('rdf:type(X, "c")', Predicate(RDF_TYPE, 2)),
        ("triple(X, Y, ex:a)", TRIPLE),
        ("triple(X, _, ex:a)", TRIPLE),
        ("{ ?X a ex:C }", Predicate(ex("C"), 1)),
        ("{ ?X a ?Y }", TRIPLE),
        ("{ ?X ex:p [] }", Predicate(ex("p"), 2)),
    ],
)
def test_canonical_pattern(atom: str, predicate: Predicate) -> None:
    (literal,) = rule(f"q(X) :- {atom}.").body
    assert isinstance(literal, CheckedLiteral)
    (pattern,) = literal.atoms
    assert pattern.predicate == predicate
    assert len(pattern.args) == predicate.arity
    assert literal.input_only == atom.startswith("{")


def test_canonical_ground() -> None:
    a, b, cls = IRI("ex:a"), IRI("ex:b"), IRI("ex:C")
    assert canonical_ground(TRIPLE.name, (a, b, cls)).predicate == Predicate("ex:b", 2)
    assert canonical_ground(TRIPLE.name, (a, IRI(RDF_TYPE), cls)) == canonical_ground("ex:C", (a,))
    assert canonical_ground(RDF_TYPE, (a, cls)) == canonical_ground("ex:C", (a,))
    assert canonical_ground(RDF_TYPE, (a, Literal("x"))).predicate == Predicate(RDF_TYPE, 2)
    assert canonical_ground(TRIPLE.name, (a, Literal("x"), b)).predicate == TRIPLE
    assert canonical_ground("ex:n", (a, b, cls)).args == (a, b, cls)


def test_blank_nodes_of_two_blocks_are_apart() -> None:
    one, two = rule("q :- { _:x ex:p _:x ; ex:q [] }, { _:x ex:p ex:a }.").body
    assert isinstance(one, CheckedLiteral)
    assert isinstance(two, CheckedLiteral)
    names = [[getattr(arg, "name", None) for atom in step.atoms for arg in atom.args] for step in (one, two)]
    assert names == [["_:b1", "_:b1", "_:b1", "_:b2"], ["_:b3", None]]


def test_facts() -> None:
    program = checked("likes(anna, 3). { ex:a a ex:C ; ex:p [] }. likes(anna, 3). p(1) at 5.")
    likes, cls, fresh = program.facts
    assert likes.predicate == local("likes", 2)
    assert cls == canonical_ground(ex("C"), (IRI(ex("a")),))
    assert str(fresh.args[1]).startswith("<" + FRESH_BASE)
    assert program.derived == {local("p", 1)}, "a fact with `at` is a rule"
    assert program.rules[0].index == 3
    assert program.rules[0].body == ()


def test_head_block() -> None:
    only = rule("{ [] a ex:Fire ; ex:room ?r ; ex:time ?t } at ?t :- ex:smoke(_, ?r) at ?t in [5].")
    assert [atom.predicate for atom in only.head] == [
        Predicate(ex("Fire"), 1),
        Predicate(ex("room"), 2),
        Predicate(ex("time"), 2),
    ]
    assert isinstance(only.head[0].args[0], Blank)
    assert only.head_variables == ("r", "t")
    assert only.text == show_rule(parse(PREFIX + only.text).rules[0])


# --- windows -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("window", "resolved"),
    [
        ("[5]", TimeSpan(5)),
        ("[5 s]", TimeSpan(10)),
        ("[1 min, +1 s step 5 s]", TimeSpan(120, 2, 10)),
        ("[500 ms]", TimeSpan(1)),
        ("[all]", Everything()),
        ("[#3]", LastAtoms(3)),
        ("[#3 of ex:t/2]", LastAtoms(3, ex("t"), 2)),
        ("[#1 per Y]", LastPer(1, (1,))),
        ("[#1 per Y, X]", LastPer(1, (0, 1))),
    ],
)
def test_windows(window: str, resolved: object) -> None:
    (literal,) = rule(f"q(X, Y) :- ex:p(X, Y) in {window}.", Clock(unit_ms=500)).body
    assert isinstance(literal, CheckedLiteral)
    assert literal.window == resolved


# --- binding and order -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("h(X) :- Y = X + 1, p(X), not r(Y).", ["p", "Y :=", "not r"]),
        ("h(X) :- p(X), Y = X, Y = 3.", ["Y :=", "p", "Y ="]),
        ("h(X) :- X = 5, p(X).", ["p", "X ="]),
        ("h(X) :- X = 5, Y = X.", ["X :=", "Y :="]),
        ("h(X) :- Y = X, X = 5.", ["X :=", "Y :="]),
        ("h(T) :- p(X) at T in [5], T = X.", ["p", "T ="]),
        ("h(X) :- p(X) at T in [5], q(T).", ["q", "p"]),
        ("h(X) :- p(X) at T in [5], q(X) at T in [5].", ["p", "q"]),
        ("h(X) :- p(X) in [5] from R, q(R).", ["q", "p"]),
        ("h(X) :- p(X) in [5] from R, R = 7.", ["R :=", "p"]),
        ("h(X) :- p(X) at T + 1, q(T).", ["q", "p"]),
        ("h(X) :- not r(X), X > 2, p(X), q(X).", ["p", "not r", "X >", "q"]),
        ("h(X, N) :- N > 3, N := count { Y : p(X, Y) }, q(X), r(X).", ["q", "N := count", "N >", "r"]),
        ("h(X) :- { ?X ex:v ?v . ?v > ?limit }, limit(?limit).", ["limit", ex("v")]),
        ("h :- not p.", ["not p"]),
    ],
)
def test_order(text: str, expected: list[str]) -> None:
    assert order(text) == expected


@pytest.mark.parametrize(
    ("body", "binds"),
    [
        ("p(X) at T in [5]", True),
        ("p(X) at T in [5], q(X) at T in [9]", True),
        ("p(T) at T in [5]", False),
        ("p(X) at T in [5], q(T)", False),
        ("p(X) at T in [5], T := 7", False),
        ("p(X) at 7", False),
    ],
)
def test_binds_time(body: str, binds: bool) -> None:
    steps = rule(f"h :- {body}.").body
    literals = [step for step in steps if isinstance(step, CheckedLiteral) and step.at is not None]
    assert {step.binds_time for step in literals} == {binds}


def test_aggregate_groups_and_inner_order() -> None:
    text = "h(R, T, N) :- room(R), p at T in [5], N := count { O : V > 3, obs(R, O) at T in [3], v(O, V) }."
    aggregate = rule(text).body[-1]
    assert isinstance(aggregate, CheckedAggregate)
    assert aggregate.groups == ("R", "T")
    assert [shown(step) for step in aggregate.body] == ["obs", "v", "V >"]
    assert isinstance(aggregate.body[0], CheckedLiteral)
    assert not aggregate.body[0].binds_time


# --- strata ------------------------------------------------------------------------------------------


def strata(text: str) -> list[list[int]]:
    return [[r.index for r in stratum] for stratum in checked(text).strata]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("f(a).", []),
        ("a :- not input.", [[0]]),
        ("a :- not b. b :- c. c :- d.", [[1, 2], [0]]),
        ("a :- not b. b :- not c. c :- d. e :- a.", [[2], [1], [0, 3]]),
        ("n(N) :- N := count { X : p(X) }. p(X) :- q(X), p(X).", [[1], [0]]),
        ("t(X, Z) :- e(X, Y), t(Y, Z). t(X, Y) :- e(X, Y). u(X) :- n(X), not t(X, X).", [[0, 1], [2]]),
        # a generic pattern waits for everything of arity 1 and 2, a generic head feeds it
        ("q(N, N, N) :- N := count { X : triple(X, _, X) }. p(X, Y, Y) :- e(X, Y).", [[0, 1]]),
        ("q(A, B, C) :- r(A, B, C), not triple(A, B, C). ex:p(X, Y) :- e(X, Y).", [[1], [0]]),
        ("triple(S, P, O) :- r(S, P, O). q(X, X, X) :- r(X, _, _), not ex:p(X, X).", [[0], [1]]),
        # deriving anything is not reading everything
        ("triple(S, P, O) :- r(S, P, O). a(X) :- n(X), not b(X). b(X) :- m(X).", [[0, 2], [1]]),
        # a block reads the input only
        ("ex:q(?X) :- { ?X ex:p ?Y }, not ex:r(?X, ?Y). ex:r(?X, ?X) :- ex:q2(?X).", [[1], [0]]),
        ("triple(S, P, O) :- n(S, P, O), not { ?S ex:old ?O }.", [[0]]),
    ],
)
def test_strata(text: str, expected: list[list[int]]) -> None:
    assert strata(text) == expected


# --- inputs ------------------------------------------------------------------------------------------


def test_inputs_silence_the_warning_about_undefined_predicates() -> None:
    program = parse("q(X) :- p(X), r(X).")
    assert [w.code for w in check(program).warnings] == ["W201", "W201"]
    assert [w.code for w in check(program, inputs=[local("p", 1)]).warnings] == ["W201"]
    assert check(program, inputs={local("p", 1), local("r", 1)}).warnings == ()
