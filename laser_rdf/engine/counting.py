"""Tuple and partition windows: the last atoms that arrived, kept as they come.

last 2 of  a b c   →   b c;   when d comes, b leaves
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable
from typing import Any

from laser_rdf.engine.tables import Row

Entry = tuple[Any, Row, int]
"""A predicate, the atom's arguments, the time of arrival."""


class LastAtoms:
    """The last atoms of those that count, in one queue or in one for each group."""

    def __init__(self, count: int, group: Callable[[Entry], Hashable]) -> None:
        self.count = count
        self._group = group
        self._queues: dict[Hashable, deque[Entry]] = {}
        self._listeners: list[Callable[[Entry, int], None]] = []

    def listen(self, listener: Callable[[Entry, int], None]) -> None:
        """Tell someone about every atom that enters (+1) or leaves (-1)."""
        self._listeners.append(listener)

    def arrive(self, entry: Entry) -> None:
        """An atom that counts has arrived."""
        queue = self._queues.setdefault(self._group(entry), deque())
        queue.append(entry)
        self._tell(entry, 1)
        if len(queue) > self.count:
            self._tell(queue.popleft(), -1)

    def _tell(self, entry: Entry, change: int) -> None:
        for listener in self._listeners:
            listener(entry, change)


class Content:
    """How often each row of a table is in a window at present; several atoms can give one row."""

    def __init__(self, row_of: Callable[[Entry], Row | None]) -> None:
        self._row_of = row_of
        self._counts: dict[Row, int] = {}
        self._changed: dict[Row, int] = {}

    def hear(self, entry: Entry, change: int) -> None:
        """An atom entered or left the window."""
        row = self._row_of(entry)
        if row is None:
            return
        before = self._counts.get(row, 0)
        self._changed.setdefault(row, before)
        if before + change:
            self._counts[row] = before + change
        else:
            del self._counts[row]

    def changes(self) -> tuple[list[Row], list[Row]]:
        """The rows that entered and those that left since the last call."""
        entered = [row for row, before in self._changed.items() if not before and row in self._counts]
        left = [row for row, before in self._changed.items() if before and row not in self._counts]
        self._changed = {}
        return entered, left
