"""Which bindings make a literal hold (semantics, section 2; Definition 7 of the LARS paper).

A match is a binding of the literal's variables together with the time point it was found at, which is
None when background atoms alone make it: they hold at every point of the timeline.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from laser_rdf.check import CheckedLiteral, CheckedProgram, GroundAtom, PatternAtom
from laser_rdf.lang.ast import Const, Quantifier, Var, Wildcard
from laser_rdf.reference.atoms import EMPTY, Atoms, Row
from laser_rdf.reference.expressions import is_true, time_point
from laser_rdf.reference.stream import DataStream
from laser_rdf.reference.windows import View, shows_derived, view
from laser_rdf.values import Term

Binding = Mapping[str, Term]


@dataclass(frozen=True, slots=True)
class Match:
    """One way in which a literal holds; `time` is told for `at` only."""

    binding: Binding
    time: int | None


@dataclass(slots=True)
class World:
    """What literals are evaluated against at `now`."""

    program: CheckedProgram
    data: DataStream
    background: Atoms
    now: int
    derived: set[tuple[int, GroundAtom]] = field(default_factory=set)
    _views: dict[tuple[CheckedLiteral, int], View] = field(default_factory=dict)

    def derive(self, new: set[tuple[int, GroundAtom]]) -> None:
        """More is derived: what windows showed of derived atoms is out of date."""
        self.derived |= new
        self._views = {key: seen for key, seen in self._views.items() if not shows_derived(key[0])}

    def view(self, literal: CheckedLiteral, reference: int) -> View:
        """The literal's window at a reference time; it is the same for all bindings."""
        seen = self._views.get((literal, reference))
        if seen is None:
            seen = view(literal, self.data, self.derived, self.now, reference)
            self._views[literal, reference] = seen
        return seen


def matches(literal: CheckedLiteral, binding: Binding, world: World) -> Iterator[Match]:
    """All matches of the literal without its negation; for `at`, the caller compares the time point."""
    seen, reference = look(literal, binding, world)
    if seen is None or seen.is_empty:
        return
    patterns = tuple(_with_names(pattern, i) for i, pattern in enumerate(literal.atoms))
    points: list[int | None]
    match literal.quantifier:
        case Quantifier.NOW:
            points = [reference] if seen.contains(reference) else []
        case Quantifier.SOME | Quantifier.AT:
            points = [None, *seen.atoms]
        case Quantifier.ALWAYS:
            points = [seen.last]
    background = world.background if literal.stream is None else EMPTY  # it came on no stream
    for time in points:
        here = seen.atoms.get(time, EMPTY) if time is not None else EMPTY
        for found in _unify_all(patterns, binding, (here, background)):
            if literal.quantifier is Quantifier.ALWAYS and not _hold_throughout(
                patterns, found, seen, background
            ):
                continue
            if all(is_true(condition, found, world.program) for condition in literal.conditions):
                moved = literal.quantifier is Quantifier.AT and any(_is_in(here, p, found) for p in patterns)
                yield Match(_without_names(found), time if moved else None)


def look(literal: CheckedLiteral, binding: Binding, world: World) -> tuple[View | None, int]:
    """The literal's window and its reference time; no window when the reference is no time point."""
    assert world.data.start is not None
    reference: int | None = world.now
    if literal.reference is not None:
        reference = time_point(literal.reference, binding, world.program)
    if reference is None or reference < world.data.start:
        return None, world.now
    return world.view(literal, reference), reference


def _hold_throughout(
    patterns: tuple[PatternAtom, ...], binding: Binding, seen: View, background: Atoms
) -> bool:
    """Whether the ground atoms hold at every point of the timeline."""
    return all(_holds_throughout(pattern, binding, seen, background) for pattern in patterns)


def _holds_throughout(pattern: PatternAtom, binding: Binding, seen: View, background: Atoms) -> bool:
    assert seen.first is not None
    assert seen.last is not None
    if _is_in(background, pattern, binding):
        return True
    points = sum(1 for atoms in seen.atoms.values() if _is_in(atoms, pattern, binding))
    return points == seen.last - seen.first + 1


def _with_names(pattern: PatternAtom, number: int) -> PatternAtom:
    """`_` as a variable of its own, so that `always` finds the same value at every time point."""
    named = (
        Var(f"_#{number}.{i}") if isinstance(arg, Wildcard) else arg for i, arg in enumerate(pattern.args)
    )
    return PatternAtom(pattern.predicate, tuple(named))


def _without_names(binding: Binding) -> Binding:
    return {name: term for name, term in binding.items() if not name.startswith("_#")}


def _unify_all(
    patterns: tuple[PatternAtom, ...], binding: Binding, places: Sequence[Atoms]
) -> Iterator[Binding]:
    bindings: list[Binding] = [binding]
    for pattern in patterns:
        bindings = [
            found
            for b in bindings
            for row in _candidates(pattern, b, places)
            if (found := unify(pattern, b, row)) is not None
        ]
    yield from bindings


def _candidates(pattern: PatternAtom, binding: Binding, places: Sequence[Atoms]) -> Iterable[Row]:
    """The rows the pattern could become; when nothing in it is open, the only one, if it is there."""
    only = _instance(pattern, binding)
    if only is None:
        return chain.from_iterable(atoms.seen_as(pattern.predicate) for atoms in places)
    return [only] if any(only in atoms.seen_as(pattern.predicate) for atoms in places) else []


def _instance(pattern: PatternAtom, binding: Binding) -> Row | None:
    """The pattern's arguments with the variables replaced; None when one of them is open."""
    row: list[Term] = []
    for arg in pattern.args:
        term = arg.term if isinstance(arg, Const) else binding.get(arg.name) if isinstance(arg, Var) else None
        if term is None:
            return None
        row.append(term)
    return tuple(row)


def _is_in(atoms: Atoms, pattern: PatternAtom, binding: Binding) -> bool:
    """Whether the ground instance of the pattern is among the atoms."""
    return _instance(pattern, binding) in atoms.seen_as(pattern.predicate)


def unify(pattern: PatternAtom, binding: Binding, row: Row) -> Binding | None:
    """The binding extended so that the pattern's arguments become the row; None when there is none."""
    extended = dict(binding)
    for wanted, found in zip(pattern.args, row, strict=True):
        match wanted:
            case Var(name=name) if extended.setdefault(name, found) != found:
                return None
            case Const(term=term) if term != found:
                return None
    return extended
