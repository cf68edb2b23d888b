"""Explanations as people read them, in golden files; asking for one changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from laser_rdf import Engine, Program, UsageError
from laser_rdf.cli import main
from tests.engine.programs import Fact

GOLDEN = Path(__file__).parent / "explanations"
Golden = Callable[[Path, str], None]


@dataclass(frozen=True)
class Told:
    """A program, a stream, and the atoms to explain after it."""

    program: str
    elements: list[tuple[int, list[Fact]]]
    asked: list[Fact]
    background: list[Fact] = field(default_factory=list)


STORIES = {
    "positive": Told(
        "#external temp/2, room/1 .\nhot(R) :- temp(R, V) in [5], room(R), V > 60.",
        [
            (3, [("temp", ("hall", 65)), ("room", ("hall",))]),
            (4, [("room", ("hall",)), ("room", ("attic",))]),
        ],
        [("hot", ("hall",)), ("hot", ("attic",)), ("hot", ("cellar",))],
    ),
    "join": Told(
        "#external p/2 .\nq(X, Z) :- p(X, Y) in [5], p(Y, Z) at T in [3].\nr(X) :- q(X, _) in [2].",
        [(1, [("p", ("a", "b"))]), (2, [("p", ("b", "c"))])],
        [("q", ("a", "c")), ("r", ("a",)), ("q", ("c", "a"))],
    ),
    "recursive": Told(
        "#external e/2 .\npath(X, Y) :- e(X, Y) in [4].\npath(X, Z) :- path(X, Y), e(Y, Z) in [3].",
        [(1, [("e", (1, 2)), ("e", (2, 3))]), (2, [("e", (3, 1))])],
        [("path", (1, 1)), ("path", (1, 4))],
    ),
    "negated": Told(
        "#external p/1, r/1, s/2 .\nok(X) :- p(X) in [5], not r(X) in [2], not s(X, _).\n"
        "bad(X) :- p(X) in [5], not ok(X).",
        [(1, [("p", ("a",)), ("p", ("b",)), ("p", ("c",))]), (2, [("r", ("b",)), ("s", ("c", 1))])],
        [("ok", ("a",)), ("ok", ("b",)), ("ok", ("c",)), ("bad", ("b",)), ("bad", ("a",))],
    ),
    "aggregated": Told(
        "#external temp/2 .\nbusy(R, N) :- temp(R, _) in [5], N := count { V : temp(R, V) in [5] }, N > 1.\n"
        "mean(R, M) :- temp(R, _), M := avg { V : temp(R, V) in [3] }.",
        [(1, [("temp", ("hall", 1)), ("temp", ("attic", 4))]), (2, [("temp", ("hall", 2))])],
        [("busy", ("hall", 2)), ("busy", ("hall", 3)), ("busy", ("attic", 1)), ("mean", ("hall", 1))],
    ),
    "block": Told(
        "#external type/1, near/2 .\n{ ?X sees [ what ?Y ] } :- { ?X near ?Y . ?X a type } in [2].\n"
        "near2(X) :- { ?X near [] } in [3].",
        [(1, [("near", ("a", "b")), ("type", ("a",))])],
        [("near2", ("a",)), ("near2", ("b",))],
    ),
    "at": Told(
        "#external p/1 .\nq(X) at T :- p(X) at T in [4].\nsoon(X) at V :- q(X) at T in [9], V := T + 3.\n"
        "r(X) :- q(X) in [2].\nnext(X) :- soon(X) in [0, +3].",
        [(1, [("p", ("a",))]), (2, [])],
        [("r", ("a",)), ("q", ("a",)), ("next", ("a",)), ("soon", ("a",))],
    ),
    "background": Told(
        "#external room/1, p/1 .\nroom(hall).\nq(X) :- room(X), not p(X).\nr(X) :- room(X) always in [2].",
        [(1, [("p", ("attic",))])],
        [("q", ("hall",)), ("q", ("attic",)), ("q", ("cellar",)), ("r", ("attic",))],
        [("room", ("attic",))],
    ),
    "counted": Told(
        "#external p/2 .\nlast(X, Y) :- p(X, Y) in [#2].\neach(X, Y) :- p(X, Y) in [#1 per X].\n"
        "always_(X) :- p(X, _) in [5], p(X, 1) always in [1].",
        [(1, [("p", ("a", 1)), ("p", ("b", 1))]), (2, [("p", ("a", 2)), ("p", ("b", 1))])],
        [
            ("last", ("a", 2)),
            ("last", ("a", 1)),
            ("each", ("b", 1)),
            ("always_", ("b",)),
            ("always_", ("a",)),
        ],
    ),
    "input": Told(
        "#external p/1 .\nq(X) :- p(X) in [2].",
        [(1, [("p", ("a",))])],
        [("p", ("a",)), ("nothing", ("a", "b"))],
    ),
}


def run(told: Told) -> Engine:
    engine = Engine(Program.parse(told.program), told.background)
    for time, facts in told.elements:
        engine.step(time, facts)
    return engine


@pytest.mark.parametrize("name", STORIES)
def test_explanation(name: str, golden: Golden) -> None:
    told = STORIES[name]
    engine = run(told)
    texts = [str(engine.explain(*fact)) for fact in told.asked]
    golden(GOLDEN / f"{name}.txt", f"{told.program}\n\n" + "\n\n".join(texts) + "\n")


@pytest.mark.parametrize("name", STORIES)
def test_it_holds_exactly_when_the_answer_says_so(name: str) -> None:
    told = STORIES[name]
    engine = run(told)
    holds = engine.step(told.elements[-1][0]).holds()
    for fact in [*told.asked, *holds]:
        assert engine.explain(*fact).holds == (fact in holds)


@pytest.mark.parametrize("name", STORIES)
def test_explaining_changes_nothing(name: str) -> None:
    told = STORIES[name]
    asked, plain = Engine(Program.parse(told.program), told.background), run(told)
    for time, facts in told.elements:
        asked.step(time, facts)
        for fact in told.asked:
            asked.explain(*fact)
    last = told.elements[-1][0]
    assert sorted(map(repr, asked.step(last).holds())) == sorted(map(repr, plain.step(last).holds()))
    assert asked.stats().stored == plain.stats().stored
    both = [[(a.time, sorted(map(repr, a.added + a.removed))) for a in e.advance(30)] for e in (asked, plain)]
    assert both[0] == both[1]


def test_as_json_is_the_same_tree() -> None:
    explanation = run(STORIES["recursive"]).explain("path", (1, 1))
    tree = explanation.as_json()
    assert tree["fact"] == explanation.fact
    assert tree["holds"] is True
    assert tree["bindings"] == explanation.bindings
    assert len(tree["reasons"]) == len(explanation.reasons)  # type: ignore[arg-type]


def test_a_long_chain_ends() -> None:
    engine = Engine(Program.parse(STORIES["recursive"].program))
    engine.step(1, [("e", (i, i + 1)) for i in range(200)])
    text = str(engine.explain("path", (0, 200)))
    assert len(text.splitlines()) < 500


def test_nothing_to_explain_yet() -> None:
    with pytest.raises(UsageError, match="step first"):
        Engine(Program.parse("#external p/1 . q(X) :- p(X).")).explain("q", ("a",))


def test_what_is_recomputed_is_not_explained() -> None:
    engine = Engine(Program.parse("#external p/1 . q(X) :- p(X) always in [3 step 2]."))
    engine.step(1)
    assert engine.recomputes is not None
    with pytest.raises(UsageError, match="no explanation"):
        engine.explain("q", ("a",))


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, stream = tmp_path / "r.lars", tmp_path / "s.atoms"
    program.write_text("#external p/1 .\nq(X) :- p(X) in [2].\n")
    stream.write_text("1: p(a)\n3:\n")
    assert main(["explain", str(program), "--stream", str(stream), "--at", "3", "q(a)"]) == 0
    assert capsys.readouterr().out.startswith("q(a)  now, counts to 3\n")
    assert main(["explain", str(program), "--stream", str(stream), "--at", "3", "q(b)"]) == 0
    assert "does not hold at 3" in capsys.readouterr().out
