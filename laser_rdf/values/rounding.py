"""Rounding and digits: exact numbers to IEEE singles and doubles, to 18 decimal places, to text and back.

Everything here is correctly rounded (half to even, once) and total: what overflows becomes infinite, and no
digit limit of the interpreter is met, however low it is set (`sys.set_int_max_str_digits`).
"""

from __future__ import annotations

import math
import struct
from fractions import Fraction

DECIMAL_PLACES = 18

_SCALE = 10**DECIMAL_PLACES
_CHUNK = 500  # digits; the interpreter's limit cannot be set below 640
_CHUNK_BITS = 1600


def integer_of(digits: str) -> int:
    """`int()` for a text of ASCII digits with an optional sign, of any length.

    >>> integer_of("-" + "9" * 5000) == 1 - 10**5000
    True
    """
    if len(digits) <= _CHUNK:
        return int(digits)
    if digits[0] in "+-":
        value = integer_of(digits[1:])
        return -value if digits[0] == "-" else value
    half = len(digits) // 2
    shift: int = 10**half
    return integer_of(digits[:-half]) * shift + integer_of(digits[-half:])


def integer_text(value: int) -> str:
    """`str()` for an int of any length.

    >>> integer_text(-(10**5000)) == "-1" + "0" * 5000
    True
    """
    if value.bit_length() <= _CHUNK_BITS:
        return str(value)
    if value < 0:
        return "-" + integer_text(-value)
    half = int(value.bit_length() * math.log10(2)) // 2
    high, low = divmod(value, 10**half)
    return integer_text(high) + integer_text(low).rjust(half, "0")


def nearest_double(value: int | Fraction) -> float:
    """The double nearest to an exact number.

    >>> nearest_double(Fraction(1, 10)), nearest_double(-(10**400))
    (0.1, -inf)
    """
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def nearest_single(value: int | Fraction | float) -> float:
    """The single (`xsd:float`) nearest to a number, as a Python float.

    >>> nearest_single(Fraction(1, 10)), nearest_single(1e39)
    (0.10000000149011612, inf)
    """
    if isinstance(value, float):
        return _to_single(value)
    double = nearest_double(value)
    if not math.isinf(double) and double != value and not _is_odd(double):
        # Round to odd first: then the second rounding, to 24 bits, cannot be misled by the first, to 53.
        double = math.nextafter(double, math.inf if value > double else -math.inf)
    return _to_single(double)


def _to_single(value: float) -> float:
    try:
        single: float = struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)
    return single


def _is_odd(value: float) -> bool:
    return bool(struct.pack("<d", value)[0] & 1)


def shortest_single(value: float) -> str:
    """The shortest decimal text that reads back as the finite single `value`.

    >>> shortest_single(nearest_single(Fraction(1, 10)))
    '1e-01'
    """
    for precision in range(8):
        text = f"{value:.{precision}e}"
        if nearest_single(Fraction(text)) == value:
            return text
    return f"{value:.8e}"  # nine digits are always enough


def scientific(text: str) -> str:
    """An unsigned decimal text in the canonical form of `xsd:double`.

    >>> scientific("123.45"), scientific("1e-05"), scientific("0.0")
    ('1.2345E2', '1.0E-5', '0.0E0')
    """
    mantissa, _, exponent = text.partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    if not digits:
        return "0.0E0"
    leading_zeros = len(whole) + len(fraction) - len(digits)
    power = int(exponent or 0) + len(whole) - 1 - leading_zeros
    return f"{digits[0]}.{digits[1:].rstrip('0') or '0'}E{power}"


def to_places(value: Fraction) -> Fraction:
    """The multiple of 10^-18 nearest to `value`, half to even: how division ends.

    >>> to_places(Fraction(2, 3))
    Fraction(666666666666666667, 1000000000000000000)
    """
    return Fraction(round(value * _SCALE), _SCALE)
