"""Generated programs and streams that use every feature of the language together.

Predicates: p/1, q/2, e/2, b/1, c/2 are input (and background), d0 … d4, f and g are derived, any of them at a
time point or now; f and g by blocks with fresh resources. A rule reads input and predicates up to its own
level; negation and aggregates look only at input and at lower levels, so every program is stratified, and the
checks reject the few that are not safe. A `Focus` says which features come often.

A program is made from one number by Python's own generator, which gives far more different programs than
drawing every choice does; hypothesis draws the number and what to leave out, so that a failure shrinks to the
rules, literals and atoms it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

from hypothesis import strategies as st

from laser_rdf.values import IRI, RDF_TYPE, XSD_INTEGER, Literal

INPUT = {"p": 1, "q": 2, "e": 2, "b": 1, "c": 2}
DERIVED = {"d0": 1, "d1": 2, "f": 1, "g": 2, "d2": 1, "d3": 2, "d4": 1}
LEVEL = {"d0": 0, "d1": 1, "f": 2, "g": 2, "d2": 3, "d3": 4, "d4": 5}
VALUES: dict[str, object] = {"k": "k", "1": 1, "2": 2}
ODD_VALUES: dict[str, object] = {
    '"01"^^xsd:integer': Literal("01", XSD_INTEGER),
    "1e0": 1.0,
    "true": True,
    '"k"': Literal("k"),
}
VARIABLES = ["X", "Y", "Z"]
STREAMS = ["left", "right"]

Fact = tuple[object, tuple[object, ...]]
Some = TypeVar("Some")


@dataclass(frozen=True)
class Focus:
    """How often features come: the chance of each."""

    name: str
    negation: float = 0.3
    aggregate: float = 0.25
    closure: float = 0.25
    own_level: float = 0.4
    """Bodies that may read the head's own predicate: recursion."""

    streamed_derived: float = 0.25
    plain: float = 0.2
    """Literals without a window."""

    counted: float = 0.12
    odd_values: float = 0.15
    rules: int = 4


EVERYTHING = Focus("everything")
FOCUSES = [
    EVERYTHING,
    Focus("negation", negation=0.5, aggregate=0.4, closure=0, own_level=0.1, rules=5),
    Focus("recursion", aggregate=0.15, closure=1, own_level=0.8, rules=5),
    Focus("windows", negation=0.2, aggregate=0.1, closure=0, plain=0.05, counted=0.3, rules=3),
    Focus("streamed", closure=0.3, streamed_derived=1, own_level=0.6),
]


@dataclass
class Scenario:
    """A program with a stream: (time, stream name, atoms) in order."""

    program: str
    background: list[Fact] = field(default_factory=list)
    elements: list[tuple[int, str | None, list[Fact]]] = field(default_factory=list)
    start: int | None = None
    advances: bool = False
    """Whether `advance` leads over the gaps, or steps without input to some of the points inside."""


class Luck:
    """Choices of one scenario."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def choose(self, options: Sequence[Some]) -> Some:
        return self.random.choice(options)

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def number(self, first: int, last: int) -> int:
        return self.random.randint(first, last)

    def time_window(self) -> str:
        kind = self.number(0, 9)
        if kind <= 4:
            return f"[{self.choose([0, 1, 2, 2, 3, 4, 6])}]"
        if kind <= 6:
            return f"[{self.number(0, 3)}, +{self.number(1, 3)}]"
        if kind == 7:
            return "[all]"
        back, ahead, step = self.number(0, 4), self.number(0, 2), self.number(2, 4)
        return f"[{max(back, step - 1 - ahead)}, +{ahead} step {step}]"

    def back_window(self) -> str:
        return self.choose(["[0]", "[1]", "[1]", "[2]", "[3]", "[all]"])


class Body:
    """A body under construction: which variables are bound by what has been written."""

    def __init__(self, luck: Luck, focus: Focus, names: list[str], constants: list[str]) -> None:
        self.luck = luck
        self.focus = focus
        self.bound: set[str] = set()
        self.times: set[str] = set()
        self.names = names
        self.constants = constants

    def atom(self, name: str, arity: int, *, safe: bool = False) -> str:
        """An atom; a safe one has only bound variables."""
        args: list[str] = []
        for _ in range(arity):
            names = (sorted(self.bound) or ["_"]) if safe else self.names
            other = [n for n in names if n not in args] or names
            kind = self.luck.number(0, 19)
            if kind == 0:
                args.append(self.luck.choose(self.constants))
            elif kind <= 2:
                args.append("_")
            else:  # the same variable twice in an atom is rare
                args.append(self.luck.choose(names if kind == 3 else other))
        if not safe:
            self.bound |= set(args) & set(self.names)
        return f"{name}({', '.join(args)})"

    def triple(self, *, safe: bool) -> str:
        """`triple(S, P, O)` or `rdf:type(S, C)`, with a name or a variable for the property."""
        own = (sorted(self.bound) or ["_"]) if safe else self.names
        subject, value = self.luck.choose(own), self.luck.choose([*own, "_"])
        if self.luck.chance(0.3):
            atom = [subject, self.luck.choose(["p", "b", "d0", "d2", value])]
            text = f"rdf:type({', '.join(atom)})"
        else:
            atom = [subject, self.luck.choose(["q", "e", "c", "d1", value]), value]
            text = f"triple({', '.join(atom)})"
        if not safe:
            self.bound |= set(atom) & set(self.names)
        return text

    def time(self, *, safe: bool) -> str:
        """What stands behind `at`: a variable that it binds, or an expression of bound ones."""
        if self.times and self.luck.chance(0.3):
            return f"{self.luck.choose(sorted(self.times))} + {self.luck.choose(['0', '1'])}"
        if safe or self.luck.chance(0.1):
            return self.luck.choose([*sorted(self.times), *sorted(self.bound), "3"])
        time = self.luck.choose(["T", "S"])
        self.times.add(time)
        return time

    def literal(self, predicates: dict[str, int], *, safe: bool = False) -> str:
        luck = self.luck
        name = luck.choose(sorted(predicates))
        on = f" on {luck.choose(STREAMS)}" if luck.chance(0.05) else ""
        if luck.chance(0.06):
            return f"{self.block(safe=safe)}{on}"
        if luck.chance(0.06):
            window = luck.choose(["", f" in {luck.time_window()}", f" at {self.time(safe=safe)} in [3]"])
            return f"{self.triple(safe=safe)}{window}"
        if name in INPUT and luck.chance(self.focus.counted):
            return self.counted(name, safe=safe) + on
        atom = self.atom(name, predicates[name], safe=safe)
        on = on if name in INPUT else ""
        if luck.chance(self.focus.plain):
            return f"{atom}{on}"
        kind = luck.number(0, 12)
        if kind <= 5:
            return f"{atom} in {luck.time_window()}{on}"
        if kind == 6:
            return f"{atom} always in {luck.back_window()}{on}"
        if kind <= 9:
            return f"{atom} at {self.time(safe=safe)} in {luck.time_window()}{on}"
        if kind == 10:
            return f"{atom} at {self.time(safe=safe)}{on}"
        if kind == 11:
            return f"{atom} now in {luck.time_window()}{on}"
        return f"{atom} {self.reference(safe=safe)}{on}"

    def reference(self, *, safe: bool) -> str:
        """A window taken at another time than now."""
        times = sorted(self.times)
        reference = self.luck.choose([*times, *times, *(f"{t} + 1" for t in times), "3", "5"])
        how = self.luck.choose(["in", "in", "at", "at", "now in", "in", "in", "always in"])
        how = f"at {self.time(safe=safe)} in" if how == "at" else how
        window = self.luck.back_window() if how == "always in" else self.luck.time_window()
        return f"{how} {window} from {reference}"

    def counted(self, name: str, *, safe: bool) -> str:
        """A tuple or a partition window."""
        luck = self.luck
        quantifier = f"at {self.time(safe=safe)} " if luck.chance(0.3) else ""
        inside = ["X", "Y"][: INPUT[name]]
        if set(inside) <= (self.bound if safe else set(self.names)) and luck.chance(0.4):
            self.bound |= set(inside)
            per = luck.choose([*inside, ", ".join(inside)])
            return f"{name}({', '.join(inside)}) {quantifier}in [#{luck.number(1, 3)} per {per}]"
        atom = self.atom(name, INPUT[name], safe=safe)
        if luck.chance(0.05):
            quantifier = luck.choose(["now ", "always "])
        window = luck.choose(["[#1]", "[#3]", "[#6]", "[#2 of p]", "[#3 of q/2]", "[#4 of e]", "[#9]"])
        return f"{atom} {quantifier}in {window}"

    def block(self, *, safe: bool) -> str:
        luck = self.luck
        own = sorted(self.bound) if safe else self.names
        variables = [f"?{name}" for name in own] or ["_:n"]
        patterns = []
        for _ in range(luck.number(1, 2)):
            subject = luck.choose([*variables, *variables, "_:n", "k"])
            if luck.chance(0.25):
                patterns.append(f"{subject} a {luck.choose(['p', 'b'])}")
                continue
            other = luck.choose([*variables, *variables, "[]", "_:n", "k", "1"])
            patterns.append(f"{subject} {luck.choose(['q', 'e', 'c'])} {other}")
        inside = " . ".join(patterns)
        used = [name for name in own if f"?{name}" in inside.split()]
        if not safe:
            self.bound |= set(used)
        if len(used) > 1 and luck.chance(0.3):
            inside += f" . ?{used[0]} != ?{used[1]}"
        kind = luck.number(0, 7)
        if kind <= 1:
            return f"{{ {inside} }}"
        if kind == 2:
            return f"{{ {inside} }} always in [1]"
        if kind <= 4:
            return f"{{ {inside} }} at {self.time(safe=safe)} in {luck.time_window()}"
        return f"{{ {inside} }} in {luck.time_window()}"

    def aggregate(self, target: str, predicates: dict[str, int]) -> str:
        luck = self.luck
        inner = Body(luck, self.focus, ["U", "W", *sorted(self.bound)], self.constants)
        items = [inner.literal(predicates) for _ in range(luck.choose([1, 1, 2]))]
        local = sorted((inner.bound | inner.times) - self.bound) or ["1"]
        if luck.chance(0.25):
            items.append(f"not {inner.literal(predicates, safe=True)}")
        function = luck.choose(["count", "count", "sum", "min", "max", "avg"])
        members = ", ".join([luck.choose(local)] + ([luck.choose(local)] if luck.chance(0.5) else []))
        self.bound.add(target)
        return f"{target} := {function} {{ {members} : {', '.join(items)} }}"


def _rule(
    luck: Luck, focus: Focus, head: str, heads: list[str], constants: list[str]
) -> tuple[str, list[str]]:
    """A rule for a predicate, in a program that has rules for these heads: its head and its body."""
    lower = {name: DERIVED[name] for name in heads if LEVEL[name] < LEVEL[head]}
    body = Body(luck, focus, VARIABLES, constants)
    recursive = head not in ("f", "g") and luck.chance(focus.own_level)
    own = {head: DERIVED[head]} if recursive else {}
    # What rules derive is read as often as input, so that programs have several layers.
    sources = [INPUT, INPUT, lower or INPUT, (own | lower) or INPUT]
    items = [body.literal(luck.choose(sources)) for _ in range(luck.choose([1, 1, 2, 2, 3]))]
    seen = [INPUT, lower or INPUT]
    for _ in range(2):
        if luck.chance(focus.negation):
            items.append(f"not {body.literal(luck.choose(seen), safe=True)}")
    for target in ("N", "M"):
        if luck.chance(focus.aggregate):
            items.append(body.aggregate(target, luck.choose(seen)))
            if luck.chance(0.25):
                items.append(f"{target} > {luck.number(0, 2)}")
    if luck.chance(0.2) and {"X", "Y"} <= body.bound:
        items.append(
            luck.choose(["X < 3", "X != 1", "V = X + 1", "V := X", "V := X * 2", "X = Y", "X >= 1", "X != Y"])
        )
        body.bound |= {"V"} if items[-1].startswith("V") else set()
    known = sorted(body.bound | body.times) or ["k"]
    arguments = [luck.choose([*known, *known, "k"]) for _ in range(DERIVED[head])]
    times = sorted(body.times)
    ats = ["", "", " at 3", *(f" at {t}" for t in times * 2), *(f" at {t} + 1" for t in times)]
    return _head(luck, head, arguments) + luck.choose(ats), items


def _head(luck: Luck, head: str, arguments: list[str]) -> str:
    if head not in ("f", "g"):
        return f"{head}({', '.join(arguments)})"
    nodes = [f"?{arg}" if arg[0].isupper() else arg for arg in arguments]
    blocks = {
        "f": [f"{{ {nodes[0]} a f }}", "{ _:n a f }", f"{{ {nodes[0]} g [ a f ] }}"],
        "g": [f"{{ {nodes[0]} g _:n }}", f"{{ _:n g {nodes[-1]} . _:n a f }}"],
    }
    return luck.choose(blocks[head])


EXTRAS = [
    "d0(k).",
    "d0(1) at 4.",
    "b(1).",
    "c(k, 1).",
    "d2(X) at T :- d2(X) at T in [2].",
    "d2(k).",
    "d4(N) :- N := count { X : p(X) in [2] }.",
    "d3(X, X) :- d2(X).\nd2(X) :- d3(X, Y).",
    "#show d1, d2/1, d3, d4/1 .",
    "#show d0 .",
]
CLOSURES = [
    "d1(X, Y) :- e(X, Y) in [2].\nd1(X, Z) :- d1(X, Y), e(Y, Z) in [3].",
    "d1(X, Y) :- e(X, Y) in [3], not p(X).\nd1(X, Z) :- d1(X, Y), d1(Y, Z).",
    "d1(X, Y) at T :- e(X, Y) at T in [3].\nd1(X, Z) at T :- d1(X, Y) at T, q(Y, Z) at T in [3].",
    "d1(X, Y) :- e(X, Y) in [#4], not b(X) in [1].\nd1(X, Z) :- d1(X, Y), e(Y, Z) in [2], not c(X, Z).",
    "d1(X, Y) :- q(X, Y) in [2].\nd0(X) :- d1(X, _), p(X) in [3].\nd1(X, Y) :- d0(X), e(X, Y) in [2].",
    "d3(X, Y) :- e(X, Y) in [4], N := count { U : q(X, U) in [2] }, N < 2.\nd3(X, Z) :- d3(X, Y), d3(Y, Z).",
    "d0(X) :- p(X) in [1].\nd0(V) :- d0(X), V := X + 1, V < 6.",
    "d1(X, Y) at T :- e(X, Y) at T in [2, +1].\nd1(X, Y) at V :- d1(X, Y) at T, not b(Y), V := T + 1, V < 9.",
]


@st.composite
def scenarios(draw: st.DrawFn, focus: Focus = EVERYTHING) -> Scenario:
    """A program with its background and stream.

    Exactly two draws of two kinds: hypothesis varies what it draws several times in one way, and would try
    each program five times with other luck instead of five programs.
    """
    seed = draw(st.integers(0, 2**24 - 1))
    kept = iter(draw(st.binary(min_size=256, max_size=256)))
    return _scenario(Luck(seed), focus, lambda: next(kept, 1) != 0)


def scenario(seed: int, focus: Focus) -> Scenario:
    """The scenario of a number, whole."""
    return _scenario(Luck(seed), focus, lambda: True)


def _scenario(luck: Luck, focus: Focus, keep: Callable[[], bool]) -> Scenario:
    odd = luck.chance(focus.odd_values)
    values = VALUES | ODD_VALUES if odd else VALUES
    lines = ["PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>"] if odd else []
    lines.append("PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>")
    lines.append("#external p/1, q/2, e/2, b/1, c/2 .")
    heads = [luck.choose(sorted(DERIVED)) for _ in range(luck.number(1, focus.rules))]
    closing = [luck.choose(CLOSURES)] if luck.chance(focus.closure) else []
    known = sorted({*heads, *(name for name in DERIVED if any(name + "(" in rule for rule in closing))})
    for head in heads:
        written, items = _rule(luck, focus, head, known, sorted(values))
        if keep():
            body = [item for item in items if keep()] or items
            lines.append(f"{written} :- {', '.join(body)}.")
    if luck.chance(0.25):
        closing.append(luck.choose(EXTRAS))
    lines += [rule for rule in closing if keep()]
    given = {"b": 1, "c": 2, "q": 2, "p": 1, "d0": 1}
    background = [_ground(luck, given, values) for _ in range(luck.choose([0, 0, 1, 2]))]
    background = [fact for fact in background if keep()]
    return Scenario("\n".join(lines), background, *_stream(luck, focus, values, keep))


def _stream(
    luck: Luck, focus: Focus, values: dict[str, object], keep: Callable[[], bool]
) -> tuple[list[tuple[int, str | None, list[Fact]]], int | None, bool]:
    """The elements of a scenario, where its timeline starts and how gaps are passed."""
    arriving = INPUT | DERIVED if luck.chance(focus.streamed_derived) else INPUT
    time = luck.number(0, 3)
    start = luck.choose([None, None, None, max(0, time - 2)])
    elements = []
    # Few atoms come again and again, so that they join, cover windows and count.
    pool = [_ground(luck, {name: arity}, values) for name, arity in arriving.items() for _ in range(3)]
    for _ in range(luck.number(3, 8)):
        stream = luck.choose([None, None, None, *STREAMS])
        facts = [luck.choose(pool) for _ in range(luck.choose([0, 5, 8, 10, 12]))]
        if keep():
            elements.append((time, stream, [fact for fact in facts if keep()]))
        time += luck.choose([0, 1, 1, 1, 2, 5])
    return elements, start, luck.chance(0.4)


def _ground(luck: Luck, predicates: dict[str, int], values: dict[str, object]) -> Fact:
    name = luck.choose(sorted(predicates))
    usual = [*values.values(), *VALUES.values(), 1]
    args = tuple(luck.choose(usual) for _ in range(predicates[name]))
    if luck.chance(0.95):
        return name, args
    return (IRI(RDF_TYPE), (*args, name)) if len(args) == 1 else ("triple", (args[0], name, args[1]))
