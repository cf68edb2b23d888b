"""Three ways to keep the transitive closure of a sliding window and a background, with one interface.

    Recompute    closes everything anew at each step and compares
    Rederive     delete and rederive (DRed): overdelete, put back what has another derivation, insert
    Expire       this engine: every triple knows until when it holds

All derive `isIn(X, Z) :- isIn(X, Y), isIn(Y, Z)` and give what was added and what was removed. The first two
are written by hand for this one rule; they know nothing of rules in general.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable
from itertools import chain, repeat
from typing import Any

from laser_rdf import Engine, Program
from laser_rdf.bench.recursion import closure
from laser_rdf.bench.workloads import Fact

Pair = tuple[Any, ...]
Changes = tuple[list[Fact], list[Fact]]

HEAD = "isIn"


def program(window: int) -> str:
    """The rules for the engine; what is said in the window or in the background is `said`."""
    return (
        "#external said/2 .\n"
        f"{HEAD}(X, Y) :- said(X, Y) in [{window}].\n"
        f"{HEAD}(X, Z) :- {HEAD}(X, Y), {HEAD}(Y, Z).\n"
    )


class Recompute:
    """The closure of background and window, computed anew, and its difference to the one before."""

    def __init__(self, window: int, background: Iterable[Pair]) -> None:
        self._window: deque[list[Pair]] = deque(maxlen=window + 1)
        self._background = list(background)
        self._pairs = closure(self._background)

    def step(self, t: int, facts: Iterable[Fact]) -> Changes:
        """Take the triples of the next time point; what was added and removed."""
        del t
        self._window.append([pair for _, pair in facts])
        before = self._pairs
        pairs = self._pairs = closure(chain(self._background, *self._window))
        return _facts(pairs - before), _facts(before - pairs)

    def holds(self) -> list[Fact]:
        """Every pair."""
        return _facts(self._pairs)


class Rederive:
    """Delete and rederive, as Gupta, Mumick and Subrahmanian have it, on indexes by both ends.

    >>> maintainer = Rederive(1, [("b", "c")])
    >>> sorted(maintainer.step(0, [("said", ("a", "b"))])[0])
    [('isIn', ('a', 'b')), ('isIn', ('a', 'c'))]
    >>> maintainer.step(1, []), sorted(maintainer.step(2, [])[1])
    (([], []), [('isIn', ('a', 'b')), ('isIn', ('a', 'c'))])
    """

    def __init__(self, window: int, background: Iterable[Pair]) -> None:
        self._window: deque[list[Pair]] = deque()
        self._size = window + 1
        self._said = Counter(background)
        """How often each triple is said: by the background, and at how many places of the window."""
        self._after: dict[Any, set[Any]] = {}
        self._before: dict[Any, set[Any]] = {}
        self._insert(self._said)

    def step(self, t: int, facts: Iterable[Fact]) -> Changes:
        """Take the triples of the next time point; what was added and removed."""
        del t
        arrived = [pair for _, pair in facts]
        self._window.append(arrived)
        self._said.update(arrived)
        left: list[Pair] = []
        if len(self._window) > self._size:
            left = self._window.popleft()
            self._said.subtract(left)
        # A triple that leaves and comes in the same step has not gone.
        gone = {pair for pair in left if not self._said[pair]}
        for pair in gone:
            del self._said[pair]
        removed = self._delete(gone)
        added = self._insert(arrived)
        return _facts(added - removed), _facts(removed - added)

    def holds(self) -> list[Fact]:
        """Every pair."""
        return [(HEAD, (x, y)) for x, ends in self._after.items() for y in ends]

    def _delete(self, gone: set[Pair]) -> set[Pair]:
        """Take out what may have lost its derivation, put back what has another one; what stays out."""
        after, before = self._after, self._before
        out = set(gone)
        waiting = list(gone)
        for x, y in waiting:  # which grows
            for pair in chain(zip(repeat(x), after.get(y, ())), zip(before.get(x, ()), repeat(y))):
                if pair not in out:
                    out.add(pair)
                    waiting.append(pair)
        for x, y in out:
            after[x].remove(y)
            before[y].remove(x)
        nothing: set[Any] = set()
        back = [
            (x, y)
            for x, y in out
            if (x, y) in self._said or not after.get(x, nothing).isdisjoint(before.get(y, nothing))
        ]
        out.difference_update(back)
        while back:
            x, y = back.pop()
            self._add(x, y)
            for pair in chain(zip(repeat(x), after.get(y, ())), zip(before.get(x, ()), repeat(y))):
                if pair in out:
                    out.remove(pair)
                    back.append(pair)
        self._drop_empty(gone)
        return out

    def _insert(self, arrived: Iterable[Pair]) -> set[Pair]:
        """Add triples and what follows; what is new."""
        after, before = self._after, self._before
        new: set[Pair] = set()
        waiting = [pair for pair in arrived if pair[1] not in after.get(pair[0], ())]
        while waiting:
            pair = x, y = waiting.pop()
            if pair in new:
                continue
            new.add(pair)
            self._add(x, y)
            waiting += [(x, z) for z in after.get(y, ()) if z not in after[x]]
            waiting += [(w, y) for w in before.get(x, ()) if y not in after[w]]
        return new

    def _add(self, x: Any, y: Any) -> None:
        self._after.setdefault(x, set()).add(y)
        self._before.setdefault(y, set()).add(x)

    def _drop_empty(self, pairs: Iterable[Pair]) -> None:
        for x, y in pairs:
            if not self._after.get(x, True):
                del self._after[x]
            if not self._before.get(y, True):
                del self._before[y]


class Expire:
    """This engine with the same interface."""

    def __init__(self, window: int, background: Iterable[Pair]) -> None:
        self._engine = Engine(
            Program.parse(program(window)), background=[("said", pair) for pair in background], start=0
        )
        self._answer = self._engine.step(0)

    def step(self, t: int, facts: Iterable[Fact]) -> Changes:
        """Take the triples of the next time point; what was added and removed."""
        answer = self._answer = self._engine.step(t, facts)
        return answer.added, answer.removed

    def holds(self) -> list[Fact]:
        """Every pair."""
        return self._answer.holds()


def _facts(pairs: Iterable[Pair]) -> list[Fact]:
    return list(zip(repeat(HEAD), pairs))
