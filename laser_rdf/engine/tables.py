"""The tables of the engine: rows with horizons, and what happened to them in the current step.

Rows are tuples; values are whatever hashes. A row is in the table exactly from the step in which it began to
hold to the end of the step in which it ceased to: `rows[key]` is its horizon, -1 when it was withdrawn in
this step and nothing has brought it back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from laser_rdf.engine.annotations import FOREVER

Row = tuple[Any, ...]
WITHDRAWN = -1


class Table:
    """One relation."""

    __slots__ = (
        "again",
        "born",
        "buckets",
        "dead",
        "deltas",
        "doomed",
        "drop",
        "gone",
        "has_volatile_readers",
        "indexes",
        "insert",
        "is_followed",
        "number",
        "pending",
        "rederive",
        "rows",
    )

    def __init__(self, number: int) -> None:
        self.number = number
        self.rows: dict[Row, int] = {}
        self.indexes: dict[tuple[int, ...], dict[Any, set[Row]]] = {}
        self.buckets: dict[int, list[Row]] = {}
        """Rows by the horizon they were given; those that got another one since are passed over."""

        self.pending: dict[int, list[Row]] = {}
        """Rows to insert in this step, by horizon."""

        self.deltas: list[tuple[list[Row], int]] = []
        """Rows that began to hold, or hold longer, in this step, with their horizon."""

        self.born: list[Row] = []
        self.gone: list[Row] = []
        self.doomed: list[Row] = []
        self.dead: dict[Row, int] = {}
        """Rows withdrawn in this step, with the horizon they had."""

        self.has_volatile_readers = False
        self.is_followed = False
        """Whether anybody reads what changes: an output, a negation, an aggregate, a rule in phases."""

        self.insert: Callable[[list[Row], int, int], list[Row]]
        self.drop: Callable[[list[Row], int], list[Row]] | None = None
        self.again: Callable[[list[Row], int, int], None] | None = None
        self.rederive: Callable[[Row, int], int] | None = None

    def add(self, horizon: int, keys: list[Row]) -> None:
        """Rows to insert in this step."""
        waiting = self.pending.get(horizon)
        if waiting is None:
            self.pending[horizon] = keys
        else:
            self.pending[horizon] = waiting + keys

    def withdraw(self, keys: list[Row], now: int) -> list[Row]:
        """Mark rows that hold as withdrawn; they stay visible to joins that look for what they supported."""
        rows, dying = self.rows, []
        for key in keys:
            horizon = rows.get(key, WITHDRAWN)
            if horizon >= now:
                rows[key] = WITHDRAWN
                self.dead.setdefault(key, horizon)
                dying.append(key)
        return dying

    def index(self, columns: tuple[int, ...]) -> dict[Any, set[Row]]:
        """The index by some columns; made from the rows when it is new."""
        if columns not in self.indexes:
            made: dict[Any, set[Row]] = {}
            for key in self.rows:
                part = key[columns[0]] if len(columns) == 1 else tuple(key[c] for c in columns)
                made.setdefault(part, set()).add(key)
            self.indexes[columns] = made
        return self.indexes[columns]

    def lost(self) -> list[Row]:
        """Rows that were withdrawn, or hold less long than before."""
        rows = self.rows
        return [key for key, before in self.dead.items() if rows[key] < before]

    def replace_rows(self, now: int, advanced: bool) -> None:
        """For a table whose rows hold at one time point only: those of now take the place of those before.

        Generated code does not look at such a table, so the dictionary itself can be exchanged.
        """
        before = self.rows
        rows = {} if advanced else before.copy()
        for keys in self.pending.values():
            rows.update(dict.fromkeys(keys, now))
        self.pending.clear()
        self.rows = rows
        leave = before.pop
        self.born += [key for key in rows if leave(key, None) is None]
        self.gone = list(before)

    def forget_changes(self) -> None:
        """The step is over."""
        if self.dead and self.drop is not None:
            self.drop(list(self.dead), WITHDRAWN)
            self.dead = {}
        # The lists that generated code holds on to are emptied, the others replaced.
        self.born.clear()
        self.doomed.clear()
        if self.deltas:
            self.deltas = []
        if self.gone:
            self.gone = []


__all__ = ["FOREVER", "WITHDRAWN", "Row", "Table"]
