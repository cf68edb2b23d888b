"""Horizons in generated code: items that hold for a stretch of evaluation time.

T within [5]   →   t0 = v0 + 5
                   if t0 >= now:
                       t1 = v0 - 0
                       if t1 > now:
                           later(t1, 3, key)         # look at the row again when the window opens
                       else:
                           g2 = t0 if t0 < h else h
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from laser_rdf.check import Everything, TimeSpan
from laser_rdf.codegen.places import Mode, Piece, Place
from laser_rdf.plan.core import (
    InPhase,
    NowWithinAt,
    Opened,
    Ticking,
    Within,
)


class Horizons(Piece):
    """Writes what limits a horizon."""

    def _horizon(self, step: Within | NowWithinAt | Ticking | InPhase | Opened, place: Place) -> Place:
        """Items that hold for a stretch of evaluation time; what comes later is looked at again then."""
        match step:
            case Ticking(time=time):
                self._later("now + 1", place)
                place = self._bind(time, "now", place)
                return place if self.mode is Mode.WITHDRAW else self._least("now", place)
            case InPhase(window=window):
                if self.mode is Mode.WITHDRAW:
                    return place
                self._later(f"now - now % {window.step} + {window.step}", place)
                place = self._if(f"now % {window.step} <= {window.ahead}", place)
                end, place = self._name(place)
                self.out.add(place.indent, f"{end} = now - now % {window.step} + {window.ahead}")
                return self._least(end, place)
            case Opened(window=window):
                first = f"span_of(rt.start, {window.back}, {window.ahead}, {window.step})[0]"
                return self._stretch(first, None, place)
            case Within(time=time, window=None, past=True):
                # The time point is not in the future: now or never.
                place = self._if(f"{place.env[time.name]} == now", place)
                return place if self.mode is Mode.WITHDRAW else replace(place, horizon="now")
            case Within(time=time, window=window):
                return self._stretch(*self._span(window, place.env[time.name]), place)
            case NowWithinAt(reference=reference, window=window):
                return self._stretch(*self._bounds(window, place.env[reference.name]), place)
            case _:
                assert_never(step)

    def _stretch(self, first: str, last: str | None, place: Place) -> Place:
        if self.mode is Mode.WITHDRAW:
            return place
        if last is not None:
            end, place = self._name(place)
            self.out.add(place.indent, f"{end} = {last}")
            place = self._if(f"{end} >= now", place)
        start, place = self._name(place)
        self.out.add(place.indent, f"{start} = {first}")
        if self.mode is Mode.ADD and place.row is not None:
            self.out.add(place.indent, f"if {start} > now:")
            self._later(start, replace(place, indent=place.indent + 1))
            self.out.add(place.indent, "else:")
            place = replace(place, indent=place.indent + 1)
        else:
            place = self._if(f"{start} <= now", place)
        return self._least(end, place) if last is not None else place

    def _span(self, window: TimeSpan | Everything | None, time: str) -> tuple[str, str | None]:
        """The evaluation times whose window contains a time point."""
        match window:
            case None:
                return time, time
            case Everything():
                return time, None
            case TimeSpan(back=back, ahead=ahead, step=1):
                return f"{time} - {ahead}", f"{time} + {back}"
            case TimeSpan(back=back, ahead=ahead, step=step):
                args = f"{time}, {back}, {ahead}, {step}"
                return f"span_of({args})[0]", f"span_of({args})[1]"
            case _:
                assert_never(window)

    def _bounds(self, window: TimeSpan | Everything, reference: str) -> tuple[str, str]:
        """The first and last time point of the window at a reference time."""
        match window:
            case Everything():
                return "rt.start", reference
            case TimeSpan(back=back, ahead=ahead, step=step):
                args = f"{reference}, {back}, {ahead}, {step}, rt.start"
                return f"window_at({args})[0]", f"window_at({args})[1]"
            case _:
                assert_never(window)
