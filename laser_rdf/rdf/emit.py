"""Answers → result graphs, by one of four policies.

| `emit` | a graph says | at |
|---|---|---|
| `I` | what became true | time points at which something did |
| `D` | what ceased to be true | time points at which something did |
| `R` | all that holds | time points with input or change |
| `intervals` | each answer, with the time in which it held | when something ceased, and at the end |

An answer comes as batches, rows of values grouped by predicate, in the canonical form of `laser_rdf.check`:
no two atoms say the same triple.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from laser_rdf.check import Predicate
from laser_rdf.errors import UsageError, escape_control
from laser_rdf.rdf.construct import ConstructTemplate
from laser_rdf.rdf.emit_atoms import (
    Batch,
    Row,
    TripleText,
    resource_of,
    statement_of,
    statements,
    triple_of,
    value_text,
)
from laser_rdf.rdf.emit_graph import Emission, Origin, ResultGraph
from laser_rdf.rdf.emit_intervals import OpenIntervals
from laser_rdf.rdf.naming import RESULT_BASE, ResultNames, named_node
from laser_rdf.rdf.timed_graph import Seconds
from laser_rdf.values import Clock

Holds = Callable[[], Sequence[Batch]]

_AtomKey = tuple[Predicate, Row]


def _nothing() -> Sequence[Batch]:
    return ()


class Emitter:
    """Makes the result graphs of one program.

    `program` is a name or an IRI. With a `clock` graphs are stamped with dateTimes, else with time points. A
    `template` says what is made of an answer's triples. In `metadata_graph` goes what is said about results.

    >>> from laser_rdf.rdf import Interner
    >>> import pyoxigraph as ox
    >>> room = Interner().value(ox.NamedNode("http://example.org/room"))
    >>> emitter = Emitter("heat", clock=Clock())
    >>> hot = (Predicate("http://example.org/Hot", 1), [(room,)])
    >>> [graph] = emitter.emit(36, [hot])
    >>> graph.iri, graph.timestamp, str(graph.triples[0].object)
    ('urn:laser:result:heat/insertions/36', 36, '<http://example.org/Hot>')
    >>> emitter.emit(37)
    []
    """

    def __init__(
        self,
        program: str,
        emit: str = "I",
        *,
        base: str = RESULT_BASE,
        clock: Clock | None = None,
        template: ConstructTemplate | None = None,
        metadata_graph: str | None = None,
    ) -> None:
        try:
            self.emission = Emission(emit)
        except ValueError:
            known = ", ".join(f"`{policy.value}`" for policy in Emission)
            raise UsageError(f"`{escape_control(emit)}` is no way to emit answers: use {known}") from None
        self.names = ResultNames(program, base)
        home = None if metadata_graph is None else named_node(metadata_graph, "the metadata graph")
        self.origin = Origin(self.names.program_iri, self.emission, home)
        self._clock = clock
        self._template = template
        self._prefix = self.names.graph(self.emission.word, 0).removesuffix("0")
        self._last: int | None = None
        self._atoms: OpenIntervals[_AtomKey] = OpenIntervals(self.names, clock, _described)
        self._triples: OpenIntervals[TripleText] = OpenIntervals(self.names, clock, statement_of)

    def emit(
        self,
        time: int,
        added: Sequence[Batch] = (),
        removed: Sequence[Batch] = (),
        holds: Holds = _nothing,
        *,
        has_input: bool = True,
    ) -> list[ResultGraph]:
        """The graphs of a time point: none or one. `holds` is asked only if the policy needs it.

        Each time point is emitted once, in order: a graph is written whole.
        """
        if self._last is not None and time <= self._last:
            raise UsageError(f"time point {time} cannot be emitted after time point {self._last}")
        self._last = time
        match self.emission:
            case Emission.INSERTIONS:
                said = self._said(added) if added else []
            case Emission.DELETIONS:
                said = self._said(removed) if removed else []
            case Emission.SNAPSHOT:
                if not (has_input or added or removed):
                    return []
                return [self._graph(f"{self._prefix}{time}", time, self._said(holds()))]
            case Emission.INTERVALS:
                said = self._ended(time, added, removed, holds)
        return [self._graph(f"{self._prefix}{time}", time, said)] if said else []

    def finish(self, time: int | None = None) -> list[ResultGraph]:
        """The graph of what still holds when the run ends after a time point, the last one if none is given.

        Only `intervals` have one; it is named apart, as the time point may have a graph of its own.
        """
        time = self._last if time is None else time
        if time is None:
            return []
        if self._last is not None and time < self._last:
            raise UsageError(f"the run cannot end at time point {time}, before time point {self._last}")
        said = [*self._atoms.finish(time), *self._triples.finish(time)]
        return [self._graph(f"{self._prefix}{time}/end", time, said)] if said else []

    @property
    def ongoing(self) -> list[tuple[_AtomKey, int]]:
        """For `intervals` without a template: what holds and since when, for a checkpoint."""
        return list(self._atoms)

    def resume(self, ongoing: Iterable[tuple[_AtomKey, int]]) -> None:
        """Go on from a checkpoint, before anything is emitted."""
        for key, begin in ongoing:
            self._atoms.begin([key], begin)

    def _said(self, batches: Sequence[Batch]) -> list[str]:
        said = statements(batches)
        return said if self._template is None else [" ".join(made) for made in self._template.apply(said)]

    def _ended(self, time: int, added: Sequence[Batch], removed: Sequence[Batch], holds: Holds) -> list[str]:
        """The intervals that end at this time point."""
        if self._template is None:
            self._atoms.begin(((p, row) for p, rows in added for row in rows), time)
            return self._atoms.end(((p, row) for p, rows in removed for row in rows), time)
        if not (added or removed):
            return []
        # What a template makes of an answer hangs on the whole answer: its triples are what is followed.
        current = dict.fromkeys(self._template.apply(statements(holds())))
        said = self._triples.end([triple for triple, _ in self._triples if triple not in current], time)
        self._triples.begin(current, time)
        return said

    def _graph(self, iri: str, time: int, said: list[str]) -> ResultGraph:
        return ResultGraph(iri, time, self._timestamp(time), said, self.origin)

    def _timestamp(self, time: int) -> Seconds | None:
        if self._clock is None:
            return None
        seconds, rest = divmod(self._clock.origin_ms + time * self._clock.unit_ms, 1000)
        return seconds if rest == 0 else seconds + Fraction(rest, 1000)


def _described(key: _AtomKey) -> tuple[str, list[str]]:
    predicate, row = key
    texts = [value_text(value) for value in row]
    triple = triple_of(predicate, texts)
    return resource_of(predicate, texts) if triple is None else statement_of(triple)
