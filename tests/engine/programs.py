"""Generated programs and streams that use every feature of the language together.

Predicates: p/1, q/2, e/2 are input, b/1 and c/2 may also be background, d0 … d3 are derived (d0, d2 of arity 1;
d1, d3 of arity 2), any of them at a time point or now. Negation and aggregates look only at input and at
lower-numbered predicates, so every program is stratified; the checks reject the few that are not safe.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import strategies as st

INPUT = {"p": 1, "q": 2, "e": 2, "b": 1, "c": 2}
DERIVED = {"d0": 1, "d1": 2, "d2": 1, "d3": 2}
CONSTANTS = ["k", "1", "2"]
VARIABLES = ["X", "Y", "Z"]


@dataclass
class Scenario:
    """A program with a stream: (time, stream name, atoms) in order."""

    program: str
    background: list[tuple[str, tuple[object, ...]]] = field(default_factory=list)
    elements: list[tuple[int, str | None, list[tuple[str, tuple[object, ...]]]]] = field(default_factory=list)


def _value(text: str) -> object:
    return int(text) if text.isdigit() else text


constants = st.sampled_from(CONSTANTS)
time_windows = st.one_of(
    st.integers(0, 4).map(lambda n: f"[{n}]"),
    st.integers(0, 4).map(lambda n: f"[{n}]"),
    st.tuples(st.integers(0, 3), st.integers(1, 2)).map(lambda t: f"[{t[0]}, +{t[1]}]"),
    st.just("[all]"),
    st.tuples(st.integers(0, 4), st.integers(0, 1), st.integers(1, 3)).map(
        lambda t: f"[{max(t[0], t[2] - 1 - t[1])}, +{t[1]} step {t[2]}]"
    ),
)
back_windows = st.one_of(st.integers(0, 3).map(lambda n: f"[{n}]"), st.just("[all]"), st.just("[3 step 2]"))


class Body:
    """A body under construction: what is written, and which variables are bound by it."""

    def __init__(self, draw: st.DrawFn, bound: set[str] | None = None, names: list[str] | None = None) -> None:
        self.draw = draw
        self.items: list[str] = []
        self.bound: set[str] = set(bound or ())
        self.times: set[str] = set()
        self.names = names or VARIABLES

    def choose(self, options: list[str]) -> str:
        return self.draw(st.sampled_from(options))

    def chance(self, outcomes: int) -> bool:
        return self.draw(st.integers(0, outcomes - 1)) == 0

    def atom(self, name: str, arity: int, *, safe: bool = False) -> str:
        """An atom; a safe one has only bound variables."""
        args = []
        for _ in range(arity):
            if self.chance(9):
                args.append(self.draw(constants))
            elif self.chance(8):
                args.append("_")
            elif safe:
                args.append(self.choose(sorted(self.bound)) if self.bound else "_")
            else:
                args.append(self.choose(self.names))
        if not safe:
            self.bound |= {arg for arg in args if arg in self.names}
        return f"{name}({', '.join(args)})"

    def time(self, *, safe: bool) -> str:
        """What stands behind `at`: a variable that it binds, or an expression of bound ones."""
        if self.times and self.chance(3):
            return f"{self.choose(sorted(self.times))} + {self.choose(['0', '1'])}"
        if safe or self.chance(6):
            return self.choose(sorted(self.bound | self.times) or ["3"])
        time = self.choose(["T", "S"])
        self.times.add(time)
        return time

    def literal(self, predicates: dict[str, int], *, safe: bool = False) -> str:
        name = self.choose(sorted(predicates))
        if name in INPUT and self.chance(12):
            return self.block(safe=safe)
        kind = self.draw(st.integers(0, 13))
        if kind == 11 and name in INPUT:
            inside = ["X", "Y"][: INPUT[name]]
            if not safe or set(inside) <= self.bound:
                self.bound |= set(inside)
                quantifier = "" if safe or not self.chance(4) else f"at {self.time(safe=safe)} "
                return f"{name}({', '.join(inside)}) {quantifier}in [#{self.draw(st.integers(1, 2))} per X]"
        atom = self.atom(name, predicates[name], safe=safe)
        if kind <= 2:
            return f"{atom} in {self.draw(time_windows)}"
        if kind <= 4:
            return atom
        if kind == 5:
            return f"{atom} always in {self.draw(back_windows)}"
        if kind in (6, 7):
            return f"{atom} at {self.time(safe=safe)} in {self.draw(time_windows)}"
        if kind == 8:
            return f"{atom} at {self.time(safe=safe)}"
        if kind == 9:
            return f"{atom} now in {self.draw(time_windows)}"
        if kind == 10 and name in INPUT:
            quantifier = f"at {self.time(safe=safe)} " if self.chance(3) else ""
            return f"{atom} {quantifier}in {self.choose(['[#1]', '[#3]', '[#2 of p]', '[#2 of q/2]'])}"
        if kind == 12:
            reference = self.choose([*sorted(self.times), *(f"{t} + 1" for t in sorted(self.times)), "3"])
            how = self.choose(["in", "at", "always in", "now in"])
            how = f"at {self.time(safe=safe)} in" if how == "at" else how
            window = self.draw(back_windows if how == "always in" else time_windows)
            return f"{atom} {how} {window} from {reference}"
        if kind == 13 and name in INPUT:
            return f"{atom} in [2] on {self.choose(['left', 'right'])}"
        return f"{atom} in [2]"

    def block(self, *, safe: bool) -> str:
        own = sorted(self.bound) if safe else self.names
        variables = [f"?{name}" for name in own] or ["_:n"]
        patterns = []
        for _ in range(self.draw(st.integers(1, 2))):
            subject = self.choose([*variables, "_:n", "k"])
            if self.chance(4):
                patterns.append(f"{subject} a p")
                continue
            other = self.choose([*variables, "[]", "_:n", "k", "1"])
            patterns.append(f"{subject} {self.choose(['q', 'e', 'c'])} {other}")
        inside = " . ".join(patterns)
        used = [name for name in own if f"?{name}" in inside.split()]
        if not safe:
            self.bound |= set(used)
        if len(used) > 1 and self.chance(3):
            inside += f" . ?{used[0]} != ?{used[1]}"
        window = self.draw(st.one_of(st.just(""), time_windows.map(lambda w: f" in {w}"), st.just(" always in [1]")))
        return f"{{ {inside} }}{window}"

    def aggregate(self, predicates: dict[str, int]) -> str:
        inner = Body(self.draw, names=["U", "W", *sorted(self.bound)])
        items = [inner.literal(predicates) for _ in range(self.draw(st.integers(1, 2)))]
        local = sorted(inner.bound - self.bound) or ["1"]
        if self.chance(4):
            items.append(f"not {inner.literal(predicates, safe=True)}")
        function = self.choose(["count", "sum", "min", "max", "avg"])
        members = ", ".join([self.choose(local)] + ([self.choose(local)] if self.chance(2) else []))
        self.bound.add("N")
        return f"N := {function} {{ {members} : {', '.join(items)} }}"


@st.composite
def rules(draw: st.DrawFn, index: int, head: str) -> str:
    lower = {name: arity for name, arity in DERIVED.items() if int(name[1]) < index}
    readable = INPUT | {name: arity for name, arity in DERIVED.items() if int(name[1]) <= index}
    body = Body(draw)
    items = [body.literal(readable) for _ in range(draw(st.integers(1, 3)))]
    if body.chance(3):
        items.append(f"not {body.literal(INPUT | lower, safe=True)}")
    if body.chance(5) and "X" in body.bound:
        items.append(body.choose(["X < 3", "X != 1", "V = X + 1", "V := X", "V := X * 2"]))
        body.bound |= {"V"} if items[-1].startswith("V") else set()
    if body.chance(4):
        items.append(body.aggregate(INPUT | lower))
    known = sorted(body.bound | body.times) or ["k"]
    arguments = [body.choose([*known, "k"]) for _ in range(DERIVED[head])]
    times = sorted(body.times)
    ats = ["", "", "", " at 3", *(f" at {t}" for t in times), *(f" at {t} + 1" for t in times)]
    return f"{head}({', '.join(arguments)}){body.choose(ats)} :- {', '.join(items)}."


@st.composite
def scenarios(draw: st.DrawFn) -> Scenario:
    """A program with its background and stream."""
    lines = ["#external p/1, q/2, e/2, b/1, c/2 ."]
    heads = draw(st.lists(st.sampled_from(sorted(DERIVED)), min_size=1, max_size=4))
    lines += [draw(rules(int(head[1]), head)) for head in heads]
    if draw(st.integers(0, 3)) == 0:
        lines += ["d1(X, Y) :- e(X, Y) in [2].", "d1(X, Z) :- d1(X, Y), e(Y, Z) in [3]."]
    if draw(st.integers(0, 5)) == 0:
        lines.append(draw(st.sampled_from(["d0(k).", "d0(1) at 4.", "b(1).", "d2(X) at T :- d2(X) at T in [2]."])))
    background = draw(st.lists(ground({"b": 1, "c": 2, "q": 2, "d0": 1}), max_size=2))
    arriving = INPUT | DERIVED if draw(st.integers(0, 3)) == 0 else INPUT
    elements = []
    time = draw(st.integers(0, 3))
    for _ in range(draw(st.integers(2, 7))):
        stream = draw(st.sampled_from([None, None, None, "left", "right"]))
        elements.append((time, stream, draw(st.lists(ground(arriving), max_size=7))))
        time += draw(st.sampled_from([0, 1, 1, 1, 2, 5]))
    return Scenario("\n".join(lines), background, elements)


@st.composite
def ground(draw: st.DrawFn, predicates: dict[str, int]) -> tuple[str, tuple[object, ...]]:
    name = draw(st.sampled_from(sorted(predicates)))
    return name, tuple(_value(draw(constants)) for _ in range(predicates[name]))
