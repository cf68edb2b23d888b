"""The ways in which a literal can hold: accesses to relations, with the items that limit them.

A predicate can be streamed, derived now, derived at a time point, or background; each way of making a literal
true is an *access*, a list of items.

    b(X) at T in [5]   with b derived by an `at` head, and streamed
      →   pinned b(X, T), T within [5]      or      streamed b(X, T) at in [5]
"""

from __future__ import annotations

from itertools import count

from laser_rdf.check import (
    TRIPLE,
    CheckedLiteral,
    CheckedProgram,
    Everything,
    LastAtoms,
    LastPer,
    PatternAtom,
    Predicate,
    TimeSpan,
)
from laser_rdf.lang.ast import Arg, Comparison, Const, Quantifier, Var
from laser_rdf.plan.core import (
    ANY,
    BLOCK,
    Arriving,
    Background,
    C,
    CoreRule,
    Counted,
    Covering,
    Floating,
    Fresh,
    HeadRow,
    InPhase,
    Item,
    Let,
    Match,
    NotEmptyAt,
    NowWithinAt,
    Opened,
    Pinned,
    PointInPhase,
    Slot,
    Started,
    Streamed,
    Test,
    Ticking,
    TimeOf,
    V,
    Within,
    WithinAt,
)
from laser_rdf.plan.variables import bound_by, expression_names, needed_by
from laser_rdf.values import IRI, RDF_TYPE

Access = list[Item]


class NotIncremental(Exception):
    """The program has a form that is recomputed at every time point; the message names it."""


class Accesses:
    """Finds the ways in which the literals of one program can hold; collects the blocks it meets."""

    def __init__(
        self, program: CheckedProgram, background: frozenset[Predicate], streamed: frozenset[Predicate]
    ) -> None:
        self.program = program
        self.background = background
        self.streamed = streamed
        self.rules: list[CoreRule] = []
        self.blocks: dict[tuple[object, ...], tuple[Predicate, tuple[str, ...]]] = {}
        self._names = (f"#{n}" for n in count(1))
        self.floating = {a.predicate for r in program.rules if r.head_at is None for a in r.head}
        self.pinned = {a.predicate for r in program.rules if r.head_at is not None for a in r.head}

    # --- literals -----------------------------------------------------------------------------

    def _positive(self, literal: CheckedLiteral) -> list[Access]:
        """The ways in which the literal can hold, with its `at` tied to the rule's variable."""
        if literal.at is None:
            return self._ways(literal, None)
        if literal.binds_time and isinstance(literal.at, Var):
            return self._ways(literal, V(literal.at.name))
        time = V(next(self._names))
        return [[*way, TimeOf(time, literal.at)] for way in self._ways(literal, time)]

    def _ways(self, literal: CheckedLiteral, time: V | None) -> list[Access]:
        if len(literal.atoms) == 1 and not literal.input_only:
            (atom,) = literal.atoms
            ways = self._atom_ways(literal, atom.predicate, tuple(map(slot_of, atom.args)), time)
            return [way for way in ways if way is not None]
        return self._block_ways(literal, time)

    def _block_ways(self, literal: CheckedLiteral, time: V | None) -> list[Access]:
        """A block: its matches at the current time point arrive like atoms of a predicate of its own."""
        if isinstance(literal.window, LastAtoms | LastPer):
            raise NotIncremental("a block under a tuple window")
        own = {a.name for atom in literal.atoms for a in atom.args if isinstance(a, Var)}
        inside = tuple(c for c in literal.conditions if _names(c) <= own)
        outside: Access = [Test(c) for c in literal.conditions if c not in inside]
        predicate, names = self._block(literal.atoms, inside, literal.stream)
        ways = self._atom_ways(literal, predicate, tuple(V(name) for name in names), time)
        return [[*way, *outside] for way in ways]

    def _block(
        self, atoms: tuple[PatternAtom, ...], conditions: tuple[Comparison, ...], stream: str | None
    ) -> tuple[Predicate, tuple[str, ...]]:
        key = (atoms, conditions, stream)
        if key not in self.blocks:
            rows = [(atom, tuple(map(slot_of, atom.args))) for atom in atoms]
            names = tuple(dict.fromkeys(s.name for _, row in rows for s in row if isinstance(s, V)))
            predicate = Predicate(f"{BLOCK}{len(self.blocks) + 1}", len(names))
            self.blocks[key] = (predicate, names)
            if stream is None and all(self._has_background(atom.predicate) for atom in atoms):
                self.background |= {predicate}
            head = (HeadRow(Arriving(predicate), tuple(map(V, names))),)
            # Background alone makes a match that holds always; for one that arrives, an atom must have come.
            for arrived in (None, *range(len(rows))):
                body: Access = [
                    Match(Streamed(atom.predicate, Quantifier.NOW, None, stream, i == arrived), row)
                    for i, (atom, row) in enumerate(rows)
                ]
                if arrived is None or (stream is None and self._has_background(rows[arrived][0].predicate)):
                    self._add(head, [*body, *(Test(c) for c in conditions)], ())
        return self.blocks[key]

    def _atom_ways(
        self, literal: CheckedLiteral, predicate: Predicate, row: tuple[Slot, ...], time: V | None
    ) -> list[Access]:
        if predicate == TRIPLE and not literal.input_only and literal.stream is None:
            return [
                *self._predicate_ways(literal, predicate, row, time),
                *self._derived_triples(literal, row, time),
            ]
        return self._predicate_ways(literal, predicate, row, time)

    def _derived_triples(
        self, literal: CheckedLiteral, row: tuple[Slot, ...], time: V | None
    ) -> list[Access]:
        """`triple(S, P, O)` also holds for what rules derive of classes and properties."""
        subject, verb, value = row
        ways: list[Access] = []
        for predicate in sorted(self.floating | self.pinned):
            name = Const(IRI(predicate.name))
            fixed: list[tuple[Slot, Const]] = [(verb, name)]
            inside: tuple[Slot, ...] = (subject, value)
            if predicate.arity == 1:
                fixed, inside = [(verb, Const(IRI(RDF_TYPE))), (value, name)], (subject,)
            elif predicate.arity != 2:
                continue
            if all(not isinstance(slot, C) or slot.term == const.term for slot, const in fixed):
                lets: Access = [Let(slot, const) for slot, const in fixed if isinstance(slot, V)]
                found = self._predicate_ways(literal, predicate, inside, time)
                ways += [[*way, *lets] for way in found]
        return ways

    def _predicate_ways(
        self, literal: CheckedLiteral, predicate: Predicate, row: tuple[Slot, ...], time: V | None
    ) -> list[Access]:
        if isinstance(literal.window, LastAtoms | LastPer):
            return self._counted(literal, predicate, row, time)
        if literal.quantifier is Quantifier.ALWAYS:
            return [[Match(self._covering(literal, predicate), row)]]
        if literal.reference is not None:
            return self._from(literal, predicate, row, time)
        if literal.quantifier is Quantifier.AT:
            assert time is not None
            return self._at(literal, predicate, row, time)
        return self._now_or_some(literal, predicate, row)

    def _now_or_some(
        self, literal: CheckedLiteral, predicate: Predicate, row: tuple[Slot, ...]
    ) -> list[Access]:
        window = literal.window
        assert not isinstance(window, LastAtoms | LastPer)
        phase = InPhase(window) if isinstance(window, TimeSpan) and window.ahead < window.step - 1 else None
        ways: list[Access] = []
        if self._has_input(literal, predicate):
            ways.append([Match(Streamed(predicate, literal.quantifier, window, literal.stream), row)])
        if phase is not None and self._sees_background(literal, predicate):
            limit: Item = Opened(phase.window) if literal.quantifier is Quantifier.SOME else phase
            ways.append([Match(Background(predicate), row), limit])
        if self._sees(literal, predicate, self.floating):
            ways.append([Match(Floating(predicate), row), *([phase] if phase else [])])
        if self._sees(literal, predicate, self.pinned):
            time = V(next(self._names))
            match = Match(Pinned(predicate), (*row, time))
            if literal.quantifier is Quantifier.SOME:
                ways.append([match, Within(time, window)])
            else:
                ways.append(
                    [match, Within(time, None), *([PointInPhase(time, phase.window)] if phase else [])]
                )
        return ways

    def _at(
        self, literal: CheckedLiteral, predicate: Predicate, row: tuple[Slot, ...], time: V
    ) -> list[Access]:
        window = literal.window
        assert not isinstance(window, LastAtoms | LastPer)
        phase = InPhase(window) if isinstance(window, TimeSpan) and window.ahead < window.step - 1 else None
        ways: list[Access] = []
        if self._has_input(literal, predicate):
            ways.append([Match(Streamed(predicate, Quantifier.AT, window, literal.stream), (*row, time))])
        if self._sees_background(literal, predicate):
            limit = [Within(time, window)] if window is not None else []
            ways.append([Match(Background(predicate), row), Started(time), *limit])
        if self._sees(literal, predicate, self.floating):
            ways.append([Match(Floating(predicate), row), Ticking(time), *([phase] if phase else [])])
        if self._sees(literal, predicate, self.pinned):
            limit = [Within(time, window)] if window is not None else []
            ways.append([Match(Pinned(predicate), (*row, time)), *limit])
        return ways

    def _from(
        self, literal: CheckedLiteral, predicate: Predicate, row: tuple[Slot, ...], time: V | None
    ) -> list[Access]:
        """A window taken at a reference time: the facts themselves, tested against the reference."""
        window = literal.window
        assert isinstance(window, TimeSpan | Everything)
        assert literal.reference is not None
        reference = V(next(self._names))
        first: Access = [TimeOf(reference, literal.reference), Started(reference)]
        if literal.quantifier is Quantifier.NOW:
            time = reference
        point = time or V(next(self._names))
        inside: Access = [*first, WithinAt(point, reference, window)]
        ways: list[Access] = []
        if self._has_input(literal, predicate):
            ways.append(
                [Match(Streamed(predicate, Quantifier.AT, None, literal.stream), (*row, point)), *inside]
            )
        if self._sees(literal, predicate, self.pinned):
            ways.append([Match(Pinned(predicate), (*row, point)), *inside])
        if self._sees_background(literal, predicate):
            test = inside if time is not None else [*first, NotEmptyAt(reference, window)]
            ways.append([Match(Background(predicate), row), *test])
        if self._sees(literal, predicate, self.floating):
            match = Match(Floating(predicate), row)
            if time is None:
                ways.append([match, *first, NowWithinAt(reference, window)])
            else:
                now = V(next(self._names))
                same: Access = [Ticking(now), TimeOf(now, Var(time.name))]
                ways.append(
                    [match, *inside, *same] if time is reference else [match, Ticking(point), *inside]
                )
        return ways

    def _counted(
        self, literal: CheckedLiteral, predicate: Predicate, row: tuple[Slot, ...], time: V | None
    ) -> list[Access]:
        window, quantifier = literal.window, literal.quantifier
        assert isinstance(window, LastAtoms | LastPer)
        if literal.reference is not None:
            raise NotIncremental("a tuple window taken `from` a time point")
        if quantifier not in (Quantifier.SOME, Quantifier.AT):
            raise NotIncremental("`now` or `always` under a tuple window")
        relation = Counted(predicate, quantifier, window, literal.stream)
        if quantifier is Quantifier.SOME:
            ways: list[Access] = [[Match(relation, row)]]
            if self._sees_background(literal, predicate):
                ways.append([Match(Background(predicate), row)])
            return ways
        if self._sees_background(literal, predicate):
            raise NotIncremental("background atoms `at` a time point of a tuple window")
        assert time is not None
        return [[Match(relation, (*row, time))]]

    def _covering(self, literal: CheckedLiteral, predicate: Predicate) -> Covering:
        window = literal.window
        if literal.reference is not None:
            raise NotIncremental("`always` in a window taken `from` a time point")
        if isinstance(window, TimeSpan) and window.step > 1:
            raise NotIncremental("`always` in a window that moves in steps")
        assert isinstance(window, TimeSpan | Everything)
        return Covering(predicate, window, literal.stream, literal.input_only)

    # --- which kinds of facts there are ----------------------------------------------------------------

    def _has_input(self, literal: CheckedLiteral, predicate: Predicate) -> bool:
        """Whether atoms of the predicate may come in; of a derived one, only when some have."""
        derived = predicate in self.floating or predicate in self.pinned
        return (
            literal.input_only
            or not derived
            or predicate in self.streamed
            or self._sees_background(literal, predicate)
        )

    def _sees_background(self, literal: CheckedLiteral, predicate: Predicate) -> bool:
        return literal.stream is None and self._has_background(predicate)

    def _has_background(self, predicate: Predicate) -> bool:
        if predicate == TRIPLE:
            return any(p.arity in (1, 2) or p == TRIPLE for p in self.background)
        return predicate in self.background

    def _sees(self, literal: CheckedLiteral, predicate: Predicate, kind: set[Predicate]) -> bool:
        return predicate in kind and not literal.input_only and literal.stream is None

    def _add(
        self, heads: tuple[HeadRow, ...], body: Access, sources: tuple[int, ...], *, limited: bool = False
    ) -> None:
        """Keep the rule if everything in it can be bound: an `at T` over background alone cannot."""
        if can_be_bound(heads, body):
            self.rules.append(CoreRule(heads, tuple(body), sources, limited))


def slot_of(arg: Arg) -> Slot:
    """An argument as a slot of a row."""
    match arg:
        case Var(name=name):
            return V(name)
        case Const(term=term):
            return C(term)
        case _:
            return ANY


def _names(comparison: Comparison) -> set[str]:
    return expression_names(comparison.left) | expression_names(comparison.right)


def can_be_bound(heads: tuple[HeadRow, ...], body: Access) -> bool:
    """Whether the body can be ordered so that everything it and the heads need is bound."""
    needed = {s.name for head in heads for s in head.row if isinstance(s, V)}
    for head in heads:
        for s in head.row:
            if isinstance(s, Fresh):
                needed |= set(s.variables)
    bound: set[str] = set()
    rest = list(body)
    while rest:
        ready = next((item for item in rest if needed_by([item]) <= bound), None)
        if ready is None:
            return False
        rest.remove(ready)
        bound |= bound_by([ready])
    return needed <= bound
