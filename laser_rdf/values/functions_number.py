"""Built-in functions of numbers: terms go in, a term comes out, `NoValue` if an argument does not fit."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from laser_rdf.values.aggregates import extreme
from laser_rdf.values.numbers import DECIMAL, DOUBLE, NoValue, Number, number_literal, number_of
from laser_rdf.values.rounding import nearest_double
from laser_rdf.values.terms import Literal, Term

EARTH_RADIUS_METRES = 6_371_008.8  # the mean radius of the IUGG


def number_argument(term: Term) -> Number:
    """The number a term denotes; NoValue if none."""
    number = number_of(term)
    if number is None:
        raise NoValue
    return number


def _double_argument(term: Term) -> float:
    value = number_argument(term).value
    return value if isinstance(value, float) else nearest_double(value)


def absolute(term: Term) -> Literal:
    """`abs(X)`, in the type of X."""
    number = number_argument(term)
    value = number.value
    if isinstance(value, float):
        return number_literal(Number(number.kind, math.fabs(value)))  # also of -0.0
    return number_literal(Number(number.kind, -value if value < 0 else value))


def floor(term: Term) -> Literal:
    """`floor(X)`, in the type of X.

    >>> from laser_rdf.values.native import to_term
    >>> floor(to_term(-2.5)).lexical
    '-3.0E0'
    """
    return _to_whole(term, math.floor)


def ceil(term: Term) -> Literal:
    """`ceil(X)`, in the type of X."""
    return _to_whole(term, math.ceil)


def round_half_up(term: Term) -> Literal:
    """`round(X)`, in the type of X; halves go towards positive infinity.

    >>> from laser_rdf.values.native import to_term
    >>> round_half_up(to_term(2.5)).lexical, round_half_up(to_term(-2.5)).lexical
    ('3.0E0', '-2.0E0')
    """
    return _to_whole(term, lambda exact: math.floor(exact + Fraction(1, 2)))


def _to_whole(term: Term, whole: Callable[[Fraction], int]) -> Literal:
    number = number_argument(term)
    value = number.value
    if isinstance(value, Fraction):
        return number_literal(Number(DECIMAL, Fraction(whole(value))))
    if isinstance(value, float) and math.isfinite(value):
        # By the exact value: `value + 0.5` would round 0.49999999999999994 up. And -0.3 rounds to -0.
        return number_literal(Number(number.kind, math.copysign(float(whole(Fraction(value))), value)))
    return number_literal(number)


def sqrt(term: Term) -> Literal:
    """`sqrt(X)`, a double; of a negative number it is NaN.

    >>> from laser_rdf.values.native import to_term
    >>> sqrt(to_term(2)).lexical
    '1.4142135623730951E0'
    """
    value = _double_argument(term)
    return number_literal(Number(DOUBLE, math.nan if value < 0 else math.sqrt(value)))


def least(*terms: Term) -> Term:
    """`min(X, Y, …)`: one of the arguments, all of one ordered kind."""
    return _extreme(terms, largest=False)


def greatest(*terms: Term) -> Term:
    """`max(X, Y, …)`: one of the arguments, all of one ordered kind."""
    return _extreme(terms, largest=True)


def _extreme(terms: tuple[Term, ...], *, largest: bool) -> Term:
    term = extreme(terms, largest=largest)
    if term is None:
        raise NoValue
    return term


def distance(lat1: Term, lon1: Term, lat2: Term, lon2: Term) -> Literal:
    """`distance(lat1, lon1, lat2, lon2)`: metres along the great circle (haversine), a double.

    >>> from laser_rdf.values.native import to_term
    >>> paris, london = (to_term(48.8566), to_term(2.3522)), (to_term(51.5074), to_term(-0.1278))
    >>> print(round(number_of(distance(*paris, *london)).value / 1000))
    344
    """
    degrees = [_double_argument(term) for term in (lat1, lon1, lat2, lon2)]
    if not all(map(math.isfinite, degrees)) or abs(degrees[0]) > 90 or abs(degrees[2]) > 90:
        raise NoValue
    phi1, lambda1, phi2, lambda2 = map(math.radians, degrees)
    across = math.cos(phi1) * math.cos(phi2) * math.sin((lambda2 - lambda1) / 2) ** 2
    haversine = math.sin((phi2 - phi1) / 2) ** 2 + across
    angle = 2 * math.asin(math.sqrt(min(1.0, haversine)))
    return number_literal(Number(DOUBLE, EARTH_RADIUS_METRES * angle))
