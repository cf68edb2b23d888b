"""From facts to tables: which atoms go where, and for how long.

("p", ("a",)) at 7 with `p(X) in [5]`   →   row ("a",) of that table, horizon 12
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat
from typing import Any

from laser_rdf.check import TRIPLE, GroundAtom, Predicate, TimeSpan, canonical_ground
from laser_rdf.codegen.build import Built
from laser_rdf.codegen.domain import NO_FACT, Domain
from laser_rdf.engine.annotations import FOREVER, span_of
from laser_rdf.engine.coverage import Coverage
from laser_rdf.engine.tables import Row, Table
from laser_rdf.errors import UsageError
from laser_rdf.lang.ast import Quantifier
from laser_rdf.plan.core import Arriving, Background, Counted, Covering, Streamed, is_block
from laser_rdf.reasoning.counters import Counters
from laser_rdf.values import IRI, RDF_TYPE

Fact = tuple[Any, tuple[Any, ...]]
Batch = tuple[Predicate, Sequence[Row]]
"""Rows of one predicate, as the engine has them inside."""

Element = tuple[str | None, Iterable[Batch]]
"""What arrives on a stream, if it has a name."""

MAX_NAMES = 10_000


class Facts:
    """Facts of the Python interface to rows."""

    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        self._predicates: dict[tuple[Any, int], Predicate] = {}

    def one(self, fact: Fact) -> tuple[Predicate, Row]:
        """The predicate and the row of a fact; `triple` and `rdf:type` as what they stand for."""
        name, args = fact
        row = tuple(map(self.domain.accept, args))
        predicate = self.predicate(name, len(row))
        if predicate == TRIPLE or predicate.name == RDF_TYPE:
            return self.ground(canonical_ground(predicate.name, tuple(map(self.domain.decode, row))))
        return predicate, row

    def ground(self, atom: GroundAtom) -> tuple[Predicate, Row]:
        """The row of an atom."""
        return atom.predicate, tuple(map(self.domain.encode, atom.args))

    def batches(self, atoms: Iterable[tuple[Predicate, Row]]) -> list[Batch]:
        """The rows of each predicate together."""
        rows: dict[Predicate, list[Row]] = {}
        for predicate, row in atoms:
            rows.setdefault(predicate, []).append(row)
        return list(rows.items())

    def predicate(self, name: Any, arity: int) -> Predicate:
        """The predicate a caller means by a name."""
        known = self._predicates.get((name, arity))
        if known is None:
            iri = self.domain.decode(self.domain.accept(name))
            if not isinstance(iri, IRI):
                raise UsageError(f"{name!r} is no predicate")
            if len(self._predicates) > MAX_NAMES:
                self._predicates = {}
            known = self._predicates[name, arity] = Predicate(iri.value, arity)
        return known

    def triple(self, predicate: Predicate, row: Row) -> Row:
        """A class or property atom as a triple."""
        name = self.domain.encode(IRI(predicate.name))
        if predicate.arity == 1:
            return (row[0], self.domain.encode(IRI(RDF_TYPE)), name)
        return (row[0], name, row[1])


class Inputs:
    """Puts what arrives, and the background, into the tables that want it."""

    def __init__(self, built: Built, facts: Facts) -> None:
        self._machine = built.machine
        self._tables = built.tables
        self._facts = facts
        self._streamed: dict[Predicate, list[tuple[Streamed, Table]]] = {}
        self._covering: dict[Predicate, list[tuple[Covering, Coverage]]] = {}
        self._loading = False
        self.counters = Counters(facts)
        for unit, component in zip(built.machine.units, built.plan.components, strict=True):
            for relation in component.relations:
                match relation:
                    case Streamed(predicate=p):
                        self._streamed.setdefault(p, []).append((relation, built.tables[relation]))
                    case Covering(predicate=p):
                        assert unit.coverage is not None
                        self._covering.setdefault(p, []).append((relation, unit.coverage))
                    case Counted():
                        unit.content = self.counters.content(relation)
                    case Arriving(predicate=p):
                        unit.arriving = lambda rows, p=p: self._block(p, rows)
        self._wanted = {*self._streamed, *self._covering}
        self._has_triples = any(getattr(relation, "predicate", None) == TRIPLE for relation in built.tables)

    def arrive(self, facts: Iterable[Fact], stream: str | None) -> None:
        """Facts arrive at the current time point."""
        if self.counters:
            facts = list(facts)
            self.counters.arrive(map(self._facts.one, facts), stream, self._machine.now)
        try:
            by_name = _by_name(facts if isinstance(facts, list) else list(facts))
        except (TypeError, ValueError):
            raise UsageError(NO_FACT) from None
        # Everything is understood before anything is taken, so that a mistake changes nothing.
        ready = [each for name, rows in by_name.items() for each in self._understood(name, rows)]
        for predicate, rows in ready:
            self._rows(predicate, rows, stream)

    def arrive_rows(self, batches: Iterable[Batch], stream: str | None, *, counts: bool = True) -> None:
        """Rows arrive at the current time point; nothing about them needs to be understood.

        What was entailed does not count in windows that count atoms.
        """
        if counts and self.counters:
            batches = list(batches)
            atoms = ((predicate, row) for predicate, rows in batches for row in rows)
            self.counters.arrive(atoms, stream, self._machine.now)
        for predicate, rows in batches:
            if predicate in self._wanted or (TRIPLE in self._wanted and predicate.arity in (1, 2)):
                self._rows(predicate, list(dict.fromkeys(rows)) if len(rows) > 1 else list(rows), stream)

    def _understood(self, name: Any, rows: list[tuple[Any, ...]]) -> Iterator[tuple[Predicate, list[Row]]]:
        """The rows of one name, by predicate; most often all have one arity and nothing special."""
        try:
            yield from self._of_one_arity(name, rows)
        except TypeError:
            raise UsageError(NO_FACT) from None
        except ValueError:
            for arity in sorted(set(map(len, rows))):
                yield from self._of_one_arity(name, [row for row in rows if len(row) == arity])

    def _of_one_arity(self, name: Any, rows: list[tuple[Any, ...]]) -> list[tuple[Predicate, list[Row]]]:
        """Rows that are most often all of one arity; a ValueError when they are not."""
        arity = len(rows[0])
        predicate = self._facts.predicate(name, arity)
        if predicate == TRIPLE or predicate.name == RDF_TYPE or predicate not in self._wanted:
            if set(map(type, rows)) != {tuple}:
                raise TypeError
            if set(map(len, rows)) != {arity}:
                raise ValueError
            if predicate == TRIPLE or predicate.name == RDF_TYPE:
                return [(own, [row]) for own, row in map(self._facts.one, zip(repeat(name), rows))]
            if TRIPLE not in self._wanted or arity not in (1, 2):
                return []
        return [(predicate, self._facts.domain.accept_all(rows))]

    def _rows(self, predicate: Predicate, rows: list[Row], stream: str | None) -> None:
        self._feed(predicate, rows, stream)
        if TRIPLE in self._wanted and predicate.arity in (1, 2):
            self._feed(TRIPLE, [self._facts.triple(predicate, row) for row in rows], stream)

    def _feed(self, predicate: Predicate, rows: list[Row], stream: str | None) -> None:
        now = self._machine.now
        at_now = (now,)
        for relation, table in self._streamed.get(predicate, ()):
            if relation.stream not in (None, stream) and not is_block(predicate):
                continue  # (the atoms of a block were chosen by their stream already)
            first, horizon = annotation(relation, now)
            if first <= horizon:
                keys = [row + at_now for row in rows] if relation.quantifier is Quantifier.AT else rows
                if first <= now:
                    table.add(horizon, keys)
                else:
                    self._machine.agenda.opens(first, table.number, keys, horizon)
        for covering, coverage in self._covering.get(predicate, ()):
            if covering.stream in (None, stream) or is_block(predicate):
                coverage.arrive(rows, now)

    def _block(self, predicate: Predicate, rows: list[Row]) -> None:
        """Matches of a block arrive; those of background alone hold always."""
        if self._loading:
            self._always(predicate, rows)
        else:
            self._feed(predicate, rows, None)

    def load(self, background: Iterable[Batch]) -> None:
        """Background atoms, before anything arrives."""
        for predicate, rows in background:
            self._always(predicate, list(rows))
            if self._has_triples and predicate.arity in (1, 2):
                self._always(TRIPLE, [self._facts.triple(predicate, row) for row in rows])
        self._loading = True
        self._machine.run_input()
        self._loading = False

    def _always(self, predicate: Predicate, rows: list[Row]) -> None:
        """Rows that hold at every time point."""
        for relation, table in self._tables.items():
            match relation:
                case Background(predicate=p) | Covering(predicate=p, stream=None) if p == predicate:
                    table.add(FOREVER, rows)
                case Streamed(
                    predicate=p,
                    quantifier=Quantifier.NOW | Quantifier.SOME,
                    window=window,
                    stream=None,
                    without_background=False,
                ):
                    moving = isinstance(window, TimeSpan) and window.ahead < window.step - 1
                    if p == predicate and not moving:
                        table.add(FOREVER, rows)


def _by_name(facts: list[Fact]) -> dict[Any, list[tuple[Any, ...]]]:
    """The arguments of each name's facts."""
    if not facts:
        return {}
    first = facts[0][0]
    # Mostly all facts have one name, and the name is one object.
    rows = [args for name, args in facts if name is first]
    if len(rows) == len(facts):
        return {first: rows}
    by_name: dict[Any, list[tuple[Any, ...]]] = {}
    last = None
    for name, args in facts:
        if name is not last or last is None:
            append = by_name.setdefault(name, []).append
            last = name
        append(args)
    return by_name


def annotation(relation: Streamed, now: int) -> tuple[int, int]:
    """From when to when an atom that arrives now makes the relation's literal true; empty if never."""
    window = relation.window
    if relation.quantifier is Quantifier.NOW:
        if isinstance(window, TimeSpan) and now % window.step > window.ahead:
            return now, now - 1
        return now, now
    if not isinstance(window, TimeSpan):
        return now, FOREVER
    first, last = span_of(now, window.back, window.ahead, window.step)
    return max(first, now), last
