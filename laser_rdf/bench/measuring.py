"""Two things timed in turns: engine, loop, engine, loop, …; of each the best round counts.

A machine is noisy and gets slower and faster; a ratio between two things measured alternately in one run says
something, a time alone does not. Garbage collection stays on, as it is for users.
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

Work = Callable[[], int]
"""Does its work once and says how many nanoseconds the timed part took."""


def alternately(works: Sequence[Work], rounds: int) -> list[int]:
    """The best time of each work, with the works taking turns.

    >>> times = iter([5, 9, 4, 10])
    >>> alternately([lambda: next(times), lambda: next(times)], rounds=2)
    [4, 9]
    """
    best = [work() for work in works]
    for _ in range(rounds - 1):
        best = [min(known, work()) for known, work in zip(best, works, strict=True)]
    return best


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

    def work() -> int:
        engine = Engine(Program.parse(text))
        for t, facts in before:
            engine.step(t, facts)
        with quiet_memory():
            began = perf_counter_ns()
            if mode == FULL:
                for t, facts in measured:
                    engine.step(t, facts).holds()
            else:
                for t, facts in measured:
                    answer = engine.step(t, facts)
                    _ = answer.added, answer.removed
            return perf_counter_ns() - began

    return work


def loop_work(make: Callable[[], Loop], stream: Stream, warm_up: int, mode: str) -> Work:
    """The same for something else with the interface of a hand-written loop."""
    before, measured = stream[:warm_up], stream[warm_up:]

    def work() -> int:
        loop = make()
        for t, facts in before:
            loop.step(t, facts)
        with quiet_memory():
            began = perf_counter_ns()
            if mode == FULL:
                for t, facts in measured:
                    loop.step(t, facts)
                    loop.holds()
            else:
                for t, facts in measured:
                    _ = loop.step(t, facts)
            return perf_counter_ns() - began

    return work


def per_atom(nanoseconds: int, rate: int, points: int) -> float:
    """Microseconds per atom of the rate."""
    return round(nanoseconds / 1000 / (rate * points), 4)
