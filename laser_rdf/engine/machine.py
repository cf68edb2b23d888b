"""One step of the engine: from what arrives at a time point to what holds then.

Components are brought up to date from the lowest up. In one that can only expire, pending rows are inserted,
longest horizon first, so that every row is inserted once with the latest horizon it can get; then what has
expired is dropped. In one whose rows can be withdrawn there are three phases more (delete and rederive):

    kill       joins through what was lost mark rows as withdrawn, over-deleting where in doubt
    rederive   marked rows that another derivation still supports come back, with its horizon
    fire       joins through what is new, and through absences that have become true, add rows
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from laser_rdf.engine.agenda import Agenda
from laser_rdf.engine.annotations import FOREVER
from laser_rdf.engine.counting import Content
from laser_rdf.engine.coverage import Coverage
from laser_rdf.engine.grouping import Groups
from laser_rdf.engine.tables import Row, Table

Join = Callable[[list[Row], int, int], None]


@dataclass
class Triggers:
    """Generated joins of a component by what sets them off."""

    by_row: list[tuple[Table, Join]] = field(default_factory=list)
    by_absence: list[tuple[Table, Join]] = field(default_factory=list)
    by_group: list[tuple[Groups, Join]] = field(default_factory=list)


@dataclass
class Unit:
    """A component at work."""

    tables: list[Table]
    recursive: bool
    volatile: bool
    is_input: bool = False
    """Nothing but input comes in here: brought up to date for the background before the first step."""

    once: list[Callable[[int], None]] = field(default_factory=list)
    fires: Triggers = field(default_factory=Triggers)
    kills: Triggers = field(default_factory=Triggers)
    content: Content | None = None
    coverage: Coverage | None = None
    arriving: Callable[[list[Row]], None] | None = None
    groups: list[tuple[Table, Groups]] = field(default_factory=list)
    """Aggregates over tables of this component."""

    limit: Callable[[int], None] | None = None
    simple: Table | None = None
    """The table of a component that only expires and has nothing special about it."""

    fleeting: bool = False
    """The table's rows hold at the time point at which they are derived, and at no other."""

    reads: list[Table] = field(default_factory=list)
    """What the joins of a component look at from outside."""

    def settle_in(self) -> None:
        """Work out what the parts put together say, once they are all there."""
        special = self.once or self.coverage or self.content or self.arriving or self.limit or self.fleeting
        if not (self.volatile or self.recursive or special):
            (self.simple,) = self.tables
        triggers = [*self.fires.by_row, *self.fires.by_absence, *self.kills.by_row, *self.kills.by_absence]
        self.reads = list({table.number: table for table, _ in triggers}.values())


class Machine:
    """The tables, the agenda and the clock of one program."""

    def __init__(self) -> None:
        self.now = -1
        self.start = -1
        self.agenda = Agenda()
        self.tables: list[Table] = []
        self.units: list[Unit] = []
        self.derivations = 0
        self.expiries = 0
        self._expired: dict[int, list[int]] = {}
        self._again: dict[int, list[Row]] = {}
        self._fresh = True
        self._advanced = True
        self._touched: dict[int, Table] = {}
        """The tables that changed in this step."""

    # --- one time point --------------------------------------------------------------------------------

    def move(self, now: int) -> None:
        """The time is now: collect what is due. Input for this time point may be added after this."""
        self._advanced = now != self.now
        self.now = now
        self.agenda.due(now, self._expire, self._look_again, self._open)

    def _expire(self, number: int, horizon: int) -> None:
        self._expired.setdefault(number, []).append(horizon)

    def _look_again(self, number: int, key: Row) -> None:
        self._again.setdefault(number, []).append(key)

    def _reopened(self, table: Table) -> dict[int, list[Row]]:
        """The rows of a table for which a window opens now, as far as they hold, by horizon."""
        by_horizon: dict[int, list[Row]] = {}
        for key in self._again.get(table.number, ()):
            horizon = table.rows.get(key, -1)
            if horizon >= self.now:
                by_horizon.setdefault(horizon, []).append(key)
        return by_horizon

    def _open(self, number: int, keys: list[Row], horizon: int) -> None:
        if horizon >= self.now:
            self.tables[number].add(horizon, keys)

    def run_input(self) -> None:
        """Bring the input tables up to date: for background, before anything arrives."""
        for unit in self.units:
            if unit.is_input:
                self._settle(unit)

    def run(self) -> None:
        """Bring everything up to date."""
        now, expired = self.now, self._expired
        special = self._fresh or bool(self._again)
        for unit in self.units:
            table = unit.simple
            if table is not None and not special:
                # The common case written out: one table, nothing but rows to insert and rows to drop.
                pending = table.pending
                while pending:
                    horizon = max(pending) if len(pending) > 1 else next(iter(pending))
                    new = table.insert(pending.pop(horizon), horizon, now)
                    self.derivations += len(new)
                    if new and table.is_followed:
                        self._note(table, new, horizon)
                if table.number in expired:
                    self._drop_expired(table)
            elif unit.fleeting:
                self._run_fleeting(unit.tables[0])
            elif not unit.volatile:
                self._run_stable(unit)
            elif special or self._is_stirred(unit):
                self._run_volatile(unit)
            for counted, groups in unit.groups:
                if counted.born or counted.gone:
                    groups.update(counted.born, counted.gone)
        self._fresh = False
        if special:
            self._again = {}
        if expired:
            self._expired = {}

    def _note(self, table: Table, new: list[Row], horizon: int) -> None:
        """Rows were inserted into a table that somebody follows."""
        self._touched[table.number] = table
        if table.has_volatile_readers:
            table.deltas.append((new, horizon))

    def _is_stirred(self, unit: Unit) -> bool:
        """Whether anything in this step can change a component whose rows can be withdrawn."""
        if unit.content is not None or unit.coverage is not None:
            return True
        for table in unit.tables:
            if table.pending or table.doomed or table.number in self._expired:
                return True
        for table in unit.reads:
            if table.deltas or table.born or table.gone or table.dead:
                return True
        return any(groups.changed for groups, _ in unit.fires.by_group)

    def finish(self) -> None:
        """The changes of this time point have been read: forget them."""
        for table in self._touched.values():
            table.forget_changes()
        self._touched.clear()
        for unit in self.units:
            for _, groups in unit.groups:
                groups.changed.clear()

    def _run_fleeting(self, table: Table) -> None:
        if table.pending or (table.rows and self._advanced):
            table.replace_rows(self.now, self._advanced)
            self._touched[table.number] = table
            if table.rows:
                self.agenda.wake(self.now + 1)

    # --- what only expires -----------------------------------------------------------------------------

    def _run_stable(self, unit: Unit) -> None:
        now = self.now
        if self._fresh:
            for once in unit.once:
                once(now)
        if self._again:
            for table in unit.tables:
                for horizon, keys in self._reopened(table).items():
                    assert table.again is not None
                    table.again(keys, horizon, now)
                    table.deltas.append((keys, horizon))
                    self._touched[table.number] = table
        if unit.coverage is not None:
            self._cover(unit, unit.coverage)
        self._settle(unit)
        if self._expired:
            for table in unit.tables:
                if table.number in self._expired:
                    self._drop_expired(table)

    def _settle(self, unit: Unit) -> None:
        """Insert pending rows, longest horizon first, until none is left."""
        now = self.now
        if not unit.recursive:
            (table,) = unit.tables
            while table.pending:
                horizon = max(table.pending)
                self._insert(unit, table, table.pending.pop(horizon), horizon, now)
            return
        while True:
            waiting = [table for table in unit.tables if table.pending]
            if not waiting:
                return
            table = max(waiting, key=lambda t: max(t.pending))
            horizon = max(table.pending)
            self._insert(unit, table, table.pending.pop(horizon), horizon, now)

    def _insert(self, unit: Unit, table: Table, keys: list[Row], horizon: int, now: int) -> list[Row]:
        """Insert rows and note what that changes; the rows that began to hold, or hold longer."""
        if unit.arriving is not None:
            unit.arriving(keys)
            return []
        new = table.insert(keys, horizon, now)
        if new:
            self.derivations += len(new)
            if table.is_followed:
                self._note(table, new, horizon)
            if unit.limit is not None:
                unit.limit(len(new))
        return new

    def _drop_expired(self, table: Table) -> None:
        rows = table.rows
        before = len(rows)
        for horizon in self._expired[table.number]:
            bucket = table.buckets.pop(horizon, None)
            if bucket is not None and table.drop is not None:
                gone = table.drop(bucket, horizon)
                if gone:
                    table.gone += gone
                    self._touched[table.number] = table
        self.expiries += before - len(rows)

    def _cover(self, unit: Unit, coverage: Coverage) -> None:
        (table,) = unit.tables
        found = coverage.find(self.now, self.start)
        if unit.volatile:
            still = set(found)
            table.withdraw([k for k, h in table.rows.items() if h == self.now and k not in still], self.now)
        if found:
            table.add(self.now, found)
        coverage.forget(self.now)
        wake = coverage.wakes_at(self.now)
        if wake is not None:
            self.agenda.wake(wake)

    # --- what can be withdrawn -------------------------------------------------------------------------

    def _run_volatile(self, unit: Unit) -> None:
        now = self.now
        if unit.content is not None:
            (table,) = unit.tables
            entered, left = unit.content.changes()
            table.withdraw(left, now)
            if entered:
                table.add(FOREVER, entered)
        if unit.coverage is not None:
            self._cover(unit, unit.coverage)
        self._kill(unit, now)
        self._rederive(unit, now)
        self._fire(unit, now)
        self._settle_volatile(unit, now)
        for table in unit.tables:
            if table.number in self._expired:
                self._drop_expired(table)
            if table.dead:
                self._touched[table.number] = table
                rows = table.rows
                table.gone += [key for key in table.dead if rows[key] < 0]

    def _kill(self, unit: Unit, now: int) -> None:
        """Mark every row that may have lost a derivation."""
        own = set(map(id, unit.tables))
        for table, join in unit.kills.by_row:
            if table.dead and id(table) not in own:
                join(table.lost(), FOREVER, now)
        for table, join in unit.kills.by_absence:
            if table.born:
                join(table.born, FOREVER, now)
        for groups, join in unit.kills.by_group:
            if groups.changed:
                join(groups.old_rows(), FOREVER, now)
        inside = [(table, join) for table, join in unit.kills.by_row if id(table) in own]
        while True:
            busy = False
            for table in unit.tables:
                if table.doomed:
                    busy = True
                    doomed = table.doomed.copy()
                    table.doomed.clear()
                    dying = table.withdraw(doomed, now)
                    if dying:
                        for source, join in inside:
                            if source is table:
                                join(dying, FOREVER, now)
            if not busy:
                return

    def _rederive(self, unit: Unit, now: int) -> None:
        for table in unit.tables:
            if table.dead and table.rederive is not None:
                rederive = table.rederive
                for key in table.dead:
                    horizon = rederive(key, now)
                    if horizon >= now:
                        table.add(horizon, [key])

    def _fire(self, unit: Unit, now: int) -> None:
        own = set(map(id, unit.tables))
        if self._fresh:
            for once in unit.once:
                once(now)
        if self._again:
            for table, join in unit.fires.by_row:
                for horizon, keys in self._reopened(table).items():
                    join(keys, horizon, now)
        for table, join in unit.fires.by_row:
            if id(table) not in own:
                for keys, horizon in table.deltas:
                    join(keys, horizon, now)
        for table, join in unit.fires.by_absence:
            if table.gone:
                join(table.gone, FOREVER, now)
        for groups, join in unit.fires.by_group:
            if groups.changed:
                join(groups.new_rows(), FOREVER, now)

    def _settle_volatile(self, unit: Unit, now: int) -> None:
        inside = [(table, join) for table, join in unit.fires.by_row if any(table is t for t in unit.tables)]
        while True:
            waiting = [table for table in unit.tables if table.pending]
            if not waiting:
                return
            table = max(waiting, key=lambda t: max(t.pending))
            horizon = max(table.pending)
            keys = table.pending.pop(horizon)
            new = self._insert(unit, table, keys, horizon, now)
            if new:
                for source, join in inside:
                    if source is table:
                        join(new, horizon, now)
