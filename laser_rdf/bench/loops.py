"""What a good Python programmer would write by hand for each experiment: dicts, and buckets by expiry time.

Each loop takes the facts of a time point and gives what was added and what was removed, as the engine does;
`holds` lists everything that holds. Time points follow each other without gaps. Arrivals come before
expiry, so that what comes again in time is neither removed nor added.

    >>> loop = DiamondLoop(1)
    >>> loop.step(0, [("p", ("a", "b"))])
    ([('q', ('a', 'b'))], [])
    >>> loop.step(1, []), loop.step(2, [])
    (([], []), ([], [('q', ('a', 'b'))]))
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable
from itertools import repeat
from typing import Any, Protocol

Args = tuple[Any, ...]
Fact = tuple[str, Args]
Facts = Iterable[Fact]
Changes = tuple[list[Fact], list[Fact]]


class Loop(Protocol):
    """The hand-written side of an experiment."""

    def step(self, t: int, facts: Facts) -> Changes:
        """Take the facts of the next time point; what was added and removed."""

    def holds(self) -> list[Fact]:
        """Everything that holds now."""


class DiamondLoop:
    """`q(A, B) :- p(A, B) in [n]`: the end of each atom, and the atoms that may end at a time."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.ends: dict[Args, int] = {}
        self.buckets: dict[int, list[Args]] = {}

    def step(self, t: int, facts: Facts) -> Changes:
        """Arrivals set ends; of the bucket that is due, what has got no later end goes."""
        ends = self.ends
        added: list[Fact] = []
        removed: list[Fact] = []
        end = t + self.n
        bucket = self.buckets[end] = []
        for predicate, args in facts:
            if predicate == "p":
                known = ends.get(args)
                if known is None:
                    added.append(("q", args))
                if known != end:
                    ends[args] = end
                    bucket.append(args)
        for args in self.buckets.pop(t - 1, ()):
            if ends[args] < t:
                del ends[args]
                removed.append(("q", args))
        return added, removed

    def holds(self) -> list[Fact]:
        """Every atom with an end."""
        return list(zip(repeat("q"), self.ends))


class BoxLoop:
    """`z(X) :- p(X) always in [n]`: since when each atom has been there without a break."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.start: int | None = None
        self.since: dict[Args, int] = {}
        self.always: set[Args] = set()

    def step(self, t: int, facts: Facts) -> Changes:
        """An atom that does not come now starts anew later."""
        if self.start is None:
            self.start = t
        old = self.since
        since = self.since = {args: old.get(args, t) for predicate, args in facts if predicate == "p"}
        first = max(t - self.n, self.start)
        before = self.always
        always = self.always = {args for args, begin in since.items() if begin <= first}
        return list(zip(repeat("z"), always - before)), list(zip(repeat("z"), before - always))

    def holds(self) -> list[Fact]:
        """Every atom that has been there for the whole window."""
        return list(zip(repeat("z"), self.always))


class JoinLoop:
    """`q(A, C) :- p(A, B) in [n], p(B, C) in [n]`: an index in each direction; a result ends with its atoms.

    Several rules with the same body share it: the result is listed under every head.
    """

    def __init__(self, n: int, heads: tuple[str, ...] = ("q",)) -> None:
        self.n = n
        self.heads = heads
        self.after: dict[Any, dict[Any, int]] = {}
        self.before: dict[Any, dict[Any, int]] = {}
        self.ends: dict[Args, int] = {}
        self.atom_buckets: dict[int, list[Args]] = {}
        self.buckets: dict[int, list[Args]] = defaultdict(list)

    def step(self, t: int, facts: Facts) -> Changes:
        """A new atom meets those behind it and those before it."""
        after, before, ends, buckets = self.after, self.before, self.ends, self.buckets
        end = t + self.n
        arrived = self.atom_buckets[end] = []
        new: list[Args] = []
        for predicate, args in facts:
            if predicate != "p":
                continue
            a, b = args
            row = after.get(a)
            if row is None:
                after[a] = {b: end}
            elif row.get(b) == end:
                continue  # it has come at this time point already
            else:
                row[b] = end
            row = before.get(b)
            if row is None:
                before[b] = {a: end}
            else:
                row[a] = end
            arrived.append(args)
            row = after.get(b)
            if row is not None:
                for c, other in row.items():
                    if other >= t:
                        pair = (a, c)
                        known = ends.get(pair)
                        if known is None:
                            new.append(pair)
                        if known is None or known < other:
                            ends[pair] = other
                            buckets[other].append(pair)
            row = before.get(a)
            if row is not None:
                for z, other in row.items():
                    if other >= t:
                        pair = (z, b)
                        known = ends.get(pair)
                        if known is None:
                            new.append(pair)
                        if known is None or known < other:
                            ends[pair] = other
                            buckets[other].append(pair)
        self._forget(t)
        gone = []
        for pair in buckets.pop(t - 1, ()):
            if ends[pair] < t:
                del ends[pair]
                gone.append(pair)
        return self._listed(new), self._listed(gone)

    def _forget(self, t: int) -> None:
        """Atoms that left the window leave the indexes."""
        after, before = self.after, self.before
        for a, b in self.atom_buckets.pop(t - 1, ()):
            row = after[a]
            if row[b] < t:
                del row[b]
                if not row:
                    del after[a]
                row = before[b]
                del row[a]
                if not row:
                    del before[b]

    def _listed(self, pairs: Iterable[Args]) -> list[Fact]:
        if len(self.heads) == 1:
            return list(zip(repeat(self.heads[0]), pairs))
        return [fact for head in self.heads for fact in zip(repeat(head), pairs)]

    def holds(self) -> list[Fact]:
        """Every pair with an end, under every head."""
        return self._listed(self.ends)


class CoolingLoop:
    """The nine rules of figure 4: readings of now, lengths of runs, times of extremes."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.points = 0
        self.steam_run = self.liquid_run = 0
        self.steam: set[Args] = set()
        self.liquid: set[Args] = set()
        self.flags: set[str] = set()
        self.hot: deque[int] = deque()
        self.cold: deque[int] = deque()

    def step(self, t: int, facts: Facts) -> Changes:
        """What was true of the last readings is compared with what is true of these."""
        steam: set[Args] = set()
        liquid: set[Args] = set()
        for args in {args for predicate, args in facts if predicate == "temp"}:
            value = args[0]
            if value >= 100:
                steam.add(args)
            elif value >= 1:
                liquid.add(args)
        added: list[Fact] = [*zip(repeat("steam"), steam - self.steam)]
        removed: list[Fact] = [*zip(repeat("steam"), self.steam - steam)]
        added += zip(repeat("liquid"), liquid - self.liquid)
        removed += zip(repeat("liquid"), self.liquid - liquid)
        self.steam, self.liquid = steam, liquid

        self.points += 1
        whole = min(self.n + 1, self.points)  # the window, as far as the timeline goes
        self.steam_run = self.steam_run + 1 if steam else 0
        self.liquid_run = self.liquid_run + 1 if liquid else 0
        flags = set()
        if steam:
            flags.add("isSteam")
        if liquid:
            flags.add("isLiquid")
        if self.steam_run >= whole:
            flags.add("alarm")
        if self.liquid_run >= whole:
            flags.add("normal")
        if self.steam_run < whole and self.liquid_run < whole:
            flags.add("freeze")
        added += [(flag, ()) for flag in flags - self.flags]
        removed += [(flag, ()) for flag in self.flags - flags]
        self.flags = flags

        if steam and max(steam)[0] >= 150:
            self.hot.append(t)
            added.append(("veryHot", (t,)))
        if (1,) in liquid:
            self.cold.append(t)
            added.append(("veryCold", (t,)))
        first = t - self.n
        if self.hot and self.hot[0] < first:
            removed.append(("veryHot", (self.hot.popleft(),)))
        if self.cold and self.cold[0] < first:
            removed.append(("veryCold", (self.cold.popleft(),)))
        return added, removed

    def holds(self) -> list[Fact]:
        """The readings of now, what is true of the window, and the times of extremes."""
        return [
            *zip(repeat("steam"), self.steam),
            *zip(repeat("liquid"), self.liquid),
            *((flag, ()) for flag in self.flags),
            *(("veryHot", (t,)) for t in self.hot),
            *(("veryCold", (t,)) for t in self.cold),
        ]


class NegationLoop:
    """`q(X) :- p(X) in [n], not r(X) in [n]`: two tables with ends; what came or went is looked at again."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.p: dict[Args, int] = {}
        self.r: dict[Args, int] = {}
        self.p_buckets: dict[int, list[Args]] = {}
        self.r_buckets: dict[int, list[Args]] = {}
        self.q: dict[Args, None] = {}

    def step(self, t: int, facts: Facts) -> Changes:
        """New `p` and freed `p` may be added; vetoed `p` and old `p` may be removed."""
        p, r, q = self.p, self.r, self.q
        end = t + self.n
        p_bucket = self.p_buckets[end] = []
        r_bucket = self.r_buckets[end] = []
        maybe: list[Args] = []
        doubtful: list[Args] = []
        for predicate, args in facts:
            if predicate == "p":
                known = p.get(args)
                if known is None:
                    maybe.append(args)
                if known != end:
                    p[args] = end
                    p_bucket.append(args)
            elif predicate == "r":
                known = r.get(args)
                if known is None:
                    doubtful.append(args)
                if known != end:
                    r[args] = end
                    r_bucket.append(args)
        for args in self.p_buckets.pop(t - 1, ()):
            if p[args] < t:
                del p[args]
                doubtful.append(args)
        for args in self.r_buckets.pop(t - 1, ()):
            if r[args] < t:
                del r[args]
                maybe.append(args)
        added: list[Fact] = []
        removed: list[Fact] = []
        for args in maybe:
            if args in p and args not in r and args not in q:
                q[args] = None
                added.append(("q", args))
        for args in doubtful:
            if args in q and (args in r or args not in p):
                del q[args]
                removed.append(("q", args))
        return added, removed

    def holds(self) -> list[Fact]:
        """Every `p` without an `r`."""
        return list(zip(repeat("q"), self.q))


class CountLoop:
    """`c(S, N) :- s(S), N := count { O : o(S, O) in [n] }`: a counter for each group."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.ends: dict[Args, int] = {}
        self.buckets: dict[int, list[Args]] = {}
        self.counts: dict[Any, int] = defaultdict(int)
        self.answer: set[Args] = set()

    def step(self, t: int, facts: Facts) -> Changes:
        """What comes and goes moves the counters; those of the groups named now are read."""
        ends, counts = self.ends, self.counts
        end = t + self.n
        bucket = self.buckets[end] = []
        groups: list[Any] = []
        for predicate, args in facts:
            if predicate == "o":
                known = ends.get(args)
                if known is None:
                    counts[args[0]] += 1
                if known != end:
                    ends[args] = end
                    bucket.append(args)
            elif predicate == "s":
                groups.append(args[0])
        for args in self.buckets.pop(t - 1, ()):
            if ends[args] < t:
                del ends[args]
                group = args[0]
                counts[group] -= 1
                if not counts[group]:
                    del counts[group]
        before = self.answer
        answer = self.answer = {(group, counts.get(group, 0)) for group in groups}
        return list(zip(repeat("c"), answer - before)), list(zip(repeat("c"), before - answer))

    def holds(self) -> list[Fact]:
        """Each group named now with its count."""
        return list(zip(repeat("c"), self.answer))
