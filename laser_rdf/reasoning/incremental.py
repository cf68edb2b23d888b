"""Incremental evaluation: the machine that generated code runs in, as the engine drives it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import repeat
from typing import Any

from laser_rdf.check import CheckedProgram, Predicate
from laser_rdf.check.limits import too_many_derivations
from laser_rdf.codegen.build import Built
from laser_rdf.codegen.domain import Domain
from laser_rdf.engine.tables import Row, Table
from laser_rdf.plan.core import Floating, Output, Pinned, Relation
from laser_rdf.plan.planning import make_plan
from laser_rdf.reasoning.inputs import Batch, Element, Fact, Facts, Inputs
from laser_rdf.values import IRI

Sitting = tuple[int, Any, tuple[Any, ...]]
"""A time point, and the predicate and arguments of an atom that sits there."""


class Incremental:
    """A program whose forms are all maintained incrementally; NotIncremental is raised for others."""

    def __init__(
        self, program: CheckedProgram, domain: Domain, background: Sequence[Batch], max_derivations: int
    ) -> None:
        self.program = program
        self.domain = domain
        facts = Facts(self.domain)
        self._background = [*background, *facts.batches(map(facts.ground, program.facts))]
        kinds = frozenset(predicate for predicate, _ in self._background)
        self.plan = make_plan(program, kinds, program.derived)
        self.built = Built(self.plan, self.domain)
        self._machine = self.built.machine
        self._inputs = Inputs(self.built, facts)
        self._max_derivations = max_derivations
        self._derivations = 0
        self._outputs = list(self._find_outputs())
        self._set_limits()
        for unit in self._machine.units:
            unit.settle_in()

    def begin(self, time: int, start: int | None) -> None:
        """Move to a time point; `start` is given at the first."""
        if start is not None:
            self._machine.start = start
        self._machine.move(time)
        self._derivations = 0
        if start is not None:
            self._inputs.load(self._background)
            self._background = []

    def step(self, facts: Iterable[Fact], stream: str | None) -> tuple[list[Fact], list[Fact]]:
        """Take the atoms of the current time point; what was added and removed."""
        self._inputs.arrive(facts, stream)
        self._machine.run()
        added: list[Fact] = []
        removed: list[Fact] = []
        give = self.domain.give_all
        for _, name, table in self._outputs:
            if table.born:
                added += zip(repeat(name), give(table.born))
            if table.gone:
                removed += zip(repeat(name), give(table.gone))
        self._machine.finish()
        return added, removed

    def step_rows(
        self, elements: Iterable[Element], entailed: Iterable[Element]
    ) -> tuple[list[Batch], list[Batch]]:
        """The same with rows as they are inside, of several streams together."""
        for stream, batches in elements:
            self._inputs.arrive_rows(batches, stream)
        for stream, batches in entailed:
            self._inputs.arrive_rows(batches, stream, counts=False)
        self._machine.run()
        added: list[Batch] = [(p, tuple(table.born)) for p, _, table in self._outputs if table.born]
        removed: list[Batch] = [(p, tuple(table.gone)) for p, _, table in self._outputs if table.gone]
        self._machine.finish()
        return added, removed

    def next_time(self) -> int | None:
        """The next time point at which something happens without input."""
        return self._machine.agenda.next_time()

    def holds(self) -> list[Fact]:
        """What holds at the current time point."""
        found: list[Fact] = []
        for _, name, table in self._outputs:
            found += zip(repeat(name), self.domain.give_all(table.rows))
        return found

    def holding_rows(self) -> list[Batch]:
        """What holds at the current time point, as rows."""
        return [(predicate, tuple(table.rows)) for predicate, _, table in self._outputs if table.rows]

    def timeline(self) -> list[Sitting]:
        """Every derived atom with the time point at which it sits."""
        found: dict[tuple[int, Predicate, Row], None] = {}
        for relation, table in self.built.tables.items():
            match relation:
                case Floating(predicate=p) if self.program.is_shown(p):
                    found.update(((self._machine.now, p, row), None) for row in table.rows)
                case Pinned(predicate=p) if self.program.is_shown(p):
                    found.update(((row[-1], p, row[:-1]), None) for row in table.rows)
        # Values become Python's only here: 1 and True are one to Python, but two terms.
        rows = self.domain.give_all([row for _, _, row in found])
        return [(time, self.name(p), row) for (time, p, _), row in zip(found, rows, strict=True)]

    def name(self, predicate: Predicate) -> Any:
        """What callers call a predicate."""
        return self.domain.give(self.domain.encode(IRI(predicate.name)))

    # --- wiring ----------------------------------------------------------------------------------------

    def _find_outputs(self) -> Iterator[tuple[Predicate, Any, Table]]:
        """The tables whose rows are output, with the name callers know them by."""
        for predicate in sorted(self.program.derived):
            relations: tuple[Relation, ...] = (Output(predicate), Floating(predicate))
            found = next((self.built.tables[r] for r in relations if r in self.built.tables), None)
            if found is not None and self.program.is_shown(predicate):
                yield predicate, self.name(predicate), found

    def _set_limits(self) -> None:
        """Recursion through arithmetic is counted and ends at the limit."""
        limited = {head.relation for rule in self.plan.rules if rule.limited for head in rule.heads}
        for unit, component in zip(self._machine.units, self.plan.components, strict=True):
            if limited & set(component.relations):
                unit.limit = self._limit()

    def _limit(self) -> Callable[[int], None]:
        rule = next(r for r in self.program.rules if r.limited)

        def count(derived: int) -> None:
            self._derivations += derived
            if self._derivations > self._max_derivations:
                raise too_many_derivations(self.program, rule, self._machine.now, self._max_derivations)

        return count
