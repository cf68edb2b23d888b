"""Recursion that derives ever later time points has no finite answer (E113).

    k at V :- k at T, V := T + 1.

The flows of values enter. A cycle that takes a time point forward is an error; also when it goes through
several rules, or through an argument on its way. Three things stop it: a window on a literal of the cycle
(its time points lie around now), going back only (the timeline has a start), and a comparison that bounds
a time point of the cycle from above by something that does not grow.
"""

from __future__ import annotations

from collections.abc import Iterator

from laser_rdf.check.codes import problem
from laser_rdf.check.context import Context
from laser_rdf.check.flows import TIME, Change, Flow, Flows
from laser_rdf.errors import Diagnostic


def time_is_bounded(context: Context) -> Iterator[Diagnostic]:
    """One diagnostic for each component of the dependencies: the first expression that moves time."""
    for flow in unbounded(context.flows).values():
        assert flow.rule is not None
        assert flow.span is not None
        yield problem(
            "E113",
            f"`{context.title(flow.rule)}` is derived at ever later time points: the recursion has no end",
            flow.span,
            "give the recursive literal a window (`at T in [5 min]`), or bound the time point (`T < 100`)",
        )


def unbounded(flows: Flows) -> dict[int, Flow]:
    """The components that move time forward around a cycle, each with its first expression."""
    found: dict[int, Flow] = {}
    for flow, places in flows.cycles(leaving_out=flows.capped):
        if flow.change is Change.ANY and any(place.position == TIME for place in places):
            found.setdefault(places[0].component, flow)
    return found
