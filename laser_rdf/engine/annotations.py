"""Annotations: when, in evaluation time, a fact makes a literal true (semantics, section 4).

An annotation is an interval [c, h] of evaluation times, first and last included; here a fact is always
looked at when it holds, so most functions answer with the horizon h, and with the c of a later start.

    an atom pinned at 7, window [5 back, 2 ahead]     →   [5, 12]
    the same in a window that moves in steps of 4     →   [8, 15]
"""

from __future__ import annotations

FOREVER = 1 << 62
"""A horizon that never comes."""


def span_of(time: int, back: int, ahead: int, step: int) -> tuple[int, int]:
    """The evaluation times whose window contains the time point.

    >>> span_of(7, 5, 2, 1), span_of(7, 3, 0, 4)
    ((5, 12), (8, 11))
    """
    if step == 1:
        return time - ahead, time + back
    return -((ahead - time) // step) * step, (time + back) // step * step + step - 1


def window_at(reference: int, back: int, ahead: int, step: int, start: int) -> tuple[int, int]:
    """The first and last time point of the window taken at a reference time; empty when first > last.

    >>> window_at(7, 5, 2, 1, 4), window_at(7, 3, 0, 4, 0)
    ((4, 9), (1, 4))
    """
    pivot = reference // step * step
    return max(start, pivot - back), pivot + ahead


def phase_of(now: int, ahead: int, step: int) -> tuple[int, int, int]:
    """For a window that moves in steps: the stretch in which now lies in its own window, and the next one.

    >>> phase_of(9, 1, 4), phase_of(10, 1, 4)
    ((8, 9, 12), (8, 9, 12))
    """
    pivot = now // step * step
    return pivot, pivot + min(ahead, step - 1), pivot + step
