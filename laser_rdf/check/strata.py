"""Strata: what negation and aggregates read is complete one stratum below (E110, E111).

Dependencies enter; a stratum for each rule leaves, or a diagnostic for each knot of recursion that goes
through negation or an aggregate.
"""

from __future__ import annotations

from collections.abc import Iterator

from laser_rdf.check.codes import problem
from laser_rdf.check.context import Context
from laser_rdf.check.dependencies import Dependencies, Edge, Via
from laser_rdf.errors import Diagnostic

NOTES = {
    Via.NEGATION: "derive what is negated without what depends on it, or split the predicate in two",
    Via.AGGREGATE: "aggregate over a predicate that does not depend on the result",
}


def stratified(context: Context) -> Iterator[Diagnostic]:
    """One diagnostic for each component and kind: the first literal that closes a cycle."""
    graph = context.graph
    reported: set[tuple[int, Via]] = set()
    for node, draft in graph.recursive_rules():
        for edge in graph.inside(node):
            knot = (graph.component[node], edge.via)
            if edge.via is Via.POSITIVE or knot in reported:
                continue
            reported.add(knot)
            assert edge.literal is not None
            what, code = ("negation", "E110") if edge.via is Via.NEGATION else ("an aggregate", "E111")
            yield problem(
                code,
                f"`{context.title(draft)}` depends on itself through {what}: {_cycle(context, node, edge)}",
                edge.literal.written.span,
                NOTES[edge.via],
            )


def _cycle(context: Context, rule: int, closing: Edge) -> str:
    """The cycle that a rule closes with one of its edges, from its head: `a/1 → not b/1 → a/1`."""
    graph = context.graph
    path = graph.path(closing.target, rule)
    return context.cycle([path[-2], rule, *path[:-1]], {(rule, closing.target): closing})


def strata(graph: Dependencies) -> dict[int, int]:
    """The smallest stratum of each rule, by the rule's index in the program.

    A rule stands as low as what it reads allows, even when another rule of its predicate stands higher.
    """
    members: list[list[int]] = [[] for _ in range(max(graph.component, default=-1) + 1)]
    for node, component in enumerate(graph.component):
        members[component].append(node)
    level: list[int] = []
    for component, nodes in enumerate(members):
        # What a component needs has a lower number, so its level is there already.
        below = (
            level[graph.component[edge.target]] + (edge.via in NOTES)
            for node in nodes
            for edge in graph.edges[node]
            if graph.component[edge.target] != component
        )
        level.append(max(below, default=0))
    return {draft.index: level[graph.component[node]] for node, draft in graph.rule_nodes()}
