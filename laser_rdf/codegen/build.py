"""Plan and generated source to a machine that runs.

Plan  →  source  →  functions bound to tables  →  Machine
"""

from __future__ import annotations

import linecache
import weakref
from collections.abc import Callable
from itertools import count
from typing import Any

from laser_rdf.check import Everything
from laser_rdf.codegen.accumulating import accumulator
from laser_rdf.codegen.domain import Domain
from laser_rdf.codegen.generate import Generated, Trigger, generate
from laser_rdf.engine.annotations import FOREVER, span_of, window_at
from laser_rdf.engine.coverage import Coverage
from laser_rdf.engine.grouping import Groups
from laser_rdf.engine.machine import Machine, Triggers, Unit
from laser_rdf.engine.tables import Row, Table
from laser_rdf.plan.core import (
    Arriving,
    Background,
    Covering,
    Floating,
    GroupOf,
    Output,
    Pinned,
    Streamed,
    Within,
)
from laser_rdf.plan.graph import Component
from laser_rdf.plan.planning import Plan

NONE: tuple[()] = ()
_numbers = count(1)


def add_all(pending: dict[int, list[Row]], horizon: int, keys: list[Row]) -> None:
    """Rows for a table as they are, all with one horizon."""
    waiting = pending.get(horizon)
    pending[horizon] = keys if waiting is None else waiting + keys


class Built:
    """A machine with the tables of each relation at hand."""

    def __init__(self, plan: Plan, domain: Domain) -> None:
        self.plan = plan
        self.domain = domain
        self.generated = generate(plan, domain.encode)
        self.machine = Machine()
        self.tables = {relation: Table(number) for number, relation in enumerate(plan.relations)}
        self.machine.tables = list(self.tables.values())
        self.groups = [self._group(group) for group in plan.groups]
        self._link()
        # Twins share a table; from here on both names lead to it.
        self.tables.update({twin: self.tables[relation] for twin, relation in plan.twins.items()})

    def _link(self) -> None:
        generated = self.generated
        space = self._namespace()
        # Tracebacks and debuggers show the source as long as it is in use.
        filename = f"<laser-rdf rules {next(_numbers)}>"
        linecache.cache[filename] = (len(generated.source), None, generated.source.splitlines(True), filename)
        weakref.finalize(self, linecache.cache.pop, filename, None)
        exec(compile(generated.source, filename, "exec"), space)  # noqa: S102 - made from numbers and a table
        for relation, table in self.tables.items():
            table.insert = space[f"insert_{table.number}"]
            table.drop = space.get(f"drop_{table.number}")
            table.again = space.get(f"again_{table.number}")
            name = generated.rederives.get(relation)
            table.rederive = space[name] if name else None
        self._units(space)

    def _namespace(self) -> dict[str, Any]:
        machine, domain = self.machine, self.domain
        space: dict[str, Any] = {
            "NONE": NONE,
            "FOREVER": FOREVER,
            "rt": machine,
            "later": machine.agenda.later,
            "expires": machine.agenda.expires,
            "add_all": add_all,
            "span_of": span_of,
            "window_at": window_at,
            "compare": domain.compare,
            "add": domain.add,
            "subtract": domain.subtract,
            "multiply": domain.multiply,
            "divide": domain.divide,
            "modulo": domain.modulo,
            "negate": domain.negate,
            "call": domain.call,
            "time_of": domain.time,
            "fresh": domain.fresh,
        }
        space.update({f"k{i}": value for i, value in enumerate(self.generated.constants)})
        for relation, table in self.tables.items():
            number = table.number
            space[f"r{number}"] = table.rows
            space[f"b{number}"] = table.buckets
            space[f"p{number}"] = table.pending
            space[f"d{number}"] = table.doomed
            space[f"born_{number}"] = table.born
            for columns in self.generated.indexes.get(relation, ()):
                space[f"x{number}_{'_'.join(map(str, columns))}"] = table.index(columns)
        space.update({f"a{i}": groups.values for i, groups in enumerate(self.groups)})
        space.update({f"both{i}": groups.before_and_now for i, groups in enumerate(self.groups)})
        return space

    def _group(self, group: GroupOf) -> Groups:
        if group.function == "count":
            return Groups(group.width, None, 0)
        function, domain = group.function, self.domain
        return Groups(group.width, lambda: accumulator(function, domain), 0 if function == "sum" else None)

    # --- units -----------------------------------------------------------------------------------------

    def _units(self, space: dict[str, Any]) -> None:
        generated = self.generated
        units: list[Unit] = []
        for i, component in enumerate(self.plan.components):
            unit = Unit(
                [self.tables[r] for r in component.relations], component.recursive, component.volatile
            )
            unit.is_input = all(isinstance(r, Streamed | Background | Arriving) for r in component.relations)
            unit.once = [space[name] for home, name in generated.once if home == i]
            unit.fires = self._triggers(generated.fires, i, space)
            unit.kills = self._triggers(generated.kills, i, space)
            unit.groups = [
                (self.tables[g.relation], self.groups[g.number])
                for g in self.plan.groups
                if g.relation in component.relations
            ]
            unit.fleeting = self._is_fleeting(component)
            for relation in component.relations:
                if isinstance(relation, Covering):
                    unit.coverage = self._coverage(relation)
            units.append(unit)
        self.machine.units = units
        for unit in units:
            for table, _ in [*unit.fires.by_row, *unit.kills.by_row]:
                table.has_volatile_readers = table.is_followed = True
        for relation in generated.watched:
            self.tables[relation].is_followed = True

    def _is_fleeting(self, component: Component) -> bool:
        """Whether the component is an output of rows that are pinned now, and nothing reads it."""
        (relation, *others) = component.relations
        if component.volatile or others or not isinstance(relation, Output):
            return False
        rules = [rule for rule in self.plan.rules for head in rule.heads if head.relation == relation]
        return all(any(item.past for item in rule.body if isinstance(item, Within)) for rule in rules)

    def _triggers(self, found: list[Trigger], component: int, space: dict[str, Any]) -> Triggers:
        tables = self.machine.tables
        triggers = Triggers()
        for trigger in found:
            if trigger.component != component:
                continue
            join: Callable[..., None] = space[trigger.function]
            match trigger.kind:
                case "row":
                    triggers.by_row.append((tables[trigger.source], join))
                case "absent":
                    triggers.by_absence.append((tables[trigger.source], join))
                case "group":
                    triggers.by_group.append((self.groups[trigger.source], join))
        return triggers

    def _coverage(self, relation: Covering) -> Coverage:
        back = None if isinstance(relation.window, Everything) else relation.window.back
        derived = not relation.input_only and relation.stream is None
        floating = self.tables.get(Floating(relation.predicate)) if derived else None
        pinned = self.tables.get(Pinned(relation.predicate)) if derived else None
        column = relation.predicate.arity
        source = Pinned(relation.predicate)
        ahead, durable = source not in self.plan.past, source not in self.plan.volatile
        return Coverage(back, floating, pinned, column, ahead=ahead, durable=durable)


__all__ = ["Built", "Generated"]
