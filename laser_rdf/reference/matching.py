"""Which bindings make a literal hold (semantics, section 2; Definition 7 of the LARS paper).

A match is a binding of the literal's variables together with the time point it was found at, which is
None when background atoms alone make it: they hold at every point of the timeline.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from laser_rdf.check import CheckedLiteral, CheckedProgram, GroundAtom, PatternAtom
from laser_rdf.lang.ast import Const, Quantifier, Var, Wildcard
from laser_rdf.reference.expressions import is_true, time_point
from laser_rdf.reference.stream import DataStream
from laser_rdf.reference.windows import View, arguments, view
from laser_rdf.values import Term

Binding = Mapping[str, Term]


@dataclass(frozen=True, slots=True)
class Match:
    """One way in which a literal holds."""

    binding: Binding
    time: int | None


@dataclass(slots=True)
class World:
    """What literals are evaluated against at `now`."""

    program: CheckedProgram
    data: DataStream
    background: Collection[GroundAtom]
    derived: Collection[tuple[int, GroundAtom]]
    now: int


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
    background = world.background if literal.stream is None else ()  # it came on no stream
    for time in points:
        here = seen.atoms.get(time, set()) if time is not None else set()
        for found in _unify_all(patterns, binding, [*here, *background]):
            if literal.quantifier is Quantifier.ALWAYS and not _hold_throughout(
                patterns, found, seen, background
            ):
                continue
            if all(is_true(condition, found, world.program) for condition in literal.conditions):
                moved = any(unify(p, found, atom) is not None for p in patterns for atom in here)
                yield Match(_without_names(found), time if moved else None)


def look(literal: CheckedLiteral, binding: Binding, world: World) -> tuple[View | None, int]:
    """The literal's window and its reference time; no window when the reference is no time point."""
    assert world.data.start is not None
    reference: int | None = world.now
    if literal.reference is not None:
        reference = time_point(literal.reference, binding, world.program)
    if reference is None or reference < world.data.start:
        return None, world.now
    return view(literal, world.data, world.derived, world.now, reference), reference


def _hold_throughout(
    patterns: tuple[PatternAtom, ...], binding: Binding, seen: View, background: Collection[GroundAtom]
) -> bool:
    """Whether the ground atoms hold at every point of the timeline."""
    return all(_holds_throughout(pattern, binding, seen, background) for pattern in patterns)


def _holds_throughout(
    pattern: PatternAtom, binding: Binding, seen: View, background: Collection[GroundAtom]
) -> bool:
    assert seen.first is not None
    assert seen.last is not None
    if any(unify(pattern, binding, atom) is not None for atom in background):
        return True
    points = sum(
        1 for atoms in seen.atoms.values() if any(unify(pattern, binding, atom) is not None for atom in atoms)
    )
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
    patterns: tuple[PatternAtom, ...], binding: Binding, atoms: Collection[GroundAtom]
) -> Iterator[Binding]:
    bindings: list[Binding] = [binding]
    for pattern in patterns:
        bindings = [
            found for b in bindings for atom in atoms if (found := unify(pattern, b, atom)) is not None
        ]
    yield from bindings


def unify(pattern: PatternAtom, binding: Binding, atom: GroundAtom) -> Binding | None:
    """The binding extended so that the pattern becomes the atom; None when there is none."""
    args = arguments(atom, pattern.predicate)
    if args is None:
        return None
    extended = dict(binding)
    for wanted, found in zip(pattern.args, args, strict=True):
        match wanted:
            case Var(name=name) if extended.setdefault(name, found) != found:
                return None
            case Const(term=term) if term != found:
                return None
    return extended
