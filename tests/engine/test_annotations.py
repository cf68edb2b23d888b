"""The arithmetic of annotations against the definitions of the semantics, by looking at every time point."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laser_rdf.engine.annotations import FOREVER, phase_of, span_of, window_at

times = st.integers(0, 40)
lengths = st.integers(0, 9)
steps = st.integers(1, 7)


def points(reference: int, back: int, ahead: int, step: int, start: int) -> set[int]:
    """The timeline of a window as section 2 defines it."""
    pivot = reference // step * step
    return set(range(max(start, pivot - back), pivot + ahead + 1))


@given(times, lengths, lengths, steps, times)
def test_window_at_is_the_timeline(reference: int, back: int, ahead: int, step: int, start: int) -> None:
    first, last = window_at(reference, back, ahead, step, start)
    assert set(range(first, last + 1)) == points(reference, back, ahead, step, start)


@given(times, lengths, lengths, steps)
def test_span_is_when_the_window_contains_the_point(time: int, back: int, ahead: int, step: int) -> None:
    """With any start up to the point itself: a fact never sits before the start."""
    first, last = span_of(time, back, ahead, step)
    looked_at = range(0, time + back + ahead + 2 * step)
    seen = {now for now in looked_at if time in points(now, back, ahead, step, 0)}
    assert {now for now in looked_at if first <= now <= last} == seen
    assert {now for now in looked_at if first <= now <= last} == {
        now for now in looked_at if time in points(now, back, ahead, step, time)
    }


@given(times, lengths, lengths, steps)
def test_span_follows_the_formula(time: int, back: int, ahead: int, step: int) -> None:
    """P = [ceil((T-u)/d)*d, floor((T+l)/d)*d + d-1]."""
    ceiling = -((ahead - time) // step)
    assert span_of(time, back, ahead, step) == (ceiling * step, (time + back) // step * step + step - 1)


@given(times, lengths, lengths, st.integers(2, 7))
def test_span_can_be_empty_or_start_late(time: int, back: int, ahead: int, step: int) -> None:
    first, last = span_of(time, back, ahead, step)
    if back + ahead >= step - 1:  # the windows leave no gap
        assert first <= last
    if ahead == 0:
        assert first >= time


@given(times, lengths, lengths, st.integers(1, 7), times)
def test_span_and_window_are_inverse(time: int, back: int, ahead: int, step: int, now: int) -> None:
    first, last = span_of(time, back, ahead, step)
    low, high = window_at(now, back, ahead, step, 0)
    assert (first <= now <= last) == (low <= time <= high)


@given(times, st.integers(0, 9), st.integers(1, 7))
def test_phase_is_when_now_lies_in_its_own_window(now: int, ahead: int, step: int) -> None:
    first, last, following = phase_of(now, ahead, step)
    inside = {t for t in range(60) if t % step <= ahead}
    stretch = set(range(first, last + 1))
    assert first == now // step * step
    assert following == first + step
    assert {t for t in inside if first <= t < following} == stretch
    # `t mod d ≤ u` of section 4 is: t lies in the window taken at t, however far it looks back.
    assert inside == {t for t in range(60) if t in points(t, 60, ahead, step, 0)}


@pytest.mark.parametrize("step", [1, 2, 5])
def test_a_horizon_stays_below_forever(step: int) -> None:
    assert span_of(10**18, 10**9, 0, step)[1] < FOREVER
