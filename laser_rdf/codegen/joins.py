"""One join as nested loops: a fold over the ordered items of a body, from the first to the last.

There are three modes of the same fold:

    add       rows that hold now are joined, the horizon is the least of theirs, heads go to `pending`
    withdraw  rows are joined whatever their horizon, heads go to the list of what may have to go
    rederive  the head is given; the best horizon of all joins that give it is kept

    for k1 in x3_0.get(v1, NONE):          # r(Y, Z) by column 1
        h1 = r3[k1]
        if h1 >= now:
            ...
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import assert_never

from laser_rdf.check import Everything, TimeSpan
from laser_rdf.codegen.writer import Constants, Lines
from laser_rdf.lang.ast import Binary, Call, Comparison, Const, Expr, Unary, Var
from laser_rdf.plan.core import (
    Absent,
    C,
    Fresh,
    Group,
    HeadRow,
    InPhase,
    Let,
    Match,
    NotEmptyAt,
    NowWithinAt,
    Opened,
    PointInPhase,
    Relation,
    Slot,
    Started,
    Test,
    Ticking,
    TimeOf,
    V,
    Within,
    WithinAt,
)
from laser_rdf.plan.order import Lookup, Step
from laser_rdf.values import Term

MAX_LOOPS = 12
MAX_INDENT = 40


class Mode(enum.Enum):
    """What a join is for."""

    ADD = "add"
    WITHDRAW = "withdraw"
    REDERIVE = "rederive"


@dataclass
class Names:
    """What the generated code calls things, and what it turned out to need."""

    numbers: Mapping[Relation, int]
    constants: Constants
    encode: Callable[[Term], object]
    functions: list[Lines] = field(default_factory=list)
    indexes: dict[Relation, dict[tuple[int, ...], None]] = field(default_factory=dict)
    lookups: set[Relation] = field(default_factory=set)
    delayed: set[Relation] = field(default_factory=set)
    zero_groups: frozenset[int] = frozenset()

    def constant(self, term: Term) -> str:
        """The name of a term of the program."""
        return self.constants.name(self.encode(term))

    def index(self, relation: Relation, columns: tuple[int, ...]) -> str:
        """The name of an index, which is noted to be made."""
        self.indexes.setdefault(relation, {})[columns] = None
        return f"x{self.numbers[relation]}_{'_'.join(map(str, columns))}"


@dataclass(frozen=True)
class Place:
    """Where in the nest of loops the fold is."""

    indent: int
    env: Mapping[str, str]
    horizon: str | None
    """The name that holds the horizon so far; None while nothing limits it."""

    row: tuple[int, str] | None = None
    """A row of the join, by relation number and name: what is looked at again when a window opens later."""

    loops: int = 0
    count: int = 0
    """How many names have been used up."""


class Join:
    """Writes one join into a piece of source."""

    def __init__(self, names: Names, mode: Mode, title: str) -> None:
        self.names = names
        self.mode = mode
        self.title = title
        self.parts = 0
        self.inside_part = False
        self.integers: dict[str, None] = {}
        """Columns of the row the join starts from that are tested to be integers, once for all joins."""

        self.shares_columns = False
        self.first_row: tuple[Slot, ...] = ()
        """The row the join starts from; a head that repeats it takes it as it is."""

        self.collected: dict[tuple[int, str], None] = {}
        """Tables whose rows are collected in a list of the function, because all have one horizon."""

        self.out = Lines()

    # --- the fold --------------------------------------------------------------------------------------

    def write(self, steps: list[Step], place: Place, finish: Callable[[Place], None]) -> None:
        """Write the items one inside the other, and `finish` inside the last."""
        if not steps:
            finish(place)
        elif place.loops >= MAX_LOOPS or place.indent >= MAX_INDENT:
            self._split(steps, place, finish)
        else:
            after = self._step(steps[0], place)
            self.write(steps[1:], after, finish)

    def _split(self, steps: list[Step], place: Place, finish: Callable[[Place], None]) -> None:
        """Go on in a function of its own: Python allows only so many loops inside one another."""
        self.parts += 1
        name = f"{self.title}_part{self.parts}"
        given = dict.fromkeys([*place.env.values(), *([place.horizon] if place.horizon else [])])
        given.update(dict.fromkeys([place.row[1]] if place.row else []))
        if self.mode is Mode.REDERIVE:
            self.out.add(place.indent, f"best = {name}({', '.join([*given, 'now', 'key', 'best'])})")
        else:
            self.out.add(place.indent, f"{name}({', '.join([*given, 'now'])})")
        outer, self.out = self.out, Lines()
        extra = ["now", "key", "best"] if self.mode is Mode.REDERIVE else ["now"]
        self.out.add(0, f"def {name}({', '.join([*given, *extra])}):")
        outside, self.inside_part = self.inside_part, True
        self.write(steps, replace(place, indent=1, loops=0), finish)
        self.inside_part = outside
        self.out.add(1, "return best" if self.mode is Mode.REDERIVE else "return")
        self.names.functions.append(self.out)
        self.out = outer

    def _step(self, step: Step, place: Place) -> Place:
        match step:
            case Lookup():
                return self._lookup(step, place)
            case Absent(relation=relation, row=row):
                return self._absent(relation, row, place)
            case Group():
                return self._group(step, place)
            case Let(target=target, value=value):
                return self._let(target, value, place)
            case Test(comparison=comparison):
                return self._test(comparison, place)
            case TimeOf():
                return self._time_of(step, place)
            case Match():
                raise AssertionError("the join order turns matches into lookups")
            case Within() | NowWithinAt() | Ticking() | InPhase() | Opened():
                return self._horizon(step, place)
            case WithinAt(time=time, reference=reference, window=window):
                first, last = self._bounds(window, place.env[reference.name])
                return self._if(f"{first} <= {place.env[time.name]} <= {last}", place)
            case NotEmptyAt(reference=reference, window=window):
                first, last = self._bounds(window, place.env[reference.name])
                return self._if(f"{first} <= {last}", place)
            case PointInPhase(time=time, window=window):
                return self._if(f"{place.env[time.name]} % {window.step} <= {window.ahead}", place)
            case Started(time=time):
                return self._if(f"{place.env[time.name]} >= rt.start", place)
            case _:
                assert_never(step)

    def condition(self, condition: str, place: Place) -> Place:
        """A condition around all that follows."""
        return self._if(condition, place)

    def _if(self, condition: str, place: Place) -> Place:
        self.out.add(place.indent, f"if {condition}:")
        return replace(place, indent=place.indent + 1)

    def _name(self, place: Place, letter: str = "t") -> tuple[str, Place]:
        return f"{letter}{place.count}", replace(place, count=place.count + 1)

    # --- rows ------------------------------------------------------------------------------------------

    def _lookup(self, step: Lookup, place: Place) -> Place:
        relation, row = step.item.relation, step.item.row
        number = self.names.numbers[relation]
        self.names.lookups.add(relation)
        if len(step.columns) == len(row):
            return self._whole_row(number, row, place)
        key, place = self._name(place, "k_")
        if step.columns:
            index = self.names.index(relation, step.columns)
            wanted = self.tuple_of([row[c] for c in step.columns], place, bare=True)
            self.out.add(place.indent, f"for {key} in {index}.get({wanted}, NONE):")
        else:
            self.out.add(place.indent, f"for {key} in r{number}:")
        place = replace(place, indent=place.indent + 1, loops=place.loops + 1, row=(number, key))
        place = self._limit(f"r{number}[{key}]", place)
        return self.unpack(row, key, step.columns, place)

    def _whole_row(self, number: int, row: tuple[Slot, ...], place: Place) -> Place:
        key, place = self._name(place, "k_")
        self.out.add(place.indent, f"{key} = {self.tuple_of(row, place)}")
        place = replace(place, row=(number, key))
        if self.mode is Mode.WITHDRAW:
            return self._if(f"{key} in r{number}", place)
        return self._limit(f"r{number}.get({key}, -1)", place)

    def _limit(self, horizon: str, place: Place) -> Place:
        """The row must hold now, and limits the horizon of the join."""
        if self.mode is Mode.WITHDRAW:
            return place
        own, place = self._name(place, "h")
        self.out.add(place.indent, f"{own} = {horizon}")
        place = self._if(f"{own} >= now", place)
        return self._least(own, place)

    def _least(self, own: str, place: Place) -> Place:
        if place.horizon is None:
            return replace(place, horizon=own)
        both, place = self._name(place, "g")
        self.out.add(place.indent, f"{both} = {own} if {own} < {place.horizon} else {place.horizon}")
        return replace(place, horizon=both)

    def unpack(
        self, row: tuple[Slot, ...], key: str, known: tuple[int, ...], place: Place, *, unpacked: bool = False
    ) -> Place:
        """Bind the variables of a row that are not bound, and test those that repeat.

        The columns of a row that is `unpacked` already are called c0, c1, …
        """
        env = dict(place.env)
        tests: list[str] = []
        for column, slot in enumerate(row):
            if column in known or slot is None:
                continue
            value = f"c{column}" if unpacked else f"{key}[{column}]"
            if isinstance(slot, C):
                tests.append(f"{value} == {self.names.constant(slot.term)}")
            elif slot.name in env:
                tests.append(f"{value} == {env[slot.name]}")
            elif unpacked:
                env[slot.name] = value
            else:
                name, place = self._name(place, "v")
                self.out.add(place.indent, f"{name} = {value}")
                env[slot.name] = name
        place = replace(place, env=env)
        return self._if(" and ".join(tests), place) if tests else place

    def tuple_of(self, row: list[Slot] | tuple[Slot, ...], place: Place, *, bare: bool = False) -> str:
        """The source of a tuple of slots; a single one bare where it is the key of an index."""
        parts = [self._slot(slot, place) for slot in row]
        if bare and len(parts) == 1:
            return parts[0]
        return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"

    def _slot(self, slot: Slot, place: Place) -> str:
        assert slot is not None
        return place.env[slot.name] if isinstance(slot, V) else self.names.constant(slot.term)

    def _absent(self, relation: Relation, row: tuple[V | C, ...], place: Place) -> Place:
        self.names.lookups.add(relation)
        if self.mode is Mode.WITHDRAW:
            return place
        return self._if(f"r{self.names.numbers[relation]}.get({self.tuple_of(row, place)}, -1) < now", place)

    def _group(self, step: Group, place: Place) -> Place:
        default = "0" if step.number in self.names.zero_groups else "None"
        value, place = self._name(place)
        if self.mode is Mode.WITHDRAW:
            self.out.add(
                place.indent, f"for {value} in both{step.number}({self.tuple_of(step.groups, place)}):"
            )
            place = replace(place, indent=place.indent + 1, loops=place.loops + 1)
            return self._bind(step.target, value, place)
        self.out.add(
            place.indent, f"{value} = a{step.number}.get({self.tuple_of(step.groups, place)}, {default})"
        )
        return self._bind(step.target, value, self._if(f"{value} is not None", place))

    def _bind(self, target: V, value: str, place: Place) -> Place:
        """The variable gets the value; if it has one already, the two must be the same."""
        if target.name in place.env:
            return self._if(f"{place.env[target.name]} == {value}", place)
        return replace(place, env={**place.env, target.name: value})

    # --- values ----------------------------------------------------------------------------------------

    def _let(self, target: V, value: Expr, place: Place) -> Place:
        source, place = self._expression(value, place)
        name, place = self._name(place)
        self.out.add(place.indent, f"{name} = {source}")
        if isinstance(value, Unary | Binary | Call):
            place = self._if(f"{name} is not None", place)
        return self._bind(target, name, place)

    def _time_of(self, step: TimeOf, place: Place) -> Place:
        source, place = self._expression(step.value, place)
        name, place = self._name(place)
        self.out.add(place.indent, f"{name} = time_of({source})")
        if not step.lenient:
            place = self._if(f"{name} is not None", place)
        return self._bind(step.target, name, place)

    def _test(self, comparison: Comparison, place: Place) -> Place:
        left, place = self._expression(comparison.left, place)
        right, place = self._expression(comparison.right, place)
        op = "==" if comparison.op == "=" else comparison.op
        sides = {left: comparison.left, right: comparison.right}
        unsure = [self._is_int(name) for name, expr in sides.items() if not self._is_integer(expr)]
        fast, slow = f"{left} {op} {right}", f"compare({comparison.op!r}, {left}, {right})"
        return self._if(f"({fast}) if {' and '.join(unsure)} else {slow}" if unsure else fast, place)

    def _is_int(self, name: str) -> str:
        """The test whether a value is a Python integer; for a column of the first row, made once."""
        if self.shares_columns and not self.inside_part and name[0] == "c":
            self.integers[name] = None
            return f"i{name}"
        return f"type({name}) is int"

    def _is_integer(self, expr: Expr) -> bool:
        return isinstance(expr, Const) and type(self.names.encode(expr.term)) is int

    def _expression(self, expr: Expr, place: Place) -> tuple[str, Place]:
        """A name that holds the value of an expression."""
        match expr:
            case Var(name=name):
                return place.env[name], place
            case Const(term=term):
                return self.names.constant(term), place
            case Unary(operand=operand):
                inner, place = self._expression(operand, place)
                source = f"negate({inner})"
            case Binary(op=op, left=left, right=right):
                first, place = self._expression(left, place)
                second, place = self._expression(right, place)
                source = f"{_OPERATIONS[op]}({first}, {second})"
            case Call(function=function, args=args):
                values = [self.names.constants.name(function)]
                for arg in args:
                    value, place = self._expression(arg, place)
                    values.append(value)
                source = f"call({', '.join(values)})"
            case _:
                assert_never(expr)
        name, place = self._name(place)
        self.out.add(place.indent, f"{name} = {source}")
        return name, place

    # --- horizons --------------------------------------------------------------------------------------

    def _horizon(self, step: Within | NowWithinAt | Ticking | InPhase | Opened, place: Place) -> Place:
        """Items that hold for a stretch of evaluation time; what comes later is looked at again then."""
        match step:
            case Ticking(time=time):
                place = self._bind(time, "now", place)
                self._later("now + 1", place)
                return place if self.mode is Mode.WITHDRAW else self._least("now", place)
            case InPhase(window=window):
                if self.mode is Mode.WITHDRAW:
                    return place
                self._later(f"now - now % {window.step} + {window.step}", place)
                place = self._if(f"now % {window.step} <= {window.ahead}", place)
                end, place = self._name(place)
                self.out.add(place.indent, f"{end} = now - now % {window.step} + {window.ahead}")
                return self._least(end, place)
            case Opened(window=window):
                first = f"span_of(rt.start, {window.back}, {window.ahead}, {window.step})[0]"
                return self._stretch(first, None, place)
            case Within(time=time, window=None, past=True):
                # The time point is not in the future: now or never.
                place = self._if(f"{place.env[time.name]} == now", place)
                return place if self.mode is Mode.WITHDRAW else replace(place, horizon="now")
            case Within(time=time, window=window):
                return self._stretch(*self._span(window, place.env[time.name]), place)
            case NowWithinAt(reference=reference, window=window):
                return self._stretch(*self._bounds(window, place.env[reference.name]), place)
            case _:
                assert_never(step)

    def _stretch(self, first: str, last: str | None, place: Place) -> Place:
        if self.mode is Mode.WITHDRAW:
            return place
        if last is not None:
            end, place = self._name(place)
            self.out.add(place.indent, f"{end} = {last}")
            place = self._if(f"{end} >= now", place)
        start, place = self._name(place)
        self.out.add(place.indent, f"{start} = {first}")
        if self.mode is Mode.ADD and place.row is not None:
            self.out.add(place.indent, f"if {start} > now:")
            self._later(start, replace(place, indent=place.indent + 1))
            self.out.add(place.indent, "else:")
            place = replace(place, indent=place.indent + 1)
        else:
            place = self._if(f"{start} <= now", place)
        return self._least(end, place) if last is not None else place

    def _later(self, time: str, place: Place) -> None:
        """Look at a row of the join again when the time has come."""
        if self.mode is Mode.ADD and place.row is not None:
            number, key = place.row
            self.names.delayed.add(_relation(self.names, number))
            self.out.add(place.indent, f"later({time}, {number}, {key})")

    def _span(self, window: TimeSpan | Everything | None, time: str) -> tuple[str, str | None]:
        """The evaluation times whose window contains a time point."""
        match window:
            case None:
                return time, time
            case Everything():
                return time, None
            case TimeSpan(back=back, ahead=ahead, step=1):
                return f"{time} - {ahead}", f"{time} + {back}"
            case TimeSpan(back=back, ahead=ahead, step=step):
                args = f"{time}, {back}, {ahead}, {step}"
                return f"span_of({args})[0]", f"span_of({args})[1]"
            case _:
                assert_never(window)

    def _bounds(self, window: TimeSpan | Everything, reference: str) -> tuple[str, str]:
        """The first and last time point of the window at a reference time."""
        match window:
            case Everything():
                return "rt.start", reference
            case TimeSpan(back=back, ahead=ahead, step=step):
                args = f"{reference}, {back}, {ahead}, {step}, rt.start"
                return f"window_at({args})[0]", f"window_at({args})[1]"
            case _:
                assert_never(window)

    # --- heads -----------------------------------------------------------------------------------------

    def head(self, head: HeadRow, place: Place) -> tuple[str, Place]:
        """The source of a head row."""
        if head.row and head.row == self.first_row and not self.inside_part:
            return "key", place
        parts: list[str] = []
        for slot in head.row:
            if isinstance(slot, Fresh):
                values = ", ".join(place.env[name] for name in slot.variables)
                time = place.env[slot.time] if slot.time is not None else "None"
                rule, label = self.names.constants.name(slot.rule), self.names.constants.name(slot.label)
                name, place = self._name(place)
                self.out.add(place.indent, f"{name} = fresh({rule}, {label}, [{values}], {time})")
                parts.append(name)
            else:
                parts.append(self._slot(slot, place))
        return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})", place


_OPERATIONS = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide", "mod": "modulo"}


def _relation(names: Names, number: int) -> Relation:
    return next(relation for relation, n in names.numbers.items() if n == number)
