"""count, sum, avg, min, max over a set of tuples (semantics, section 3).

`sum` and `avg` are exact rationals that are rounded once, at the end; so the order of the tuples does not
matter and `ExactSum`, which adds and removes, gives the same term as a recomputation.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from fractions import Fraction

from laser_rdf.errors import UsageError
from laser_rdf.values.kinds import ORDERED, Kind, value_of
from laser_rdf.values.numbers import (
    DECIMAL,
    DOUBLE,
    FLOAT,
    INTEGER,
    NoValue,
    Number,
    NumberKind,
    number_literal,
    number_of,
)
from laser_rdf.values.rounding import nearest_double, nearest_single, to_places
from laser_rdf.values.terms import Literal, Term, ntriples


def aggregate(function: str, tuples: Collection[tuple[Term, ...]]) -> Term | None:
    """The aggregate of a set of distinct tuples; None if it does not hold.

    >>> from laser_rdf.values.native import to_term
    >>> tuples = [(to_term(1), to_term("a")), (to_term(1), to_term("b")), (to_term(4), to_term("a"))]
    >>> [aggregate(name, tuples).lexical for name in ("count", "sum", "avg", "min", "max")]
    ['3', '6', '2.0', '1', '4']
    """
    match function:
        case "count":
            return number_literal(Number(INTEGER, len(tuples)))
        case "sum" | "avg":
            total = ExactSum(row[0] for row in tuples)
            return total.result(avg=function == "avg")
        case "min" | "max":
            return extreme([row[0] for row in tuples], largest=function == "max")
    raise UsageError(f"`{function}` is not an aggregate: use count, sum, avg, min or max")


class ExactSum:
    """A sum of numeric terms that can be taken back; a term that is no number spoils it while it is there.

    >>> from laser_rdf.values.native import to_term
    >>> total = ExactSum([to_term(0.1), to_term(1e100), to_term(-1e100)])
    >>> total.result(avg=False).lexical
    '1.0E-1'
    >>> total.remove(to_term(0.1))
    >>> total.result(avg=False).lexical
    '0.0E0'
    """

    __slots__ = ("_infinite", "_kinds", "_nan", "_no_numbers", "_rational", "_whole")

    def __init__(self, terms: Iterable[Term] = ()) -> None:
        """The sum of the terms given."""
        self._whole = 0  # integers apart from fractions: adding ints is much cheaper
        self._rational = Fraction(0)
        self._kinds = dict.fromkeys(NumberKind, 0)
        self._infinite = {math.inf: 0, -math.inf: 0}
        self._nan = 0
        self._no_numbers = 0
        for term in terms:
            self.add(term)

    def add(self, term: Term) -> None:
        """Count a term in."""
        self._count(term, 1)

    def remove(self, term: Term) -> None:
        """Take back a term that was counted in."""
        self._count(term, -1)

    def _count(self, term: Term, sign: int) -> None:
        number = number_of(term)
        if number is None:
            self._no_numbers += sign
            return
        self._kinds[number.kind] += sign
        value = number.value
        if isinstance(value, int):
            self._whole += sign * value
        elif isinstance(value, Fraction) or math.isfinite(value):
            self._rational += sign * Fraction(value)
        elif math.isnan(value):
            self._nan += sign
        else:
            self._infinite[value] += sign

    def result(self, *, avg: bool) -> Literal | None:
        """The sum, or the average; None if there is a term that is no number, or nothing to average."""
        count = sum(self._kinds.values())
        if self._no_numbers or (avg and not count):
            return None
        kind = max((kind for kind, used in self._kinds.items() if used), default=INTEGER)
        try:
            if kind in (FLOAT, DOUBLE):
                return number_literal(Number(kind, self._ieee(kind, count if avg else 1)))
            if avg:
                return number_literal(Number(DECIMAL, to_places((self._whole + self._rational) / count)))
            total = self._whole if kind is INTEGER else self._whole + self._rational
            return number_literal(Number(kind, total))
        except NoValue:
            return None

    def _ieee(self, kind: NumberKind, divisor: int) -> float:
        up, down = self._infinite[math.inf], self._infinite[-math.inf]
        if self._nan or (up and down):
            return math.nan
        if up or down:
            return math.inf if up else -math.inf
        exact = (self._whole + self._rational) / divisor
        return nearest_single(exact) if kind is FLOAT else nearest_double(exact)


def extreme(terms: Collection[Term], *, largest: bool) -> Term | None:
    """The least or greatest of terms of one ordered kind, None if there is none; ties by N-Triples text.

    Numbers go by their exact values and not pair by pair, because an order must be transitive.

    >>> from laser_rdf.values.native import to_term
    >>> extreme([to_term(2), to_term(10), to_term(9.5)], largest=True).lexical
    '10'
    >>> extreme([to_term(2), to_term("a")], largest=True) is None
    True
    """
    values = [value_of(term) for term in terms]
    kinds = {value.kind for value in values}
    if len(kinds) != 1 or not kinds <= ORDERED:
        return None
    keys = [value.key.value if value.kind is Kind.NUMBER else value.key for value in values]
    not_a_number = [term for term, key in zip(terms, keys, strict=True) if key != key]
    if not_a_number:
        return min(not_a_number, key=ntriples)
    best = max(keys) if largest else min(keys)
    return min((term for term, key in zip(terms, keys, strict=True) if key == best), key=ntriples)
