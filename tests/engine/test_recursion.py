"""Recursion over windows: closures, retraction by delete and rederive, mutual recursion, aggregates below."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laser_rdf import Engine, Program
from laser_rdf.check import Predicate, check
from laser_rdf.lang.parser import parse
from laser_rdf.plan.core import Floating
from laser_rdf.values import LOCAL_BASE
from tests.engine.comparing import Comparison
from tests.engine.programs import Fact

CLOSURE = "#external e/2 . path(X, Y) :- e(X, Y) in [{n}]. path(X, Z) :- path(X, Y), e(Y, Z) in [{n}]."
DOUBLING = "#external e/2 . path(X, Y) :- e(X, Y) in [{n}]. path(X, Z) :- path(X, Y), path(Y, Z)."

nodes = st.integers(0, 5)
graphs = st.lists(st.lists(st.tuples(nodes, nodes), max_size=5), min_size=1, max_size=9)


def closure(edges: dict[tuple[int, int], int]) -> dict[tuple[int, int], int]:
    """Every pair that is connected, with the horizon of the path that lasts longest."""
    best = dict(edges)
    for middle in range(6):
        for first in range(6):
            for last in range(6):
                through = min(best.get((first, middle), -1), best.get((middle, last), -1))
                if through > best.get((first, last), -1):
                    best[first, last] = through
    return best


@pytest.mark.parametrize("program", [CLOSURE, DOUBLING], ids=["linear", "doubling"])
@given(graphs=graphs, length=st.integers(0, 4))
def test_closure_with_the_latest_horizon(
    program: str, graphs: list[list[tuple[int, int]]], length: int
) -> None:
    """One row per connected pair; its horizon is the best over all paths."""
    engine = Engine(Program.parse(program.format(n=length)))
    table = engine._work.built.tables[Floating(Predicate(LOCAL_BASE + "path", 2))]  # type: ignore[union-attr]
    alive: dict[tuple[int, int], int] = {}
    for time, edges in enumerate(graphs):
        alive.update(dict.fromkeys(edges, time + length))
        alive = {edge: horizon for edge, horizon in alive.items() if horizon >= time}
        answer = engine.step(time, [("e", edge) for edge in edges])
        expected = closure(alive)
        assert table.rows == expected
        assert len(answer.holds()) == len(expected)


def test_a_longer_lasting_path_extends_what_it_reaches() -> None:
    engine = Engine(Program.parse(CLOSURE.format(n=3)))
    engine.step(0, [("e", (1, 2)), ("e", (2, 3))])
    engine.step(2, [("e", (1, 4)), ("e", (4, 3))])
    changes = [(a.time, sorted(args for _, args in a.removed)) for a in engine.advance(20)]
    assert changes == [(4, [(1, 2), (2, 3)]), (6, [(1, 3), (1, 4), (4, 3)])]


VETOED = [
    # negation below the recursion
    """#external e/2, veto/2 .
    edge(X, Y) :- e(X, Y) in [3], not veto(X, Y) in [1].
    path(X, Y) :- edge(X, Y). path(X, Z) :- path(X, Y), edge(Y, Z).""",
    # negation inside the recursive rules
    """#external e/2, veto/2 .
    path(X, Y) :- e(X, Y) in [4], not veto(X, Y).
    path(X, Z) :- path(X, Y), path(Y, Z), not veto(X, Z) in [1].""",
    # the closure pinned to time points
    """#external e/2, veto/2 .
    path(X, Y) at T :- e(X, Y) at T in [3], not veto(X, Y) in [1].
    path(X, Z) at T :- path(X, Y) at T, path(Y, Z) at T.
    seen(X, Y) :- path(X, Y) in [2].""",
    # tuple windows take edges away by what arrives
    """#external e/2, veto/2 .
    path(X, Y) :- e(X, Y) in [#6], not veto(X, X).
    path(X, Z) :- path(X, Y), e(Y, Z) in [#9].""",
    # a negation above reads the closure, and a closure above reads that
    """#external e/2, veto/2 .
    path(X, Y) :- e(X, Y) in [2], not veto(X, Y). path(X, Z) :- path(X, Y), path(Y, Z).
    one_way(X, Y) :- path(X, Y), not path(Y, X).
    far(X, Y) :- one_way(X, Y). far(X, Z) :- far(X, Y), one_way(Y, Z).""",
    # mutual recursion
    """#external e/2, veto/2 .
    odd(X, Y) :- e(X, Y) in [3], not veto(X, Y) in [2]. odd(X, Z) :- even(X, Y), e(Y, Z) in [3].
    even(X, Z) :- odd(X, Y), e(Y, Z) in [3], not veto(Y, Z).""",
    # recursion above aggregates
    """#external e/2, veto/2 .
    busy(X) :- e(X, _) in [2], N := count { Y : e(X, Y) in [2] }, N > 1.
    near(X, Y) :- e(X, Y) in [3], busy(X). near(X, Z) :- near(X, Y), e(Y, Z) in [3], not busy(Z).""",
    # an aggregate inside a recursive rule, over a lower stratum
    """#external e/2, veto/2 .
    path(X, Y) :- e(X, Y) in [3].
    path(X, Z) :- path(X, Y), e(Y, Z) in [3], N := count { V : veto(Y, V) in [2] }, N < 1.""",
]


@pytest.mark.fuzz
@pytest.mark.parametrize("program", VETOED, ids=lambda text: text.split("\n")[1].strip()[:30])
@given(
    steps=st.lists(
        st.tuples(
            st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=4),
            st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=2),
            st.sampled_from([1, 1, 2, 0]),
        ),
        min_size=2,
        max_size=7,
    )
)
def test_edges_that_come_go_and_are_vetoed(
    program: str, steps: list[tuple[list[tuple[int, int]], list[tuple[int, int]], int]]
) -> None:
    both = Comparison(check(parse(program)), [])
    assert both.engine.recomputes is None
    time = 0
    for edges, vetoes, later in steps:
        facts: list[Fact] = [*(("e", edge) for edge in edges), *(("veto", veto) for veto in vetoes)]
        both.step(time, facts)
        time += later
    both.advance(time - steps[-1][2], time + 6)


def test_support_on_a_cycle_is_no_support() -> None:
    """a and b support each other; when what started them goes, both go."""
    engine = Engine(
        Program.parse("#external p/1, off/1 . a(X) :- p(X) in [9], not off(X). a(X) :- b(X). b(X) :- a(X).")
    )
    assert len(engine.step(1, [("p", ("x",))]).added) == 2
    assert len(engine.step(2, [("off", ("x",))]).removed) == 2
    assert len(engine.step(3).added) == 2
