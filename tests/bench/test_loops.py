"""The hand-written loops give what the engine gives, and both what the reference evaluator gives."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from laser_rdf import Engine, Program
from laser_rdf.bench.loops import DiamondLoop, JoinLoop, NegationLoop
from laser_rdf.bench.recursion import ClosureLoop, layered_edges
from laser_rdf.bench.workloads import EXPERIMENTS, Stream, closure_program
from laser_rdf.check import GroundAtom, Predicate, check
from laser_rdf.lang.parser import parse
from laser_rdf.reference import ReferenceEvaluator
from laser_rdf.values import IRI, from_term, to_term

BASE = "urn:laser:local:"
SMALL = [name for name in EXPERIMENTS if name not in ("rules-20", "rules-50", "rules-100")]


def same(left: Iterable[object], right: Iterable[object]) -> bool:
    """Whether two lists have the same elements, each as often."""
    return sorted(map(repr, left)) == sorted(map(repr, right))


def assert_equal_to_engine(text: str, loop: Any, stream: Stream) -> None:
    engine = Engine(Program.parse(text))
    for t, facts in stream:
        answer = engine.step(t, facts)
        added, removed = loop.step(t, facts)
        assert same(answer.added, added), t
        assert same(answer.removed, removed), t
        assert same(answer.holds(), loop.holds()), t


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("window", [0, 1, 3])
@pytest.mark.parametrize("rate", [5, 20, 60])
def test_loop_equals_engine(name: str, window: int, rate: int) -> None:
    experiment = EXPERIMENTS[name]
    stream = experiment.stream(rate, 12, 7)
    assert_equal_to_engine(experiment.program(window), experiment.loop(window), stream)


@pytest.mark.parametrize("name", [name for name in EXPERIMENTS if name not in SMALL])
def test_many_rules_give_what_one_gives(name: str) -> None:
    experiment = EXPERIMENTS[name]
    assert_equal_to_engine(experiment.program(2), experiment.loop(2), experiment.stream(3, 6, 7))


def meeting(points: int, names: int) -> Stream:
    """Atoms over few names, so that they come again while they are there, just after, or twice at once."""
    seed = 5
    stream: Stream = []
    for t in range(points):
        facts = []
        for _ in range(names):
            seed = (seed * 1103515245 + 12345) % 2**31
            a, b, r = seed // 7 % names, seed // 91 % names, seed // 1009 % 3
            facts += [("p", (f"c{a}", f"c{b}"))] * (1 + r % 2)
        stream.append((t, facts))
    return stream


@pytest.mark.parametrize("window", [0, 1, 2, 5])
def test_loops_hold_for_atoms_that_come_again(window: int) -> None:
    stream = meeting(40, 5)
    assert_equal_to_engine(EXPERIMENTS["diamond"].program(window), DiamondLoop(window), stream)
    assert_equal_to_engine(EXPERIMENTS["join"].program(window), JoinLoop(window), stream)
    single: Stream = [
        (t, [("p" if i % 3 else "r", args[:1]) for i, (_, args) in enumerate(facts)]) for t, facts in stream
    ]
    assert_equal_to_engine(EXPERIMENTS["negation"].program(window), NegationLoop(window), single)


@pytest.mark.parametrize("window", [0, 3])
def test_silence_breaks_runs_and_freezes(window: int) -> None:
    cooling = EXPERIMENTS["cooling"]
    stream: Stream = [(t, [("temp", (v,)) for v in values]) for t, values in enumerate(SILENT)]
    assert_equal_to_engine(cooling.program(window), cooling.loop(window), stream)
    box = EXPERIMENTS["box"]
    stream = [(t, [("p", (v,)) for v in values]) for t, values in enumerate(SILENT)]
    assert_equal_to_engine(box.program(window), box.loop(window), stream)


SILENT: list[list[int]] = [
    [20],
    [50, 1],
    [99],
    [100, 150],
    [150],
    [170],
    [],
    [1],
    [1, 120],
    [1],
    [0],
    [],
    [1],
]


@pytest.mark.parametrize("window", [0, 1, 3])
def test_closure_equals_engine(window: int) -> None:
    stream = layered_edges(edges=40, rate=10, points=14, seed=3)
    assert_equal_to_engine(closure_program(window), ClosureLoop(window), stream)


@pytest.mark.parametrize("name", SMALL)
def test_loop_equals_reference(name: str) -> None:
    experiment = EXPERIMENTS[name]
    stream = experiment.stream(6, 6, 7)
    loop = experiment.loop(2)
    reference = ReferenceEvaluator(check(parse(experiment.program(2), name)))
    for t, facts in stream:
        loop.step(t, facts)
        reference.add(t, [ground(predicate, args) for predicate, args in facts])
        holds = reference.answer(t).holds
        found = [(a.predicate.name.removeprefix(BASE), tuple(map(plain, a.args))) for a in holds]
        assert same(loop.holds(), found), t


def ground(predicate: str, args: tuple[Any, ...]) -> GroundAtom:
    terms = tuple(IRI(BASE + arg) if isinstance(arg, str) else to_term(arg) for arg in args)
    return GroundAtom(Predicate(BASE + predicate, len(args)), terms)


def plain(term: Any) -> object:
    return term.value.removeprefix(BASE) if isinstance(term, IRI) else from_term(term)


def test_streams_are_the_same_for_the_same_seed() -> None:
    for experiment in EXPERIMENTS.values():
        assert experiment.stream(20, 5, 1) == experiment.stream(20, 5, 1)
        assert [t for t, _ in experiment.stream(20, 5, 1)] == list(range(5))
    assert EXPERIMENTS["box"].stream(20, 5, 1) != EXPERIMENTS["box"].stream(20, 5, 2)
