"""The same experiments through clingo: a fresh program per time point, with the facts that the windows show.

This is how a solver that knows no streams is used for one. Facts of windows that need time points (`always`,
`at`) carry them as a last argument; `point(T)` are the points of the window, `now(T)` is the last of them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from importlib import import_module
from itertools import chain
from typing import Any

from laser_rdf.bench.workloads import Fact, rule_heads
from laser_rdf.errors import UsageError

COOLING = """
steam(V,T) :- temp(V,T), V >= 100.
liquid(V,T) :- temp(V,T), V >= 1, V < 100.
isSteam(T) :- steam(V,T).
isLiquid(T) :- liquid(V,T).
alarm :- isSteam(T) : point(T).
normal :- isLiquid(T) : point(T).
freeze :- not alarm, not normal.
veryHot(T) :- steam(V,T), V >= 150.
veryCold(T) :- liquid(V,T), V = 1.
steam(V) :- steam(V,T), now(T).
liquid(V) :- liquid(V,T), now(T).
isSteam :- isSteam(T), now(T).
isLiquid :- isLiquid(T), now(T).
#show steam/1. #show liquid/1. #show isSteam/0. #show isLiquid/0. #show alarm/0. #show normal/0.
#show freeze/0. #show veryHot/1. #show veryCold/1.
"""

PROGRAMS = {
    "diamond": "q(A,B) :- p(A,B). #show q/2.",
    "box": "z(X) :- p(X,N), now(N), p(X,T) : point(T). #show z/1.",
    "join": "q(A,C) :- p(A,B), p(B,C). #show q/2.",
    "cooling": COOLING,
    "negation": "q(X) :- p(X), not r(X). #show q/1. #defined r/1.",
    "count": "c(S,N) :- s(S), N = #count { O : o(S,O) }. #show c/2. #defined o/2.",
}
TIMED = {"box", "cooling"}
"""Experiments whose facts carry their time point."""

ONLY_NOW = {"s"}
"""Predicates that stand outside every window."""


def require_clingo() -> Any:
    """The module, or how to get it."""
    try:
        return import_module("clingo")
    except ImportError:
        raise UsageError("the peer clingo is not installed: pip install laser-rdf[bench]") from None


def encoding(experiment: str) -> str:
    """The rules of an experiment in clingo's language."""
    family, _, number = experiment.partition("-")
    if family != "rules":
        return PROGRAMS[experiment]
    heads = rule_heads(int(number))
    return " ".join(f"{q}(A,C) :- p(A,B), p(B,C). #show {q}/2." for q in heads)


class ClingoPeer:
    """An experiment with the interface of a hand-written loop: solved when it is asked what holds."""

    def __init__(self, experiment: str, n: int) -> None:
        self._clingo = require_clingo()
        self._rules = encoding(experiment)
        self._is_timed = experiment in TIMED
        self._window: deque[list[str]] = deque(maxlen=n + 1)
        self._now: list[str] = []
        self._time = 0

    def step(self, t: int, facts: Iterable[Fact]) -> tuple[list[Fact], list[Fact]]:
        """Take the facts of the next time point; the changes are not known."""
        self._time = t
        last = f",{t}" if self._is_timed else ""
        windowed: list[str] = []
        self._now = []
        for predicate, args in dict.fromkeys(facts):
            text = f"{predicate}({','.join(map(str, args))}{last})."
            (self._now if predicate in ONLY_NOW else windowed).append(text)
        self._window.append(windowed)
        return [], []

    def holds(self) -> list[Any]:
        """Ground and solve the program of this time point; its one answer set, in clingo's own symbols.

        Making Python values of them would take as long again as the solving, so it is not asked for here.
        """
        control = self._clingo.Control(["--warn=none"])
        control.add("base", [], self._rules)
        control.add("base", [], "\n".join(chain(self._now, chain.from_iterable(self._window))))
        if self._is_timed:
            first = self._time - len(self._window) + 1
            control.add("base", [], f"point({first}..{self._time}). now({self._time}).")
        control.ground([("base", [])])
        symbols: list[Any] = []
        control.solve(on_model=lambda model: symbols.extend(model.symbols(shown=True)))
        return symbols

    def facts(self) -> list[Fact]:
        """What holds, as the engine and the loops list it."""
        number = self._clingo.SymbolType.Number
        return [
            (s.name, tuple(a.number if a.type == number else a.name for a in s.arguments))
            for s in self.holds()
        ]
