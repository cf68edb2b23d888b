"""A run: what happens at a time point, from the elements that arrived to the graphs that leave.

    elements  →  + entailments  →  facts  →  answers, program after program  →  result graphs

Programs come in an order in which each stands after those it reads; what one emits at a time point is an
element of that time point for those that read it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import pyoxigraph as ox

from laser_rdf.check import TRIPLE, Mentions
from laser_rdf.entail import Clash, EntailmentError
from laser_rdf.pipeline.counts import Counts
from laser_rdf.pipeline.knowledge import Knowledge, as_triple
from laser_rdf.pipeline.phases import Phases
from laser_rdf.pipeline.programs import RunningProgram
from laser_rdf.pipeline.streams import StreamPart
from laser_rdf.rdf import Interner, TimedGraph
from laser_rdf.rdf.emit_graph import ResultGraph
from laser_rdf.rdf.mapping import GraphMapping, ValueTriple, interned
from laser_rdf.rdf.problems import Policy
from laser_rdf.rdf.refusing import refuse
from laser_rdf.rdf.timed_graph import Seconds
from laser_rdf.reasoning.engine import RowAnswer
from laser_rdf.reasoning.inputs import Batch, Element
from laser_rdf.values import RDF_TYPE

Emitted = tuple[RunningProgram, RowAnswer, list[ResultGraph]]
Notice = Callable[[str], None]


class Arrival:
    """What arrived on one stream at a time point: graphs, or what a program passes on."""

    __slots__ = ("atoms", "graphs", "values")

    def __init__(
        self,
        graphs: Sequence[TimedGraph] = (),
        values: Sequence[ValueTriple] = (),
        atoms: Sequence[Batch] = (),
    ) -> None:
        self.graphs = graphs
        self.values = values
        self.atoms = atoms
        """Atoms that no triple can say."""

    @property
    def triples(self) -> Sequence[ox.Triple]:
        """The triples of the graphs."""
        if len(self.graphs) == 1:
            return self.graphs[0].triples
        return [triple for graph in self.graphs for triple in graph.triples]

    def interned(self, interner: Interner) -> list[ValueTriple]:
        """All triples as triples of values."""
        return [*self.values, *interned(self.triples, interner)]


@dataclass(slots=True)
class Prepared:
    """The facts of a time point, said and entailed; and the triples of both, where something can follow."""

    said: list[Element]
    entailed: list[Element]
    graph: list[ValueTriple] = field(default_factory=list)


NOTHING = Prepared([], [])
Key = tuple[tuple[str, ...], tuple[str, ...]]
"""The streams that count for what follows, and those on which something arrived."""


class Run:
    """The programs of a pipeline at work."""

    def __init__(
        self,
        programs: Sequence[RunningProgram],
        streams: Mapping[str, StreamPart],
        knowledge: Knowledge,
        interner: Interner,
        counts: Counts,
        phases: Phases,
        notice: Notice,
    ) -> None:
        self.programs = list(programs)
        self.knowledge = knowledge
        self.interner = interner
        self.counts = counts
        self.phases = phases
        self._notice = notice
        self._type = interner.value(ox.NamedNode(RDF_TYPE))
        self._streams = streams
        order = [*streams, *(program.name for program in programs)]
        self._place = {name: place for place, name in enumerate(order)}.__getitem__
        self._read_by_others = {name for program in programs for name in program.part.on}
        self._mappings: dict[tuple[str, ...], GraphMapping] = {}

    def wake(self, before: int) -> int | None:
        """The next time point before another at which an answer can change without input."""
        times = [t for program in self.programs if (t := program.next_time()) is not None]
        soonest = min(times, default=None)
        return soonest if soonest is not None and soonest < before else None

    def step(self, time: int, elements: Mapping[str, Sequence[TimedGraph]]) -> Iterator[Emitted]:
        """The answers of all programs that something concerns at a time point, as they are made."""
        self.phases.begin()
        arrived = {name: Arrival(graphs) for name, graphs in elements.items()}
        prepared: dict[Key, Prepared] = {}
        answers: dict[int, RowAnswer] = {}
        for program in self.programs:
            streams = tuple(sorted((n for n in program.part.on if n in arrived), key=self._place))
            answer = answers.get(id(program.engine))
            if answer is None and not program.is_concerned(time, has_input=bool(streams)):
                continue
            if answer is None:
                answer = self._evaluated(program, time, streams, arrived, prepared)
                answers[id(program.engine)] = answer
            answer = program.answer(answer)
            self.phases.end("evaluate")
            graphs = program.emitter.emit(
                time, answer.added, answer.removed, answer.holds, has_input=bool(streams)
            )
            if graphs and program.name in self._read_by_others:
                arrived[program.name] = self._passed_on(program, answer, graphs)
            self.phases.end("emit")
            self._count(program, answer, graphs)
            yield program, answer, graphs
        self.counts.time = time
        self.counts.points += 1
        self.interner.sweep()

    def _evaluated(
        self,
        program: RunningProgram,
        time: int,
        streams: tuple[str, ...],
        arrived: Mapping[str, Arrival],
        prepared: dict[Key, Prepared],
    ) -> RowAnswer:
        """The answer of a program's engine; programs that read the same streams share what is prepared."""
        found = NOTHING
        if streams:
            key = (program.part.on if self.knowledge.is_scoped else (), streams)
            if key not in prepared:
                prepared[key] = self._prepared(time, program.part.on, streams, arrived)
            found = prepared[key]
        events = self._events(program, found, streams, arrived)
        self.phases.end("map")
        return program.evaluate(time, found.said, [*found.entailed, *events])

    def _count(self, program: RunningProgram, answer: RowAnswer, graphs: list[ResultGraph]) -> None:
        answers = self.counts.answers
        answers[program.name] = answers.get(program.name, 0) + sum(len(rows) for _, rows in answer.added)
        self.counts.graphs += len(graphs)

    # --- elements → facts ------------------------------------------------------------------------------

    def _mapping(self, streams: tuple[str, ...]) -> GraphMapping:
        """The mapping for the programs that read exactly these of the streams that brought something."""
        found = self._mappings.get(streams)
        if found is None:
            mentions = Mentions()
            for program in self.programs:
                if set(streams) <= set(program.part.on):
                    mentions |= program.mentions
            found = self._mappings[streams] = GraphMapping(self.interner, mentions)
        return found

    def _prepared(
        self, time: int, on: tuple[str, ...], streams: tuple[str, ...], arrived: Mapping[str, Arrival]
    ) -> Prepared:
        mapping = self._mapping(streams)
        if not self.knowledge.enriches:
            return Prepared(self._said(mapping, streams, arrived), [])
        triples = {name: arrived[name].interned(self.interner) for name in streams}
        apart = any(program.uses_streams for program in self.programs)
        self.phases.end("map")
        try:
            followed = self.knowledge.enrich(time, on, triples, apart=apart)
        except EntailmentError as problem:
            self._leave_out(time, problem, {name: arrived[name].graphs for name in streams})
            return Prepared([], [])
        self._notice_clashes(time, followed.clashes)
        self.phases.end("enrich")
        graph = [triple for found in triples.values() for triple in found]
        for _, found in followed.by_stream:
            self.counts.entailed += len(found)
            graph += found
        if len(streams) == 1 and len(followed.by_stream) == 1 and not mapping.mentions.ordered:
            # Nobody can tell said from entailed: they are mapped in one go.
            (name,) = streams
            return Prepared([(name, [*mapping.batches_of_values(graph), *arrived[name].atoms])], [], graph)
        if mapping.mentions.ordered:
            said = self._said(mapping, streams, arrived)
        else:
            said = [
                (name, [*mapping.batches_of_values(found), *arrived[name].atoms])
                for name, found in triples.items()
            ]
        entailed: list[Element] = [
            (name, mapping.batches_of_values(found)) for name, found in followed.by_stream
        ]
        return Prepared(said, entailed, graph)

    def _said(
        self, mapping: GraphMapping, streams: tuple[str, ...], arrived: Mapping[str, Arrival]
    ) -> list[Element]:
        """The facts that were said; where windows count them, in the order that semantics.md gives them."""
        found: list[Element] = []
        if mapping.mentions.ordered:
            graphs = [(name, graph) for name in streams for graph in arrived[name].graphs]
            for name, graph in sorted(graphs, key=self._in_arrival_order):
                found.append((name, mapping.batches(sorted(graph.triples, key=str))))
        else:
            for name in streams:
                if arrived[name].graphs:
                    found.append((name, mapping.batches(arrived[name].triples)))
        for name in streams:
            if arrived[name].values or arrived[name].atoms:
                found.append((name, [*mapping.batches_of_values(arrived[name].values), *arrived[name].atoms]))
        return found

    def _in_arrival_order(self, element: tuple[str, TimedGraph]) -> tuple[Seconds, int, str]:
        name, graph = element
        return graph.timestamp or 0, self._place(name), "" if graph.name is None else str(graph.name)

    def _notice_clashes(self, time: int, clashes: Iterable[Clash]) -> None:
        for clash in clashes:
            self.counts.clashes += 1
            self._notice(f"inconsistent at {time}: {clash.message}")

    def _leave_out(
        self, time: int, problem: EntailmentError, elements: Mapping[str, Sequence[TimedGraph]]
    ) -> None:
        """Elements from which too much follows, or what cannot be: as the policy of their stream says."""
        policies = {name: Policy(self._streams[name].on_error) for name in elements if name in self._streams}
        if not policies or any(policy.fails for policy in policies.values()):
            raise EntailmentError(f"at time point {time}: {problem}") from None
        self._notice(f"left out at {time}: {problem}")
        for name, policy in policies.items():
            for graph in elements[name]:
                refuse(graph, policy, "I109", str(problem), "the element was left out")
                self.counts.skipped += 1

    def _events(
        self,
        program: RunningProgram,
        found: Prepared,
        streams: tuple[str, ...],
        arrived: Mapping[str, Arrival],
    ) -> list[Element]:
        if program.events is None or not streams:
            return []
        triples: list[ox.Triple] = []
        if program.events.needs_triples:
            values = found.graph or [t for n in streams for t in arrived[n].interned(self.interner)]
            triples = list(map(as_triple, values))
        batches = program.events.at([*found.said, *found.entailed], triples)
        return [(None, batches)] if batches else []

    # --- programs that read programs ------------------------------------------------------------------------

    def _passed_on(self, program: RunningProgram, answer: RowAnswer, graphs: list[ResultGraph]) -> Arrival:
        batches = program.passes_on(answer)
        if batches is None:
            return Arrival([graph.timed() for graph in graphs])
        values: list[ValueTriple] = []
        atoms: list[Batch] = []
        for predicate, rows in batches:
            if predicate == TRIPLE:
                values += rows
            elif predicate.arity == 1:
                name = self.interner.value(ox.NamedNode(predicate.name))
                values += [(row[0], self._type, name) for row in rows]
            elif predicate.arity == 2:
                name = self.interner.value(ox.NamedNode(predicate.name))
                values += [(row[0], name, row[1]) for row in rows]
            else:
                atoms.append((predicate, rows))
        return Arrival(values=values, atoms=atoms)
