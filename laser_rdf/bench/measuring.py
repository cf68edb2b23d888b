"""Two things timed in turns: engine, loop, engine, loop, …; of each the best of all rounds counts.

A machine is noisy and gets slower and faster; a ratio between two things measured alternately in one run says
something, a time alone does not. The best is taken for each time point by itself: on a machine that others
use, too, a whole run without an interruption is rare, a time point without one is not. Garbage collection
stays on, as it is for users.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter_ns

from laser_rdf import Engine, Program
from laser_rdf.bench.loops import Loop
from laser_rdf.bench.workloads import Stream

FULL, CHANGES = "full", "changes"
MODES = (FULL, CHANGES)

Work = Callable[[], list[int]]
"""Does its work once and says how many nanoseconds each time point took, always the same time points."""


def alternately(works: Sequence[Work], rounds: int) -> list[int]:
    """The time of each work, every time point at its best, with the works taking turns.

    >>> times = iter([[5, 6], [9, 9], [4, 7], [10, 8]])
    >>> alternately([lambda: next(times), lambda: next(times)], rounds=2)
    [10, 17]
    """
    best = [work() for work in works]
    for _ in range(rounds - 1):
        best = [list(map(min, known, work())) for known, work in zip(best, works, strict=True)]
    return list(map(sum, best))


@contextmanager
def quiet_memory() -> Iterator[None]:
    """Leave what is there already (streams, modules) out of garbage collection, which stays on."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def engine_work(text: str, stream: Stream, warm_up: int, mode: str) -> Work:
    """A fresh engine over a stream whose first `warm_up` time points are not timed."""
    before, measured = stream[:warm_up], stream[warm_up:]

    def work() -> list[int]:
        engine = Engine(Program.parse(text))
        for t, facts in before:
            engine.step(t, facts)
        took = []
        with quiet_memory():
            for t, facts in measured:
                began = perf_counter_ns()
                answer = engine.step(t, facts)
                if mode == FULL:
                    answer.holds()
                else:
                    _ = answer.added, answer.removed
                took.append(perf_counter_ns() - began)
        return took

    return work


def loop_work(make: Callable[[], Loop], stream: Stream, warm_up: int, mode: str) -> Work:
    """The same for something else with the interface of a hand-written loop."""
    before, measured = stream[:warm_up], stream[warm_up:]

    def work() -> list[int]:
        loop = make()
        for t, facts in before:
            loop.step(t, facts)
        took = []
        with quiet_memory():
            for t, facts in measured:
                began = perf_counter_ns()
                _ = loop.step(t, facts)
                if mode == FULL:
                    loop.holds()
                took.append(perf_counter_ns() - began)
        return took

    return work


def per_atom(nanoseconds: int, rate: int, points: int) -> float:
    """Microseconds per atom of the rate."""
    return round(nanoseconds / 1000 / (rate * points), 4)
