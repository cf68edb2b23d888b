"""Only what some window can still see is kept."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from laser_rdf import Engine, Program
from laser_rdf.engine.coverage import Coverage

COUNT = 5_000
RATE = 10


def stored(engine: Engine) -> int:
    return sum(len(table.rows) for table in engine._work.built.machine.tables)  # type: ignore[union-attr]


def by_name(engine: Engine, start: str) -> int:
    counts = [count for name, count in engine.stats().stored.items() if name.startswith(start)]
    return max(counts, default=0)


def nothing_is_left(engine: Engine) -> None:
    """No row, no entry of an index, no bucket, nothing planned, nothing pending."""
    machine = engine._work.built.machine  # type: ignore[union-attr]
    for table in machine.tables:
        assert not table.rows
        assert not table.buckets
        assert not table.pending
        assert not table.deltas
        assert not table.born
        assert not table.gone
        assert not table.dead
        assert all(not index for index in table.indexes.values())
    assert machine.agenda.next_time() is None
    kept = {name: value for name, value in vars(machine.agenda).items() if name.startswith("_")}
    assert not any(kept.values()), kept
    for unit in machine.units:
        for _, groups in unit.groups:
            assert not any(value for value in vars(groups).values() if isinstance(value, dict))


def drive(engine: Engine, check: Callable[[int], None] | None = None, predicate: str = "p") -> int:
    """Distinct atoms, ten at a time point; the last time point."""
    for time in range(COUNT // RATE):
        engine.step(time, [(predicate, (time * RATE + i, i)) for i in range(RATE)])
        if check is not None:
            check(time)
    return COUNT // RATE - 1


# (literal, how many time points of atoms the window sees at `t`)
WINDOWS: list[tuple[str, Callable[[int], int]]] = [
    ("p(X, Y)", lambda t: 1),
    ("p(X, Y) now in [3]", lambda t: 1),
    ("p(X, Y) in [0]", lambda t: 1),
    ("p(X, Y) in [7]", lambda t: min(t + 1, 8)),
    ("p(X, Y) in [7, +3]", lambda t: min(t + 1, 8)),
    ("p(X, Y) at T in [7]", lambda t: min(t + 1, 8)),
    ("p(X, Y) at T in [7, +2]", lambda t: min(t + 1, 8)),
    ("p(X, Y) always in [0]", lambda t: 1),
]


@pytest.mark.parametrize(("literal", "points"), WINDOWS, ids=[literal for literal, _ in WINDOWS])
def test_rows_are_those_the_window_sees(literal: str, points: Callable[[int], int]) -> None:
    """Joined with itself, so that the atoms must be kept."""
    other = literal.replace("p(X, Y)", "p(_, Y)").replace("at T", "at S")
    engine = Engine(Program.parse(f"#external p/2 . q(X, Y) :- {literal}, {other}, Y > 4."))

    def check(time: int) -> None:
        assert by_name(engine, "streamed p/2") in (0, RATE * points(time))
        assert by_name(engine, "q/2") == RATE // 2 * points(time)

    last = drive(engine, check)
    list(engine.advance(last + 20))
    nothing_is_left(engine)


@pytest.mark.parametrize(("back", "ahead", "step"), [(4, 0, 5), (6, 0, 3), (6, 1, 4), (5, 2, 3)])
def test_rows_of_a_window_that_moves_in_steps(back: int, ahead: int, step: int) -> None:
    engine = Engine(
        Program.parse(
            f"#external p/2 . q(X, Y) :- p(X, Y) in [{back}, +{ahead} step {step}], not r(X). #external r/1 ."
        )
    )

    def check(time: int) -> None:
        pivot = time // step * step
        seen = [s for s in range(time + 1) if pivot - back <= s <= pivot + ahead]
        assert by_name(engine, "q/2") == RATE * len(seen)
        assert by_name(engine, "streamed p/2") == RATE * len(seen)

    last = drive(engine, check)
    list(engine.advance(last + 3 * (back + step)))
    nothing_is_left(engine)


@pytest.mark.parametrize(
    ("window", "kept"), [("#1", 1), ("#7", 7), ("#25", 25), ("#7 of p", 7), ("#2 per Y", 2 * RATE)]
)
def test_rows_of_counting_windows(window: str, kept: int) -> None:
    engine = Engine(Program.parse(f"#external p/2 . q(X, Y) :- p(X, Y) in [{window}]."))

    def check(time: int) -> None:
        present = min(kept, (time + 1) * RATE)
        assert by_name(engine, "q/2") == present
        assert by_name(engine, "streamed p/2") == present

    drive(engine, check)


def test_an_atom_no_rule_mentions_is_never_stored() -> None:
    engine = Engine(Program.parse("#external p/2 . q(X) :- p(X, _) in [1000]."))
    for time in range(50):
        engine.step(time, [("other", (time, i)) for i in range(100)] + [("p", (time,)), ("p", (1, 2, 3))])
    assert stored(engine) == 0


def test_atoms_that_do_not_match_a_constant_leave_no_trace_above() -> None:
    engine = Engine(Program.parse("#external p/2 . q(X) :- p(X, 3) in [4]."))
    last = drive(engine)
    assert by_name(engine, "q/1") == 5
    list(engine.advance(last + 9))
    nothing_is_left(engine)


PROGRAMS = {
    "join": "#external p/2 . q(X, Z) :- p(X, Y) in [3], p(Z, Y) in [2], X < Z.",
    "negation": "#external p/2, r/2 . q(X) :- p(X, Y) in [3], not r(X, Y) in [2].",
    "count": "#external p/2 . q(Y, N) :- p(_, Y) in [3], N := count { X : p(X, Y) in [2] }.",
    "sum": "#external p/2 . q(Y, N) :- p(_, Y), N := sum { X : p(X, Y) in [4] }.",
    "recursion": "#external p/2 . q(X, Y) :- p(X, Y) in [2]. q(X, Z) :- q(X, Y), p(Y, Z) in [3].",
    "at": "#external p/2 . q(X, Y) at T :- p(X, Y) at T in [3]. r(X) :- q(X, _) in [2].",
    "future": "#external p/2 . q(X, Y) at V :- p(X, Y) at T in [3], V := T + 2. r(X) :- q(X, _) in [2, +1].",
    "always": "#external p/2 . q(X, Y) at T :- p(X, Y) at T in [3]. r(X) :- q(X, Y) always in [2].",
    "block": "#external p/2 . q(X) :- { ?X p ?Y . ?X p [] } in [3].",
    "triple": "#external p/2 . q(X) :- triple(X, p, Y) in [3], not triple(Y, p, X) in [1].",
    "ticking": "#external p/2 . q(X) :- p(X, _) in [2]. r(T) :- q(X) at T.",
    "double negation": "#external p/2 . q(X) :- p(X, _) in [2]. r(X) :- p(X, _) in [4], not q(X).",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_nothing_is_left_when_everything_has_expired(name: str) -> None:
    engine = Engine(Program.parse(PROGRAMS[name]))
    assert engine.recomputes is None
    largest = 0
    for time in range(300):
        engine.step(time, [("p", (time * 5 + i, i)) for i in range(5)] + [("r", (time * 5, 0))])
        largest = max(largest, stored(engine))
    assert 0 < largest < 500
    list(engine.advance(340))
    nothing_is_left(engine)


def test_arrivals_for_always_are_forgotten() -> None:
    """Where arrivals and derivations cover a window together, arrivals are remembered one by one."""
    text = "#external e/1 . d(X) :- e(X). q(X) :- d(X) always in [3]."
    engine = Engine(Program.parse(text))
    for time in range(500):
        engine.step(time, [("d", (time * 4 + i,)) for i in range(4)])
    list(engine.advance(520))
    units = engine._work.built.machine.units  # type: ignore[union-attr]
    coverages = [unit.coverage for unit in units if isinstance(unit.coverage, Coverage)]
    assert coverages
    assert not any(coverage._times for coverage in coverages)


def test_names_of_unknown_predicates_are_not_kept_for_ever() -> None:
    engine = Engine(Program.parse("#external p/1 . q(X) :- p(X)."))
    for time in range(300):
        engine.step(time, [(f"n{time}x{i}", ("a",)) for i in range(100)])
    facts = engine._work._inputs._facts  # type: ignore[union-attr]
    assert len(facts._predicates) <= 10_100
