"""What every pass reads: the program, its rules worked out, and how predicates depend on each other.

Also the words of messages: names as the user writes them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from laser_rdf.check.checked import TRIPLE, Predicate
from laser_rdf.check.dependencies import ANY, Dependencies, Edge, Via, dependencies
from laser_rdf.check.drafts import Draft, draft_all
from laser_rdf.check.flows import Flows, flows_of
from laser_rdf.lang.ast import Program
from laser_rdf.lang.names import Shortener
from laser_rdf.lang.printer import shortener
from laser_rdf.values import LOCAL_BASE, Clock, FunctionTable

MAX_CYCLE = 8
"""How many predicates of a cycle a message names."""


@dataclass(frozen=True, slots=True)
class Context:
    """A program on its way through the passes.

    `given` are the predicates of facts and background atoms; `inputs` those the caller will stream, `streams`
    the names of the streams, each None when it does not say.
    """

    program: Program
    clock: Clock
    functions: FunctionTable
    inputs: frozenset[Predicate] | None
    drafts: tuple[Draft, ...]
    graph: Dependencies
    flows: Flows
    given: frozenset[Predicate]
    derived_names: Mapping[str, tuple[Predicate, ...]]
    short: Shortener
    streams: frozenset[str] | None = None

    @property
    def rules(self) -> tuple[Draft, ...]:
        """The rules that are no facts."""
        return self.graph.rules

    def derived_as(self, name: str) -> tuple[Predicate, ...]:
        """The derived predicates of a name, whatever their arity."""
        return self.derived_names.get(name, ())

    def name(self, predicate: Predicate | str) -> str:
        """A predicate as the user writes it, without its arity."""
        return self.short.predicate(predicate if isinstance(predicate, str) else predicate.name)

    def signature(self, predicate: Predicate) -> str:
        """A predicate as a directive names it: `p/2`."""
        shown = TRIPLE if predicate == ANY else predicate
        return f"{self.name(shown)}/{shown.arity}"

    def title(self, draft: Draft) -> str:
        """The first predicate a rule derives, to speak of the rule by."""
        return self.signature(draft.head[0].predicate)

    def is_local(self, name: str) -> bool:
        """Whether a name is the program's own, not one of an RDF vocabulary."""
        return name.startswith((self.program.base, LOCAL_BASE))

    def cycle(self, path: Sequence[int], special: Mapping[tuple[int, int], Edge]) -> str:
        """The predicates on a path of nodes, with the operators between: `a/1 → not b/1 → a/1`.

        `special` are the edges to show where several lead from one node to the other.
        """
        shown: list[str] = []
        for before, node in zip((None, *path), path, strict=False):
            if node >= len(self.graph.predicates):
                continue
            text = self.signature(self.graph.predicates[node])
            if before is not None:
                text = _operator(self._edge(before, node, special), text)
            # A generic pattern reads what a generic head derives: two nodes, for the user one `triple/3`.
            if before is None or before >= len(self.graph.predicates) or shown[-1] != text:
                shown.append(text)
        if len(shown) > MAX_CYCLE:
            shown = [*shown[: MAX_CYCLE - 2], "…", shown[-1]]
        return "`" + " → ".join(shown) + "`"

    def _edge(self, start: int, end: int, special: Mapping[tuple[int, int], Edge]) -> Edge:
        if (start, end) in special:
            return special[start, end]
        found = [edge for edge in self.graph.edges[start] if edge.target == end]
        return next((edge for edge in found if edge.via in (Via.POSITIVE, Via.DERIVED)), found[0])


def _operator(edge: Edge, text: str) -> str:
    if edge.via is Via.NEGATION:
        return f"not {text}"
    if edge.via is Via.AGGREGATE:
        assert edge.literal is not None
        assert edge.literal.aggregate is not None
        return f"{edge.literal.aggregate.function} {{ {text} }}"
    return text


def context_of(
    program: Program,
    clock: Clock,
    functions: FunctionTable,
    inputs: Collection[Predicate] | None,
    background: Collection[Predicate] = (),
    streams: Collection[str] | None = None,
) -> Context:
    """Work out a program for the passes."""
    drafts = draft_all(program.rules, clock)
    graph = dependencies(drafts)
    derived_names: dict[str, tuple[Predicate, ...]] = {}
    for predicate in sorted(graph.derived):
        derived_names[predicate.name] = (*derived_names.get(predicate.name, ()), predicate)
    return Context(
        program,
        clock,
        functions,
        None if inputs is None else frozenset(inputs),
        drafts,
        graph,
        flows_of(graph),
        frozenset(atom.predicate for d in drafts if d.rule.is_fact for atom in d.head)
        | frozenset(background),
        derived_names,
        shortener(program),
        None if streams is None else frozenset(streams),
    )
