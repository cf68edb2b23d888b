"""The experiments of the Laser paper (section 4) and two of our own: a program and a stream for each.

A stream is a list of (time point, facts), made before anything is timed; the same seed gives the same stream.

    >>> print(EXPERIMENTS["diamond"].program(20), end="")
    #external p/2 .
    q(A, B) :- p(A, B) in [20].
    >>> EXPERIMENTS["join"].stream(rate=1, points=2, seed=0)
    [(0, [('p', ('c0', 'c1')), ('p', ('c1', 'c2'))]), (1, [('p', ('c1', 'c2')), ('p', ('c2', 'c3'))])]
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from laser_rdf.bench.loops import (
    BoxLoop,
    CoolingLoop,
    CountLoop,
    DiamondLoop,
    JoinLoop,
    Loop,
    NegationLoop,
)

Fact = tuple[str, tuple[Any, ...]]
Point = tuple[int, list[Fact]]
Stream = list[Point]

GROUPS = 50
RULES = (10, 20, 50, 100)
VETO_SHARE, VETO_DELAY = 0.1, 2
HOTTEST = 200


@dataclass(frozen=True, slots=True)
class Experiment:
    """A program for a window, a stream, and the loop one would write by hand for the same answers.

    `rate` is how many atoms come at a time point; the join stream has, as in the paper, two for each of
    them. `rates` limits an experiment to some rates.
    """

    name: str
    program: Callable[[int], str]
    stream: Callable[[int, int, int], Stream]
    loop: Callable[[int], Loop]
    rates: tuple[int, ...] | None = None


# --- programs ------------------------------------------------------------------------------------------


def diamond_program(window: int) -> str:
    """Some time in the window."""
    return f"#external p/2 .\nq(A, B) :- p(A, B) in [{window}].\n"


def box_program(window: int) -> str:
    """At every time point of the window."""
    return f"#external p/1 .\nz(X) :- p(X) always in [{window}].\n"


def join_program(window: int) -> str:
    """Two atoms that meet."""
    return f"#external p/2 .\nq(A, C) :- p(A, B) in [{window}], p(B, C) in [{window}].\n"


def rule_heads(rules: int) -> tuple[str, ...]:
    """The head predicates of the rules that share one body."""
    return tuple(f"q{i}" for i in range(rules))


def rules_program(rules: int) -> Callable[[int], str]:
    """The join rule again and again, with different heads."""

    def program(window: int) -> str:
        lines = [f"{q}(A, C) :- p(A, B) in [{window}], p(B, C) in [{window}]." for q in rule_heads(rules)]
        return "\n".join(["#external p/2 .", *lines, ""])

    return program


def cooling_program(window: int) -> str:
    """Figure 4 of the paper."""
    return f"""#external temp/1 .
steam(V) at T :- temp(V) at T in [{window}], V >= 100.
liquid(V) at T :- temp(V) at T in [{window}], V >= 1, V < 100.
isSteam at T :- steam(_) at T in [{window}].
isLiquid at T :- liquid(_) at T in [{window}].
alarm :- isSteam always in [{window}].
normal :- isLiquid always in [{window}].
freeze :- not alarm, not normal.
veryHot(T) :- steam(V) at T in [{window}], V >= 150.
veryCold(T) :- liquid(V) at T in [{window}], V = 1.
"""


def negation_program(window: int) -> str:
    """There, and not vetoed."""
    return f"#external p/1, r/1 .\nq(X) :- p(X) in [{window}], not r(X) in [{window}].\n"


def count_program(window: int) -> str:
    """How many different objects a group has in the window."""
    return f"#external s/1, o/2 .\nc(S, N) :- s(S), N := count {{ O : o(S, O) in [{window}] }}.\n"


def closure_program(window: int) -> str:
    """Reachability over the edges of the window."""
    return (
        "#external edge/2 .\n"
        f"reach(X, Y) :- edge(X, Y) in [{window}].\n"
        f"reach(X, Z) :- reach(X, Y), edge(Y, Z) in [{window}].\n"
    )


# --- streams -------------------------------------------------------------------------------------------


def distinct_pairs(rate: int, points: int, seed: int) -> Stream:
    """No atom comes twice."""
    del seed
    return [(t, [("p", (f"a{k}", f"b{k}")) for k in range(t * rate, (t + 1) * rate)]) for t in range(points)]


def random_numbers(predicate: str, rate: int, points: int, seed: int, most: int) -> Stream:
    """Numbers from 0 to `most`, evenly at random."""
    rng = random.Random(seed)  # noqa: S311 - a benchmark's data, no secret
    return [(t, [(predicate, (rng.randint(0, most),)) for _ in range(rate)]) for t in range(points)]


def box_stream(rate: int, points: int, seed: int) -> Stream:
    """`p(X)`, `X` in 0 .. rate/3."""
    return random_numbers("p", rate, points, seed, rate // 3)


def chain(rate: int, points: int, seed: int) -> Stream:
    """A chain that goes on; as in the paper's generator, each number pushes two atoms."""
    del seed
    stream: Stream = []
    for t in range(points):
        facts: list[Fact] = []
        for k in range(t * rate, (t + 1) * rate):
            facts += [("p", (f"c{k}", f"c{k + 1}")), ("p", (f"c{k + 1}", f"c{k + 2}"))]
        stream.append((t, facts))
    return stream


def cooling_stream(rate: int, points: int, seed: int) -> Stream:
    """`temp(V)`, `V` in 0 .. 200."""
    return random_numbers("temp", rate, points, seed, HOTTEST)


def vetoed(rate: int, points: int, seed: int) -> Stream:
    """Distinct `p`; of 10 % of them there is an `r` two time points later."""
    rng = random.Random(seed)  # noqa: S311
    stream: Stream = [(t, [("p", (f"x{t * rate + i}",)) for i in range(rate)]) for t in range(points)]
    for t in range(points - VETO_DELAY):
        facts = [("r", args) for predicate, args in stream[t][1] if predicate == "p"]
        stream[t + VETO_DELAY][1].extend(fact for fact in facts if rng.random() < VETO_SHARE)
    return stream


def grouped(rate: int, points: int, seed: int) -> Stream:
    """At every time point `s(S)` of each of 50 groups; the rest of the rate are objects of random groups."""
    rng = random.Random(seed)  # noqa: S311
    names = [f"g{i}" for i in range(min(GROUPS, rate // 2))]
    groups: list[Fact] = [("s", (name,)) for name in names]
    return [
        (
            t,
            groups
            + [("o", (rng.choice(names), f"o{rng.randrange(1000)}")) for _ in range(rate - len(names))],
        )
        for t in range(points)
    ]


# --- the experiments -----------------------------------------------------------------------------------


def rules_experiment(rules: int) -> Experiment:
    """The join rule that many times, at the one rate of the paper."""
    heads = rule_heads(rules)
    return Experiment(
        f"rules-{rules}", rules_program(rules), chain, lambda n: JoinLoop(n, heads), rates=(200,)
    )


EXPERIMENTS: dict[str, Experiment] = {
    experiment.name: experiment
    for experiment in (
        Experiment("diamond", diamond_program, distinct_pairs, DiamondLoop),
        Experiment("box", box_program, box_stream, BoxLoop),
        Experiment("join", join_program, chain, JoinLoop),
        *map(rules_experiment, RULES),
        Experiment("cooling", cooling_program, cooling_stream, CoolingLoop),
        Experiment("negation", negation_program, vetoed, NegationLoop),
        Experiment("count", count_program, grouped, CountLoop),
    )
}
