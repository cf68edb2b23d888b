"""The synthetic scenario of the DOTR paper (its section 5), at any size: data, queries, rules.

Sensors in rooms report values. A rule tells of a value A when there was a value B in the same room in the 30
seconds before. Rules differ in a threshold X, which every value exceeds, so that every rule finds the same:

    define CE = [dotr_id1 :has_val ?num]  from A and last B within 30s from A  with CE.?num = A.?valA

Nothing of B gets into that result. So `last` says no more there than that there is one, and the rule of the
selection `any` says just this. With `last` and `each` the result also names the B that were selected.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

import pyoxigraph as ox

from laser_rdf.errors import UsageError

ANY, LAST, EACH = "any", "last", "each"
SELECTIONS = (ANY, LAST, EACH)
IN_QUERIES, IN_RULES = "queries", "rules"
"""Where the thresholds stand: in two event queries per rule, or in the rules, over two queries for all."""

BASE = "http://example.org/dotr#"
PREFIX = f"PREFIX : <{BASE}>\n"
SENSORS, ROOMS, WITHIN, TRIGGERS = 10, 5, 30, 0.2
LOWEST, HIGHEST = 10_001, 1_000_000
"""The values; thresholds are below them."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """The numbers that are varied; `length` counts the events of a pattern, with the first."""

    rules: int = 10
    background: int = 10_000
    datalog: int = 10
    length: int = 2
    selection: str = ANY
    filters: str = IN_QUERIES

    def __post_init__(self) -> None:
        if self.selection == ANY and self.length != 2:
            raise UsageError("a pattern that selects `any` has two events: choose `last` or `each`")


def background(size: int) -> Iterator[ox.Triple]:
    """Where the sensors are, and attributes of sensors up to so many triples.

    >>> found = list(background(1000))
    >>> len(found), found[5].predicate.value.removeprefix(BASE), found[-1].predicate.value.removeprefix(BASE)
    (1000, 'equips', 'attribute8')
    """
    places = _places()
    yield from places
    for number in range(size - len(places)):
        attribute = number // SENSORS % SENSORS
        yield ox.Triple(
            _node(f"sensor{number % SENSORS + 1}"),
            _node(f"attribute{attribute + 1}"),
            _node(f"value{number}"),
        )


def _places() -> list[ox.Triple]:
    rooms = range(1, ROOMS + 1)
    found = [ox.Triple(_node(f"room{r}"), _node("number"), ox.Literal(r)) for r in rooms]
    for sensor in range(1, SENSORS + 1):
        thing = _node(f"object{sensor}")
        found.append(ox.Triple(_node(f"sensor{sensor}"), _node("equips"), thing))
        found.append(ox.Triple(thing, _node("placed_in"), _node(f"room{room_of(sensor)}")))
    return found


def room_of(sensor: int) -> int:
    """The room that a sensor is in; there are two objects in each, with a sensor each.

    >>> [room_of(sensor) for sensor in (1, 2, 3, 10)]
    [1, 1, 2, 5]
    """
    return (sensor - 1) // (SENSORS // ROOMS) + 1


def readings(graphs: int, seed: int = 1) -> list[tuple[int, str, int, int]]:
    """What is streamed, a reading per second: time, kind, sensor, value.

    >>> readings(2)
    [(1, 'A', 2, 277460), (2, 'A', 8, 505186)]
    """
    chance = random.Random(seed)  # noqa: S311 - a benchmark's data, no secret
    return [
        (
            time,
            "A" if chance.random() < TRIGGERS else "B",
            chance.randint(1, SENSORS),
            chance.randint(LOWEST, HIGHEST),
        )
        for time in range(1, graphs + 1)
    ]


def stream(graphs: int, seed: int = 1) -> bytes:
    """The same as a TriG log, a graph of one triple per second."""
    lines = [f"{PREFIX}PREFIX prov: <http://www.w3.org/ns/prov#>\n"]
    for time, kind, sensor, value in readings(graphs, seed):
        lines.append(f":g{time} prov:generatedAtTime {time} .\n")
        lines.append(f":g{time} {{ :sensor{sensor} :read_val{kind} {value} }}\n")
    return "".join(lines).encode()


def datalog(number: int) -> str:
    """The rule for rooms, and more like it; half of them derive a triple from a reading A, half from a B.

    >>> print(datalog(2).partition("> ")[0])
    PREFIX : <http://example.org/dotr#>
    :is_in_room(?s, ?r) :- :equips(?s, ?o), :placed_in(?o, ?r) .
    :derived1(?o, ?v) :- :equips(?s, ?o), :read_valA(?s, ?v) .
    :derived2(?o, ?v) :- :equips(?s, ?o), :read_valB(?s, ?v) .
    <BLANKLINE>
    """
    lines = [f"{PREFIX}:is_in_room(?s, ?r) :- :equips(?s, ?o), :placed_in(?o, ?r) .\n"]
    for i in range(1, number + 1):
        lines.append(f":derived{i}(?o, ?v) :- :equips(?s, ?o), :read_val{'BA'[i % 2]}(?s, ?v) .\n")
    return "".join(lines)


def queries(scenario: Scenario) -> dict[str, str]:
    """The event queries by their names.

    >>> print(queries(Scenario(rules=1))["b0"].partition("SELECT")[2])
     ?s ?v ?r WHERE { ?s :read_valB ?v ; :is_in_room ?r FILTER(?v > 0) }
    >>> list(queries(Scenario(rules=500, filters="rules")))
    ['a', 'b']
    """
    if scenario.filters == IN_RULES:
        return {name: _query(name, "") for name in "ab"}
    return {f"{name}{x}": _query(name, f" FILTER(?v > {x})") for x in range(scenario.rules) for name in "ab"}


def _query(name: str, filtered: str) -> str:
    pattern = f"?s :read_val{name.upper()} ?v ; :is_in_room ?r{filtered}"
    return f"{PREFIX}SELECT ?s ?v ?r WHERE {{ {pattern} }}"


def program(scenario: Scenario) -> str:
    """The rules; the threshold of each is its number.

    >>> print(program(Scenario(rules=1)).partition("> ")[0].splitlines()[1])
    { [] :has_val ?v } at ?t :- a0(_, ?v, ?r) at ?t in [0], b0(_, _, ?r) in [30 s] .
    """
    return PREFIX + "".join(_rule(scenario, x) for x in range(scenario.rules))


def _rule(scenario: Scenario, x: int) -> str:
    in_rules = scenario.filters == IN_RULES
    a, b = ("a", "b") if in_rules else (f"a{x}", f"b{x}")

    def above(variable: str) -> str:
        return f", ?{variable} > {x}" if in_rules else ""

    def other(variable: str) -> str:
        """A value that only the threshold looks at."""
        return f"?{variable}" if in_rules else "_"

    head, body = "[] :has_val ?v", [f"{a}(_, ?v, ?r) at ?t in [0]{above('v')}"]
    if scenario.selection == ANY:
        body.append(f"{b}(_, {other('w')}, ?r) in [{WITHIN} s]{above('w')}")
        return f"{{ {head} }} at ?t :- {', '.join(body)} .\n"
    for i in range(1, scenario.length):
        window = f"in [{WITHIN * i} s]"
        if scenario.selection == EACH:
            body.append(f"{b}(_, ?w{i}, ?r) at ?t{i} {window}{above(f'w{i}')}{_before(i, f't{i}')}")
        else:
            among = f"{b}(_, {other(f'x{i}')}, ?r) at ?u{i} {window}{above(f'x{i}')}{_before(i, f'u{i}')}"
            body.append(f"?t{i} := max {{ ?u{i} : {among} }}, {b}(_, ?w{i}, ?r) at ?t{i} {window}")
        head += f" ; :after{i} ?w{i}"
    return f"{{ {head} }} at ?t :- {', '.join(body)} .\n"


def _before(i: int, time: str) -> str:
    """That an event of a longer pattern lies in the 30 s before the one that is next to it."""
    return "" if i == 1 else f", ?{time} < ?t{i - 1}, ?{time} >= ?t{i - 1} - {WITHIN}"


def _node(name: str) -> ox.NamedNode:
    return ox.NamedNode(BASE + name)
