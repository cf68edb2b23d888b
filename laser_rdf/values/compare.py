"""Comparison of terms by value: `= != < <= > >=`.

Numbers compare pair by pair in the greater of their two types, so equality is not transitive: the float 0.1
equals the decimal 0.1 and that equals the double 0.1, but the float is not the double. `=` between terms of
no comparable kind is term equality, and `!=` is its negation, always; the order relations are false there.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from laser_rdf.errors import UsageError
from laser_rdf.values.kinds import DURATIONS, ORDERED, Kind, Valued, value_of
from laser_rdf.values.numbers import promote
from laser_rdf.values.terms import Term

_NUMBER = Kind.NUMBER
_OTHER = Kind.OTHER

_ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def equal(a: Term, b: Term) -> bool:
    """Whether two terms are equal by value, or, where they have no value, the same term.

    >>> from laser_rdf.values.terms import IRI, XSD_DECIMAL, XSD_INTEGER, Literal
    >>> equal(Literal("01", XSD_INTEGER), Literal("1.0", XSD_DECIMAL)), equal(IRI("x:a"), IRI("x:b"))
    (True, False)
    """
    x, y = value_of(a), value_of(b)
    return a == b if x.kind is _OTHER is y.kind else equal_values(x, y)


def equal_values(x: Valued, y: Valued) -> bool:
    """Whether two values are equal; those of no comparable kind are not."""
    kind = x.kind
    if kind is y.kind:
        if kind is _NUMBER:
            _, u, v = promote(x.key, y.key)
            return u == v
        return kind is not _OTHER and bool(x.key == y.key)
    return kind in DURATIONS and y.kind in DURATIONS and bool(x.key == y.key)


def less(a: Term, b: Term) -> bool | None:
    """Whether `a` comes before `b`; None if the two cannot be ordered.

    >>> from laser_rdf.values.terms import IRI, XSD_INTEGER, Literal
    >>> less(Literal("9", XSD_INTEGER), Literal("10", XSD_INTEGER)), less(Literal("9"), Literal("10"))
    (True, False)
    >>> less(IRI("x:a"), IRI("x:b")) is None
    True
    """
    pair = _ordered_pair(value_of(a), value_of(b))
    return None if pair is None else bool(pair[0] < pair[1])


def compare(op: str, a: Term, b: Term) -> bool:
    """Whether a comparison holds.

    >>> from laser_rdf.values.terms import XSD_INTEGER, Literal
    >>> compare(">=", Literal("10", XSD_INTEGER), Literal("9", XSD_INTEGER))
    True
    """
    if op == "=":
        return equal(a, b)
    if op == "!=":
        return not equal(a, b)
    if op not in _ORDER:
        raise UsageError(f"`{op}` is not a comparison: use = != < <= > >=")
    return ordered_values(op, value_of(a), value_of(b))


def ordered_values(op: str, x: Valued, y: Valued) -> bool:
    """Whether `<`, `<=`, `>` or `>=` holds between two values."""
    pair = _ordered_pair(x, y)
    return pair is not None and _ORDER[op](*pair)


def _ordered_pair(x: Valued, y: Valued) -> tuple[Any, Any] | None:
    """Two keys that Python orders as the values are ordered; NaN is orderable, and before nothing."""
    if x.kind is not y.kind:
        return None
    if x.kind is _NUMBER:
        _, u, v = promote(x.key, y.key)
        return u, v
    return (x.key, y.key) if x.kind in ORDERED else None
