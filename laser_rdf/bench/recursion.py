"""Transitive closure over a sliding window: the engine against computing the closure anew at each time point.

The window always shows the same number of edges. With a window of n time points before now, 1/(n+1) of them
change at each step: a share of 1 % is `in [99]`, one of 100 % is `in [0]`.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterable
from itertools import chain, repeat
from typing import Any

from laser_rdf.bench.measuring import CHANGES, alternately, engine_work, loop_work
from laser_rdf.bench.report import Row
from laser_rdf.bench.workloads import Fact, Stream, closure_program

SHARES = (1, 5, 10, 25, 50, 100)
LAYERS = 6


def layered_edges(edges: int, rate: int, points: int, seed: int) -> Stream:
    """Random edges from one layer of nodes to the next; a node has about one successor."""
    rng = random.Random(seed)  # noqa: S311 - a benchmark's data, no secret
    width = max(1, edges // (LAYERS - 1))

    def edge() -> Fact:
        layer = rng.randrange(LAYERS - 1)
        return "edge", (f"n{layer}_{rng.randrange(width)}", f"n{layer + 1}_{rng.randrange(width)}")

    return [(t, [edge() for _ in range(rate)]) for t in range(points)]


class ClosureLoop:
    """The closure of the window's edges, computed anew, and its difference to the one before."""

    def __init__(self, n: int) -> None:
        self.window: deque[list[Fact]] = deque(maxlen=n + 1)
        self.pairs: set[tuple[Any, ...]] = set()

    def step(self, t: int, facts: Iterable[Fact]) -> tuple[list[Fact], list[Fact]]:
        """Take the edges of the next time point; what was added and removed."""
        del t
        self.window.append(list(facts))
        before = self.pairs
        pairs = self.pairs = closure(args for _, args in chain.from_iterable(self.window))
        return list(zip(repeat("reach"), pairs - before)), list(zip(repeat("reach"), before - pairs))

    def holds(self) -> list[Fact]:
        """Every pair."""
        return list(zip(repeat("reach"), self.pairs))


def closure(edges: Iterable[tuple[Any, ...]]) -> set[tuple[Any, ...]]:
    """All pairs of a node and a node it reaches.

    >>> sorted(closure([("a", "b"), ("b", "c")]))
    [('a', 'b'), ('a', 'c'), ('b', 'c')]
    """
    after: dict[Any, set[Any]] = {}
    for x, y in edges:
        if x in after:
            after[x].add(y)
        else:
            after[x] = {y}
    pairs: set[tuple[Any, ...]] = set()
    for x, direct in after.items():
        seen = set(direct)
        waiting = list(direct)
        for y in waiting:  # which grows
            if y in after:
                for z in after[y]:
                    if z not in seen:
                        seen.add(z)
                        waiting.append(z)
        pairs.update(zip(repeat(x), seen))
    return pairs


def measure(share: int, edges: int, steps: int, rounds: int, seed: int) -> Row:
    """One share: the engine and the recomputation in turns."""
    points = 100 // share
    window, rate = points - 1, edges // points
    stream = layered_edges(edges, rate, points + 1 + steps, seed)
    works = [
        engine_work(closure_program(window), stream, points + 1, CHANGES),
        loop_work(lambda: ClosureLoop(window), stream, points + 1, CHANGES),
    ]
    engine, recomputed = alternately(works, rounds)
    return {
        "changed_percent": share,
        "window": window,
        "edges_in_window": rate * points,
        "edges_per_step": rate,
        "steps": steps,
        "rounds": rounds,
        "engine_us": round(engine / 1000 / steps, 1),
        "recomputed_us": round(recomputed / 1000 / steps, 1),
        "ratio": round(engine / recomputed, 3),
    }
