"""Whether a run's answers are all there, and no others: beside the reference evaluator and plain SPARQL.

    the graphs that windows can see at a time point  →  what holds then by the definitions  →  compared

The judge closes the background with everything that follows, not only what the program asks for. It evaluates
event queries by pyoxigraph and rules by the reference evaluator. A query that is a snapshot query, one whose
answer hangs only on what its windows show, is also asked as SPARQL: the default graph is the union of what
the windows show and of the background, and each row is a graph by its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field

import pyoxigraph as ox

from laser_rdf.bench.citybench.measuring import Point
from laser_rdf.bench.report import Row
from laser_rdf.check import TRIPLE, GroundAtom, Predicate, canonical_ground, check, mentions_of
from laser_rdf.check.lookback import lookback_of
from laser_rdf.entail import Enricher, Profile
from laser_rdf.errors import EvaluationError, UsageError, escape_control
from laser_rdf.lang.ast import Program
from laser_rdf.pipeline.knowledge import as_triple
from laser_rdf.rdf import Interner, to_value
from laser_rdf.rdf.emit_atoms import statements
from laser_rdf.rdf.event_program import event_predicate, with_events
from laser_rdf.rdf.event_query import EventQuery
from laser_rdf.rdf.event_store import EventStore
from laser_rdf.rdf.mapping import interned
from laser_rdf.rdf.naming import skolem_iri
from laser_rdf.reference import ReferenceEvaluator
from laser_rdf.values import RDF_TYPE, XSD, Clock

Statements = Set[str]
"""An answer as N-Triples without the dots."""

_NUMBER = re.compile(rf'"([^"]*)"\^\^<{XSD}(?:double|float|decimal|integer)>$')


@dataclass(slots=True)
class Verdict:
    """How the answers of a run compare with what they should be.

    >>> verdict = Verdict()
    >>> verdict.compare("reference", 7, wanted={"a", "b"}, found={"a"})
    >>> verdict.share, verdict.first_difference
    (0.5, 'at time point 7, beside the reference: `b` is missing')
    """

    points: dict[str, int] = field(default_factory=dict)
    right: int = 0
    all: int = 0
    first_difference: str | None = None

    def compare(self, judge: str, time: int, wanted: Statements, found: Statements) -> None:
        """One time point; an answer that is missing and one that should not be there count alike."""
        self.points[judge] = self.points.get(judge, 0) + 1
        self.right += len(wanted & found)
        self.all += len(wanted | found)
        if self.first_difference is None and wanted != found:
            missing, wrong = sorted(wanted - found), sorted(found - wanted)
            what = f"`{missing[0]}` is missing" if missing else f"`{wrong[0]}` should not be there"
            self.first_difference = f"at time point {time}, beside the {judge}: {what}"

    @property
    def share(self) -> float:
        """The answers that are right, of those that are there or should be; 1 where all are empty."""
        return self.right / self.all if self.all else 1.0

    def as_row(self) -> Row:
        """The columns of a row; a share just below 1 is not rounded up."""
        return {
            "completeness": int(self.share * 10_000) / 10_000,
            "checked_answers": self.all,
            "checked_points": dict(self.points),
            "first_difference": self.first_difference,
        }


class Judge:
    """What holds at a time point, from scratch."""

    def __init__(
        self,
        program: Program,
        events: Sequence[EventQuery],
        background: Iterable[ox.Triple],
        *,
        profile: Profile = "none",
        clock: Clock,
        streams: Sequence[str],
        start: int,
    ) -> None:
        self._program, self._events, self._start = program, events, start
        self._streams = list(streams)
        self._interner = Interner()
        self._checked = check(with_events(program, events), clock=clock, streams=self._streams)
        back = lookback_of(self._checked)
        if back is None:
            raise UsageError("a query whose windows have no end cannot be checked by samples")
        self.back: int = back
        mentions = mentions_of(self._checked)
        self._all = mentions.everything or mentions.types
        self._names = {(predicate.name, predicate.arity) for predicate in mentions.predicates}
        self._enricher = Enricher(
            self._interner, interned(background, self._interner), profile, inconsistency="ignore"
        )
        closed = [as_triple(triple) for triple in self._enricher.background_triples()]
        self._store = ox.Store()
        self._store.bulk_extend(ox.Quad(*triple) for triple in closed)
        self._events_of = EventStore(self._store)
        self._background = [*self._atoms(closed), *self._found([])]

    def holds(self, now: int, points: Iterable[Point]) -> frozenset[str]:
        """What the reference evaluator says of a time point; `points` are those up to it."""
        judge = ReferenceEvaluator(self._checked, self._background, start=self._start)
        for time, graphs in points:
            if not now - self.back <= time <= now:
                continue
            for name in self._streams:
                said = [triple for stream, graph in graphs if stream == name for triple in graph.triples]
                judge.add(time, self._atoms(said), name)
                judge.add(time, self._atoms(self._entailed(said)), name, counts=False)
            union = [triple for _, graph in graphs for triple in graph.triples]
            entailed = self._entailed(union)
            judge.add(time, self._atoms(entailed), counts=False)
            judge.add(time, self._found([*union, *entailed]), counts=False)
        return self._said(judge.answer(now).holds)

    def constructed(self, text: str, now: int, points: Iterable[Point]) -> frozenset[str]:
        """What a CONSTRUCT query makes of all that the windows show and the background."""
        quads: dict[ox.Quad, None] = {}
        for time, graphs in points:
            if now - self.back <= time <= now:
                said = [triple for _, graph in graphs for triple in graph.triples]
                quads |= dict.fromkeys(ox.Quad(*triple) for triple in (*said, *self._entailed(said)))
                for _, graph in graphs:
                    quads |= dict.fromkeys(
                        ox.Quad(t.subject, t.predicate, t.object, graph.name) for t in graph.triples
                    )
        store = self._store
        new = [quad for quad in quads if quad not in store]
        store.extend(new)
        try:
            made = store.query(text)
            assert isinstance(made, ox.QueryTriples)
            return frozenset(" ".join(map(_text, triple)) for triple in made)
        except (SyntaxError, ValueError, OSError, RuntimeError) as problem:
            raise EvaluationError(f"the query of the check fails: {escape_control(str(problem))}") from None
        finally:
            for quad in new:
                store.remove(quad)

    def _entailed(self, said: Sequence[ox.Triple]) -> list[ox.Triple]:
        followed = self._enricher.enrich(interned(said, self._interner)).entailed
        return [as_triple(triple) for triple in followed]

    def _found(self, triples: Sequence[ox.Triple]) -> list[GroundAtom]:
        """The solutions of the event queries."""
        return [
            GroundAtom(event_predicate(query, self._program), tuple(map(to_value, row)))
            for query in self._events
            if triples or query.is_monotone
            for row in query.solutions(triples, self._events_of)
        ]

    def _atoms(self, triples: Iterable[ox.Triple]) -> list[GroundAtom]:
        """The triples that the program can look at, as atoms."""
        return [
            canonical_ground(TRIPLE.name, tuple(map(to_value, (s, p, o))))
            for s, p, o in triples
            if self._all
            or (p.value, 2) in self._names
            or (p.value == RDF_TYPE and isinstance(o, ox.NamedNode) and (o.value, 1) in self._names)
        ]

    def _said(self, atoms: Iterable[GroundAtom]) -> frozenset[str]:
        """Atoms as they leave."""
        rows: dict[Predicate, list[tuple[object, ...]]] = {}
        for atom in atoms:
            rows.setdefault(atom.predicate, []).append(tuple(map(self._interner.of_term, atom.args)))
        return frozenset(statements(rows.items()))  # type: ignore[arg-type]


def _text(term: object) -> str:
    return f"<{skolem_iri(term)}>" if isinstance(term, ox.BlankNode) else str(term)


def rounded(said: Statements) -> frozenset[str]:
    """Statements with numbers by their value, to ten digits.

    A store writes numbers in its own way, and the sum of doubles hangs on their order.

    >>> rounded({'<urn:a> <urn:p> "0.10"^^<http://www.w3.org/2001/XMLSchema#decimal>'})
    frozenset({'<urn:a> <urn:p> 0.1'})
    """
    return frozenset(_NUMBER.sub(_rounded, line) for line in said)


def _rounded(found: re.Match[str]) -> str:
    try:
        return f"{float(found[1]):.10g}"
    except ValueError:
        return found[0]
