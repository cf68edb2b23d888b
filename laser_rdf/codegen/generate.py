"""A plan to Python source, specialised to its rules.

For every relation there is a function that stores rows and, where nothing can be withdrawn, joins each new
row at once:

    def insert_2(keys, h, now):                 # streamed p/2 some [5]
        new = []
        for key in keys:
            old = r2.get(key)
            if old is None:
                ...                             # put it into the indexes
            elif old >= h:
                continue                        # known to hold as long already
            r2[key] = h
            new.append(key)
            for k_0 in x2_0.get(key[1], NONE):  # q(A, C) :- p(A, B) in [5], p(B, C) in [5] .
                ...
        return new

Rules that can lose their support (negation, aggregates, tuple windows) get functions of their own, called
in phases by `laser_rdf.engine.machine`: `fire` adds, `kill` finds what may have to go, `rederive` looks for
another reason to keep it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from laser_rdf.codegen.joins import Join, Mode, Place
from laser_rdf.codegen.storing import Storing, unpacking
from laser_rdf.codegen.writer import Lines, comment
from laser_rdf.plan.core import (
    Absent,
    CoreRule,
    Fresh,
    Group,
    HeadRow,
    Item,
    Match,
    Relation,
    Slot,
)
from laser_rdf.plan.order import join_order
from laser_rdf.plan.planning import Plan
from laser_rdf.plan.show import show_core_rule
from laser_rdf.plan.variables import time_variables
from laser_rdf.values import Term


@dataclass
class Generated:
    """Source text and what is needed to run it."""

    source: str
    constants: list[object]
    indexes: dict[Relation, tuple[tuple[int, ...], ...]]
    stored: frozenset[Relation]
    again: frozenset[Relation]
    """Relations whose rows may have to be looked at again when a window opens."""

    fires: list[Trigger]
    kills: list[Trigger]
    once: list[tuple[int, str]]
    """(component, function) of rules that need no row."""

    rederives: dict[Relation, str]
    watched: frozenset[Relation]
    """Relations of which somebody wants to know which rows are new or gone."""


@dataclass(frozen=True)
class Trigger:
    """A generated function and what calls it: a change of a relation, of an absence or of a group."""

    component: int
    kind: str
    """`row`, `absent` or `group`."""

    source: int
    """The number of the relation or of the group."""

    function: str


def generate(plan: Plan, encode: Callable[[Term], object]) -> Generated:
    """The source for a plan."""
    return _Generator(plan, encode).run()


class _Generator(Storing):
    """Writes the functions of rules that can lose their support, and puts everything together."""

    def __init__(self, plan: Plan, encode: Callable[[Term], object]) -> None:
        super().__init__(plan, encode)
        self.fires: list[Trigger] = []
        self.kills: list[Trigger] = []
        self.once: list[tuple[int, str]] = []
        self.rederives: dict[Relation, str] = {}

    def run(self) -> Generated:
        for rule in self.plan.rules:
            if any(head.relation in self.volatile for head in rule.heads):
                self._volatile_rule(rule)
            else:
                for i, item in enumerate(rule.body):
                    if isinstance(item, Match):
                        self.variants[item.relation].append((rule, i))
                if not any(isinstance(item, Match) for item in rule.body):
                    self._once(rule)
        for relation in self.plan.relations:
            if relation in self.volatile:
                self._rederive(relation)
        bodies = {relation: self._variants(relation) for relation in self.plan.relations}
        stored = frozenset(r for r in self.plan.relations if self._is_stored(r))
        for relation in self.plan.relations:
            self._insert(relation, bodies[relation], relation in stored)
        again = frozenset(self.names.delayed)
        for relation in self.plan.relations:
            if relation in again:
                self._again(relation, self._variants(relation, again=True))
        whole = Lines()
        for function in self.names.functions:
            whole.extend(function)
        whole.extend(self.out)
        return Generated(
            str(whole),
            self.names.constants.values,
            {relation: tuple(columns) for relation, columns in self.names.indexes.items()},
            stored,
            again,
            self.fires,
            self.kills,
            self.once,
            self.rederives,
            frozenset(self.watched),
        )

    # --- rules -----------------------------------------------------------------------------------------

    def _emit_doomed(self, join: Join, rule: CoreRule) -> Callable[[Place], None]:
        def finish(place: Place) -> None:
            for head in rule.heads:
                row, place = join.head(head, place)
                join.out.add(place.indent, f"d{self.numbers[head.relation]}.append({row})")

        return finish

    def _once(self, rule: CoreRule) -> None:
        """A rule that needs no row: carried out at the first time point."""
        name = f"once_{len(self.once)}"
        join = Join(self.names, Mode.ADD, name)
        join.out.add(0, f"def {name}(now):")
        join.out.add(1, f"# {comment(show_core_rule(rule, self.plan.program))}")
        join.write(join_order(rule.body, ()), Place(1, {}, None), self._emit_pending(join, rule))
        join.out.add(0, "")
        self.out.extend(join.out)
        self.once.append((self._home(rule), name))

    def _home(self, rule: CoreRule) -> int:
        """The component in whose turn the rule is carried out: the first of its heads."""
        return min(self.component[head.relation] for head in rule.heads)

    def _volatile_rule(self, rule: CoreRule) -> None:
        for i, item in enumerate(rule.body):
            match item:
                case Match(relation=relation, row=row):
                    self._trigger(rule, i, "row", self.numbers[relation], row, relation in self.volatile)
                case Absent(relation=relation, row=row):
                    self._trigger(rule, i, "absent", self.numbers[relation], row, True)
                case Group(number=number, groups=groups, target=target):
                    self._trigger(rule, i, "group", number, (*groups, target), True)
        if not any(isinstance(item, Match) for item in rule.body):
            self._once(rule)

    def _trigger(
        self, rule: CoreRule, i: int, kind: str, source: int, row: tuple[Slot, ...], withdraws: bool
    ) -> None:
        home = self._home(rule)
        for mode, triggers in ((Mode.ADD, self.fires), (Mode.WITHDRAW, self.kills)):
            if mode is Mode.WITHDRAW and not withdraws:
                continue
            name = f"{'fire' if mode is Mode.ADD else 'kill'}_{len(triggers)}"
            join = Join(self.names, mode, name)
            horizon = "h" if mode is Mode.ADD and kind == "row" else None
            self.out.add(0, f"def {name}(keys, h, now):")
            self.out.add(1, f"# {comment(show_core_rule(rule, self.plan.program))}")
            join.out.add(1, "for key in keys:")
            join.out.add(2, unpacking(len(row)))
            place = Place(2, {}, horizon, (source, "key") if kind == "row" else None)
            place = join.unpack(row, "key", (), place, unpacked=True)
            if kind != "row":
                place = _with_times(join, rule, place)
            rest: list[Item] = [*rule.body[:i], *rule.body[i + 1 :]]
            emit = self._emit_pending if mode is Mode.ADD else self._emit_doomed
            join.write(join_order(rest, place.env, has_row=kind == "row"), place, emit(join, rule))
            self._open_lists(tuple(join.collected))
            self.out.extend(join.out)
            self._close_lists(tuple(join.collected))
            self.out.add(0, "")
            triggers.append(Trigger(home, kind, source, name))

    def _rederive(self, relation: Relation) -> None:
        """The best horizon that any rule gives a row, or -1."""
        rules = [(rule, head) for rule in self.plan.rules for head in rule.heads if head.relation == relation]
        if not rules:
            return
        number = self.numbers[relation]
        name = f"rederive_{number}"
        self.out.add(0, f"def {name}(key, now):")
        self.out.add(1, "best = -1")
        for n, (rule, head) in enumerate(rules):
            self._rederive_by(rule, head, f"{name}_{n}")
        self.out.add(1, "return best")
        self.out.add(0, "")
        self.rederives[relation] = name

    def _rederive_by(self, rule: CoreRule, head: HeadRow, name: str) -> None:
        join = Join(self.names, Mode.REDERIVE, name)
        join.out.add(1, f"# {comment(show_core_rule(rule, self.plan.program))}")
        slots = tuple(None if isinstance(s, Fresh) else s for s in head.row)
        place = _with_times(join, rule, join.unpack(slots, "key", (), Place(1, {}, None)))

        def finish(place: Place) -> None:
            if any(isinstance(s, Fresh) for s in head.row):
                row, place = join.head(head, place)
                place = join.condition(f"{row} == key", place)
            horizon = place.horizon or "FOREVER"
            join.out.add(place.indent, f"if {horizon} > best:")
            join.out.add(place.indent + 1, f"best = {horizon}")

        join.write(join_order(rule.body, place.env), place, finish)
        self.out.extend(join.out)


def _with_times(join: Join, rule: CoreRule, place: Place) -> Place:
    """What comes from outside the join may be no time point where the rule reckons with one."""
    times = sorted(place.env[name] for name in time_variables(rule.body) if name in place.env)
    return join.condition(" and ".join(f"type({name}) is int" for name in times), place) if times else place
