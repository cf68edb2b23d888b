"""Aggregates, kept up to date group by group as tuples come and go.

count:  (s1, o1), (s1, o2)   →   s1 ↦ 2;   when (s1, o1) goes, s1 ↦ 1
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from laser_rdf.engine.tables import Row


class Accumulator(Protocol):
    """Follows the tuples of one group."""

    def add(self, row: Row) -> None:
        """A tuple comes."""

    def remove(self, row: Row) -> None:
        """A tuple goes."""

    def value(self) -> Any:
        """The aggregate of the tuples that are there, None when it has no value."""


class Groups:
    """The value of one aggregate for every group that has tuples."""

    def __init__(self, width: int, make: Callable[[], Accumulator] | None, empty: Any) -> None:
        """`width` columns name the group; without `make`, tuples are counted; `empty` is for no tuple."""
        self.width = width
        self.values: dict[Row, Any] = {}
        self._make = make
        self._empty = empty
        self._accumulators: dict[Row, Accumulator] = {}
        self._sizes: dict[Row, int] = {}
        self.changed: dict[Row, Any] = {}
        """Groups that changed in this step, with the value they had."""

    def update(self, born: list[Row], gone: list[Row]) -> None:
        """Rows of the relation behind the aggregate began or ceased to hold."""
        if self._make is None:
            self._count(born, gone)
            return
        width, sizes = self.width, self._sizes
        touched: dict[Row, None] = {}
        for row in born:
            group = row[:width]
            if group not in self._accumulators:
                self._accumulators[group] = self._make()
            self._accumulators[group].add(row[width:])
            sizes[group] = sizes.get(group, 0) + 1
            touched[group] = None
        for row in gone:
            group = row[:width]
            self._accumulators[group].remove(row[width:])
            sizes[group] -= 1
            touched[group] = None
        for group in touched:
            if sizes[group]:
                self._set(group, self._accumulators[group].value())
            else:
                del sizes[group], self._accumulators[group]
                self._set(group, self._empty)

    def _count(self, born: list[Row], gone: list[Row]) -> None:
        """Counting needs no tuples."""
        width, values = self.width, self.values
        changes: dict[Row, int] = {}
        for row in gone:
            group = row[:width]
            changes[group] = changes.get(group, 0) - 1
        for row in born:
            group = row[:width]
            changes[group] = changes.get(group, 0) + 1
        for group, change in changes.items():
            if change:
                self._set(group, values.get(group, 0) + change)

    def _set(self, group: Row, value: Any) -> None:
        before = self.values.get(group, self._empty)
        if before != value:
            self.changed.setdefault(group, before)
            if value == self._empty:
                self.values.pop(group, None)
            else:
                self.values[group] = value

    def before_and_now(self, group: Row) -> list[Any]:
        """The values a group had before this step and has now: joins that look for losses need both."""
        now = self.values.get(group, self._empty)
        before = self.changed.get(group, now)
        return [value for value in ((now,) if before == now else (before, now)) if value is not None]

    def value(self, group: Row) -> Any:
        """The value of a group; None when it has none."""
        return self.values.get(group, self._empty)

    def old_rows(self) -> list[Row]:
        """Group and value as they were, for the groups that changed."""
        return [(*group, before) for group, before in self.changed.items() if before is not None]

    def new_rows(self) -> list[Row]:
        """Group and value as they are, for the groups that changed."""
        get, empty = self.values.get, self._empty
        rows = ((*group, get(group, empty)) for group in self.changed)
        return [row for row in rows if row[-1] is not None]
