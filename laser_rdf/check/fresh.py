"""Recursion through a fresh resource would make resources without end (E112).

    { ?x ex:child [] } :- ex:child(_, ?x).

Only head atoms that contain a fresh resource matter: one that nothing of the recursion reads is harmless.
"""

from __future__ import annotations

from collections.abc import Iterator

from laser_rdf.check.codes import problem
from laser_rdf.check.context import Context
from laser_rdf.check.drafts import Draft
from laser_rdf.errors import Diagnostic, Span
from laser_rdf.lang.ast import Blank


def fresh_resources_end(context: Context) -> Iterator[Diagnostic]:
    """One diagnostic for each component: the first fresh resource that comes back to its rule."""
    graph = context.graph
    reported: set[int] = set()
    for rule, draft in graph.recursive_rules():
        component = graph.component[rule]
        for head, span in _with_fresh(draft, context):
            if graph.component[head] == component and component not in reported:
                reported.add(component)
                yield problem(
                    "E112",
                    "a fresh resource is made from what it leads to: "
                    + context.cycle([head, *graph.path(rule, head)], {}),
                    span,
                    "read input triples with a block `{ … }`, or give the new resource another predicate",
                )


def _with_fresh(draft: Draft, context: Context) -> Iterator[tuple[int, Span]]:
    """The predicates of head atoms with a fresh resource, and where it stands."""
    for atom in draft.head:
        for arg in atom.args:
            if isinstance(arg, Blank):
                yield context.graph.node[atom.predicate], arg.span
