"""Which predicate needs which: the graph that recursion and strata are read from.

Drafts enter, Dependencies leave. Predicates and rules are both nodes: a predicate leads to the rules that
derive it, a rule to the predicates it reads. So a rule with many heads and many literals costs their
sum, not their product. Blocks read input only and lead nowhere.

A head `triple(S, P, O)` with a variable P derives anything: every predicate of arity 1 or 2 leads to it. A
body atom `triple(S, P, O)` reads anything: it leads to the node ANY, and that to every such predicate.
Two nodes, because a program that derives anything does not thereby read everything.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from laser_rdf.check.checked import TRIPLE, Predicate
from laser_rdf.check.drafts import Draft, DraftLiteral
from laser_rdf.check.graph import components, shortest_path

ANY = Predicate("", TRIPLE.arity)
"""What a generic `triple(S, P, O)` in a body reads."""


class Via(enum.Enum):
    """How one node needs another."""

    DERIVED = "derived"
    POSITIVE = "positive"
    NEGATION = "negation"
    AGGREGATE = "aggregate"


@dataclass(frozen=True, slots=True)
class Edge:
    """One node needs another; `literal` is the one by which a rule reads a predicate."""

    target: int
    via: Via
    literal: DraftLiteral | None = None


@dataclass(frozen=True, slots=True)
class Dependencies:
    """The graph. Nodes are numbers: the predicates, then the rules (facts are not among them).

    `component` is the strongly connected component of each node: none needs one of a higher number.
    `recursive` are the components with a cycle.
    """

    predicates: tuple[Predicate, ...]
    rules: tuple[Draft, ...]
    edges: tuple[tuple[Edge, ...], ...]
    component: tuple[int, ...]
    recursive: frozenset[int]
    node: dict[Predicate, int]
    derived: frozenset[Predicate]
    derives_rdf: bool

    def rule_nodes(self) -> Iterator[tuple[int, Draft]]:
        """The rules with their nodes, in program order."""
        return enumerate(self.rules, start=len(self.predicates))

    def recursive_rules(self) -> Iterator[tuple[int, Draft]]:
        """The rules that take part in recursion, with their nodes."""
        return ((node, d) for node, d in self.rule_nodes() if self.component[node] in self.recursive)

    def may_derive(self, predicate: Predicate) -> bool:
        """Whether some rule can derive an atom that a body atom of this predicate matches."""
        return _may_derive(predicate, self.derived, self.derives_rdf)

    def inside(self, node: int) -> Iterator[Edge]:
        """The edges of a node that stay in its component."""
        home = self.component[node]
        return (edge for edge in self.edges[node] if self.component[edge.target] == home)

    def path(self, start: int, end: int) -> list[int]:
        """The shortest way between two nodes of one component."""
        return shortest_path(start, end, lambda node: (edge.target for edge in self.inside(node)))


def is_rdf(predicate: Predicate) -> bool:
    """Whether atoms of the predicate are triples, which generic patterns match and generic heads derive."""
    return predicate.arity in (1, 2)


def read_by(predicate: Predicate) -> Predicate:
    """The node a body atom leads to."""
    return ANY if predicate == TRIPLE else predicate


def _may_derive(predicate: Predicate, derived: frozenset[Predicate], derives_rdf: bool) -> bool:
    if predicate in derived:
        return True
    return derives_rdf if predicate == TRIPLE else TRIPLE in derived and is_rdf(predicate)


def _reads(draft: Draft) -> Iterator[tuple[Predicate, Via, DraftLiteral]]:
    """The predicates a rule reads, beyond the input."""
    for found in draft.literals:
        if found.literal.input_only:
            continue
        via = Via.AGGREGATE if found.aggregate else Via.NEGATION if found.literal.negated else Via.POSITIVE
        yield from ((atom.predicate, via, found) for atom in found.literal.atoms)


def dependencies(drafts: Iterable[Draft]) -> Dependencies:
    """The graph of all rules that are no facts."""
    rules = tuple(d for d in drafts if not d.rule.is_fact)
    # Dicts instead of sets: in order of appearance, so that messages do not change from run to run.
    nodes = dict.fromkeys(atom.predicate for d in rules for atom in d.head)
    derived = frozenset(nodes)
    derives_rdf = any(map(is_rdf, derived))
    for d in rules:
        for predicate, _, _ in _reads(d):
            if _may_derive(predicate, derived, derives_rdf):
                nodes.setdefault(read_by(predicate))
    node = {predicate: number for number, predicate in enumerate(nodes)}

    edges: list[list[Edge]] = [[] for _ in range(len(nodes) + len(rules))]
    for predicate, number in node.items():
        if is_rdf(predicate) and TRIPLE in derived:
            edges[number].append(Edge(node[TRIPLE], Via.DERIVED))
        if ANY in node and predicate in derived and (is_rdf(predicate) or predicate == TRIPLE):
            edges[node[ANY]].append(Edge(number, Via.DERIVED))
    for number, d in enumerate(rules, start=len(nodes)):
        for head in dict.fromkeys(atom.predicate for atom in d.head):
            edges[node[head]].append(Edge(number, Via.DERIVED))
        for predicate, via, literal in _reads(d):
            target = node.get(read_by(predicate))
            if target is not None:
                edges[number].append(Edge(target, via, literal))

    component = tuple(components([[edge.target for edge in out] for out in edges]))
    # No node leads to itself, so a cycle has at least two nodes.
    recursive = frozenset(number for number, size in Counter(component).items() if size > 1)
    return Dependencies(
        tuple(nodes), rules, tuple(map(tuple, edges)), component, recursive, node, derived, derives_rdf
    )
