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

from collections.abc import Callable
from dataclasses import replace
from typing import assert_never

from laser_rdf.codegen.expressions import Values
from laser_rdf.codegen.horizons import Horizons
from laser_rdf.codegen.places import Mode, Names, Place
from laser_rdf.codegen.writer import Lines
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

MAX_LOOPS = 12
MAX_INDENT = 40


class Join(Values, Horizons):
    """Writes one join into a piece of source."""

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


__all__ = ["Join", "Mode", "Names", "Place"]
