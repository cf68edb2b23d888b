"""Aggregates that follow their tuples: each tuple added or removed costs little, whatever the group's size.

sum:  add 1, add 2, remove 1   →   2          the same term as recomputing it would give
"""

from __future__ import annotations

from functools import total_ordering
from heapq import heappop, heappush
from typing import Any

from laser_rdf.codegen.domain import Domain, Value
from laser_rdf.engine.tables import Row
from laser_rdf.lang.ast import AggregateName
from laser_rdf.values import ExactSum, ntriples
from laser_rdf.values.aggregates import extreme
from laser_rdf.values.kinds import ORDERED, Kind, value_of


def accumulator(function: AggregateName, domain: Domain) -> Total | Extreme:
    """A new accumulator for a group of `sum`, `avg`, `min` or `max`."""
    if function in ("sum", "avg"):
        return Total(domain, avg=function == "avg")
    return Extreme(domain, largest=function == "max")


class Total:
    """The exact sum, or average, of the tuples' first components."""

    def __init__(self, domain: Domain, *, avg: bool) -> None:
        self._domain = domain
        self._avg = avg
        self._sum = ExactSum()

    def add(self, row: Row) -> None:
        """A tuple comes."""
        self._sum.add(self._domain.decode(row[0]))

    def remove(self, row: Row) -> None:
        """A tuple goes."""
        self._sum.remove(self._domain.decode(row[0]))

    def value(self) -> Value:
        """The sum, None when it has none."""
        result = self._sum.result(avg=self._avg)
        return None if result is None else self._domain.encode(result)


class Extreme:
    """The least or greatest of the tuples' first components.

    A heap for each kind of value holds all that have come; those that have gone are passed over when they
    reach its top, and swept out when they are more than half of it.
    """

    def __init__(self, domain: Domain, *, largest: bool) -> None:
        self._domain = domain
        self._largest = largest
        self._counts: dict[Value, int] = {}
        self._kinds: dict[Kind, int] = {}
        self._not_numbers = 0
        self._heaps: dict[Kind, list[tuple[Any, str, Value]]] = {}
        self._in_heap: set[Value] = set()

    def add(self, row: Row) -> None:
        """A tuple comes."""
        value = row[0]
        self._count(value, 1)
        if value not in self._in_heap:
            self._push(value)

    def remove(self, row: Row) -> None:
        """A tuple goes."""
        self._count(row[0], -1)
        if len(self._in_heap) > 2 * len(self._counts) + 16:
            self._heaps, self._in_heap = {}, set()
            for value in self._counts:
                self._push(value)

    def _count(self, value: Value, change: int) -> None:
        kind, key = self._kind_and_key(value)
        self._kinds[kind] = self._kinds.get(kind, 0) + change
        self._not_numbers += change if key != key else 0
        count = self._counts.get(value, 0) + change
        if count:
            self._counts[value] = count
        else:
            del self._counts[value]

    def _kind_and_key(self, value: Value) -> tuple[Kind, Any]:
        valued = value_of(self._domain.decode(value))
        return valued.kind, valued.key.value if valued.kind is Kind.NUMBER else valued.key

    def _push(self, value: Value) -> None:
        kind, key = self._kind_and_key(value)
        if kind in ORDERED and key == key:
            self._in_heap.add(value)
            entry = (Backwards(key) if self._largest else key, ntriples(self._domain.decode(value)), value)
            heappush(self._heaps.setdefault(kind, []), entry)

    def value(self) -> Value:
        """The least or greatest value, None when the values have no order."""
        kinds = [kind for kind, count in self._kinds.items() if count]
        if len(kinds) != 1 or kinds[0] not in ORDERED:
            return None
        if self._not_numbers:
            terms = [self._domain.decode(value) for value in self._counts]
            result = extreme(terms, largest=self._largest)
            return None if result is None else self._domain.encode(result)
        heap = self._heaps[kinds[0]]
        while heap[0][2] not in self._counts:
            self._in_heap.discard(heappop(heap)[2])
        return heap[0][2]


@total_ordering
class Backwards:
    """A key that sorts the other way round."""

    __slots__ = ("key",)

    def __init__(self, key: Any) -> None:
        self.key = key

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Backwards) and bool(self.key == other.key)

    def __lt__(self, other: Backwards) -> bool:
        return bool(other.key < self.key)

    def __hash__(self) -> int:
        return hash(self.key)
