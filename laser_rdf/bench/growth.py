"""How cost grows with rules that share a body, and with the window: both with changes only."""

from __future__ import annotations

from laser_rdf.bench.measuring import CHANGES, Work, alternately, engine_work, loop_work, per_atom
from laser_rdf.bench.report import Row
from laser_rdf.bench.workloads import EXPERIMENTS, rules_experiment

SHARED_RULES = 10
SMALL, LARGE = 10, 80
GROWING = ("diamond", "join", "negation", "count")
"""The experiments whose output changes by what comes and goes, and not by what is there."""


def measure_ten_rules(window: int, rate: int, points: int, rounds: int, seed: int) -> Row:
    """One rule, and ten with the same body."""
    warm_up = window + 2
    one, ten = rules_experiment(1), rules_experiment(SHARED_RULES)
    stream = one.stream(rate, warm_up + points, seed)
    works = [engine_work(x.program(window), stream, warm_up, CHANGES) for x in (one, ten)]
    alone, together = alternately(works, rounds)
    return {
        "window": window,
        "rate": rate,
        "points": points,
        "rounds": rounds,
        "one_rule_us": per_atom(alone, rate, points),
        "ten_rules_us": per_atom(together, rate, points),
        "ratio": round(together / alone, 3),
    }


def measure_window_growth(name: str, rate: int, points: int, rounds: int, seed: int) -> Row:
    """One stream, seen through a small and a large window, both filled before, and the same for the loop."""
    experiment = EXPERIMENTS[name]
    warm_up = LARGE + 2
    stream = experiment.stream(rate, warm_up + points, seed)

    def loop(window: int) -> Work:
        return loop_work(lambda: experiment.loop(window), stream, warm_up, CHANGES)

    works = [engine_work(experiment.program(n), stream, warm_up, CHANGES) for n in (SMALL, LARGE)]
    small, large, loop_small, loop_large = alternately([*works, loop(SMALL), loop(LARGE)], rounds)
    return {
        "experiment": name,
        "rate": rate,
        "points": points,
        "rounds": rounds,
        f"window_{SMALL}_us": per_atom(small, rate, points),
        f"window_{LARGE}_us": per_atom(large, rate, points),
        "ratio": round(large / small, 3),
        "loop_ratio": round(loop_large / loop_small, 3),
    }
