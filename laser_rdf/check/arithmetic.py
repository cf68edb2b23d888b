"""Recursion that computes new values may not end (W205).

    n(M) :- n(N), M := N + 1.

The flows of values enter; the components of the dependencies that need a limit leave. A recursion whose
computed values are only time points is no concern here: `time_bound` has rejected it, or it ends.
"""

from __future__ import annotations

from collections.abc import Iterator

from laser_rdf.check.codes import problem
from laser_rdf.check.context import Context
from laser_rdf.check.dependencies import Dependencies
from laser_rdf.check.flows import TIME, Flow, Flows
from laser_rdf.check.time_bound import unbounded
from laser_rdf.errors import Diagnostic


def values_are_finite(context: Context) -> Iterator[Diagnostic]:
    """One warning for each component: the first expression that computes a value for its own input."""
    rejected = unbounded(context.flows)
    for component, flow in _growing(context.flows).items():
        if component in rejected:
            continue
        assert flow.rule is not None
        assert flow.span is not None
        yield problem(
            "W205",
            f"`{context.title(flow.rule)}` computes new values from its own: the recursion may not end",
            flow.span,
            "a run stops with an error at a limit; take the values from an atom outside the recursion",
        )


def limited_rules(graph: Dependencies, flows: Flows) -> frozenset[int]:
    """The rules, by their index in the program, whose derivations are counted."""
    growing = _growing(flows)
    return frozenset(
        draft.index for node, draft in graph.recursive_rules() if graph.component[node] in growing
    )


def _growing(flows: Flows) -> dict[int, Flow]:
    """The components that compute values around a cycle, each with its first expression."""
    found: dict[int, Flow] = {}
    for flow, places in flows.cycles():
        if any(isinstance(place.position, int) and place.position != TIME for place in places):
            found.setdefault(places[0].component, flow)
    return found
