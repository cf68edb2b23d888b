"""A gap: a long time without input, in which things expire. Empty time points should cost nothing."""

from __future__ import annotations

from time import perf_counter_ns

from laser_rdf import Engine, Program
from laser_rdf.bench.measuring import alternately, quiet_memory
from laser_rdf.bench.report import Row

GAP = 10_000_000
EXPIRIES = 1_000
APART = 1_000


def measure_gap(rounds: int, gap: int = GAP, expiries: int = EXPIRIES, apart: int = APART) -> Row:
    """Atoms `apart` time points from each other, a window of half the gap, and then nothing."""
    text = f"#external p/1 .\nq(X) :- p(X) in [{gap // 2}].\n"
    last = (expiries - 1) * apart
    assert last < gap // 2, "what expires must do so inside the gap"
    answers = 0

    def work() -> list[int]:
        nonlocal answers
        engine = Engine(Program.parse(text))
        for i in range(expiries):
            engine.step(i * apart, [("p", (f"x{i}",))])
        with quiet_memory():
            began = perf_counter_ns()
            answers = sum(1 for answer in engine.advance(last + gap) if answer.removed)
            return [perf_counter_ns() - began]

    (took,) = alternately([work], rounds)
    return {
        "empty_points": gap,
        "expiries": expiries,
        "answers": answers,
        "rounds": rounds,
        "milliseconds": round(took / 1e6, 3),
    }
