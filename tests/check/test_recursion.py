"""Which recursions end: time that moves, values that grow, fresh resources."""

from __future__ import annotations

import pytest

from laser_rdf.check import check, diagnose
from laser_rdf.lang.parser import parse

RECURSION = {"E110", "E111", "E112", "E113", "W205"}


def codes(text: str) -> list[str]:
    program = parse("PREFIX ex: <http://example.org/>\n" + text)
    return [d.code for d in diagnose(program) if d.code in RECURSION]


@pytest.mark.parametrize(
    "text",
    [
        "k at V :- k at T, V := T + 1.",
        "k at T + 1 :- k at T.",
        "k at V :- k at T, V = T + 1.",
        "k at V :- k at T, U := T + 1, V := U.",
        "k at V :- k at T, d(X), V := T + X.",
        "k at V :- k at T, V := T * 2.",
        "k at V :- k at T, V := T - X, d(X).",
        "k at V :- k at T, V := T - (-1).",
        "k at V :- k at T, V := abs(T).",
        "k at V :- k at T in [5] from R, r(R), V := T + 1.",
        # the upper bound must not grow itself, and must be an upper one
        "k at V :- k at T, V := T + 1, T > 100.",
        "k at V :- k at T, V := T + 1, k at U, T < U.",
        "k at V :- k at T, V := T + 1, T != 100.",
        # through several rules: one of them moves
        "a at T :- b at T. b at T + 1 :- a at T.",
        "a at T - 5 :- b at T. b at T + 1 :- a at T.",
        # through an argument
        "a at V :- b(T), V := T + 1. b(T) :- a at T.",
        "a at V :- b(V). b(V) :- a at T, V := T + 1.",
        "b(V) :- b(T), V := T + 1. a at V :- b(V). b(V) :- a at V.",
        # through generic triples
        "triple(S, P, O) at V :- ex:p(S, O) at T, r(P), V := T + 1.",
        "ex:p(S, O) at V :- triple(S, P, O) at T, r(P), V := T + 1.",
        # a fact may hold at every T, so an extra `at T` does not bound it
        "k at V :- k at T, p at T, V := T + 1.",
    ],
)
def test_time_without_bound(text: str) -> None:
    assert codes(text) == ["E113"]


@pytest.mark.parametrize(
    "text",
    [
        "k at T :- k at T.",
        "k at V :- p at T, V := T + 1.",
        "k at V :- k at T in [5], V := T + 1.",
        "k at V :- k at T in [5, +5], V := T + 1.",
        "k at V :- k at T in [all], V := T + 1.",
        "k at V :- k at T, V := T - 1.",
        "k at T - 1 + -2 :- k at T.",
        "k at V :- k at T, V := T + 1, T < 100.",
        "k at V :- k at T, V := T + 1, 100 >= V.",
        "k at V :- k at T, V := T + 1, V + 3 <= 100.",
        "k at V :- k at T, V := T + 1, m(M), V <= M.",
        "k at V :- k at T, V := T + 1, p at V in [5].",
        "k at V :- k at T, c(V), U := T + 1, U < V.",
        # one literal of the cycle has a window, so nothing later than now comes back
        "a at T :- b at T in [5]. b at T + 1 :- a at T.",
        # the time stays behind: the head holds now
        "a :- b at T, T > 3. b at T + 1 :- c at T, a.",
        # a block reads input, which no rule moves
        "{ ex:a ex:p ex:b } at V :- { ex:a ex:q ex:b } at T, V := T + 1.",
    ],
)
def test_time_with_a_bound(text: str) -> None:
    assert codes(text) == []


@pytest.mark.parametrize(
    ("text", "limited"),
    [
        ("n(M) :- n(N), M := N + 1.", [True]),
        ("n(M) :- n(N), M := N - 1.", [True]),
        ("n(M) :- n(N), M := str(N).", [True]),
        ("n(M) :- n(N), M = N + 1, N < 10.", [True]),
        ("a(M) :- b(N), M := N * 2. b(N) :- a(N). c(N) :- a(N).", [True, True, False]),
        ("ex:p(S, O) :- triple(S, P, N), r(P), O := N + 1.", [True]),
        # an aggregate over lower predicates that takes in a value of the recursion
        ("n(N) :- n(G), N := sum { V : one(X), V := X + G }.", [True]),
        ("n(M) :- n(G), N := max { G, X : one(X) }, M := N + 1.", [True]),
    ],
)
def test_growing_values(text: str, limited: list[bool]) -> None:
    program = parse("PREFIX ex: <http://example.org/>\n" + text)
    result = check(program)
    assert [w.code for w in result.warnings if w.code in RECURSION] == ["W205"]
    assert [r.limited for r in sorted(result.rules, key=lambda r: r.index)] == limited


@pytest.mark.parametrize(
    "text",
    [
        "n(N) :- n(N).",
        "t(X, Z) :- t(X, Y), e(Y, Z).",
        "n(M) :- m(N), M := N + 1.",
        "n(M) :- n(N), num(M), M = N + 1.",
        "n(N) :- n(N), M := N + 1, M < 10.",
        "n(C) :- n(X), C := count { Y : e(X, Y) }.",
        "n(C) :- n(X), C := sum { Y : e(X, Y) }.",
        "n(X, N) :- n(X, _), v(X, M), N := M + 1.",
        "n(M) :- n(X), { ?X ex:v ?N }, M := ?N + 1.",
        "ex:p(S, O) :- triple(S, P, N), r(P), num(O), O = N + 1.",
    ],
)
def test_finite_values(text: str) -> None:
    assert codes(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{ ?x ex:child [] } :- ex:child(_, ?x).", ["E112"]),
        ("{ ?x ex:child [] } :- ex:parent(?x, _). ex:parent(?y, ?x) :- ex:child(?x, ?y).", ["E112"]),
        ("{ ?x ex:child [] } :- triple(?x, _, _).", ["E112"]),
        ("{ ?x a [] } :- ex:c(?x).", ["E112"]),
        ("{ ?x ex:child [] } :- { [] ex:child ?x }.", ["E131"]),
        ("{ ?x ex:child [] } :- ex:person(?x).", []),
        # the fresh resource itself never comes back
        ("{ [] ex:about ?x . ?x ex:seen true } :- ex:seen(?x, _).", []),
    ],
)
def test_fresh_resources(text: str, expected: list[str]) -> None:
    program = parse("PREFIX ex: <http://example.org/>\n" + text)
    assert [d.code for d in diagnose(program) if d.code.startswith("E")] == expected
