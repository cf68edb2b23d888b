"""A program over plain atoms, time point by time point: what `laser-rdf eval` does.

program, {36: [a(x1)], 38: [b(y)]}   →   Row(36, …), Row(37, …), Row(38, …)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from heapq import merge
from typing import Protocol

from laser_rdf.check import CheckedProgram, GroundAtom
from laser_rdf.errors import LaserError
from laser_rdf.reasoning import Answer, Engine
from laser_rdf.reference import MAX_DERIVATIONS, ReferenceEvaluator
from laser_rdf.values import IRI

Timed = tuple[int, list[GroundAtom]]
Element = tuple[str | None, list[GroundAtom]]
"""Atoms with the name of the stream they came on, if it has one."""

ENGINES = ("annotation", "reference")


@dataclass(frozen=True, slots=True)
class Row:
    """The answer at one time point: how the output differs from the one before, and the rest on demand."""

    time: int
    added: frozenset[GroundAtom]
    removed: frozenset[GroundAtom]
    holds: Callable[[], frozenset[GroundAtom]]
    timeline: Callable[[], frozenset[tuple[int, GroundAtom]]]


class Evaluator(Protocol):
    """Whatever can evaluate a program at one time point after the other."""

    def row(self, time: int, elements: list[Element]) -> Row:
        """The answer at a time point, after what arrived at it."""


def rows_of(
    evaluator: Evaluator,
    streams: Iterable[tuple[str | None, Iterable[Timed]]],
    *,
    start: int | None = None,
    until: int | None = None,
) -> Iterator[Row]:
    """One row for every time point from the first of the streams (or `start`) to the last (or `until`)."""
    for time, elements in _every_point(_merged(streams), start, until):
        yield evaluator.row(time, elements)


def make_evaluator(
    engine: str,
    program: CheckedProgram,
    background: Iterable[GroundAtom] = (),
    *,
    start: int | None = None,
    max_derivations: int = MAX_DERIVATIONS,
) -> Evaluator:
    """The evaluator of that name."""
    if engine == "reference":
        return ByReference(
            ReferenceEvaluator(program, background, start=start, max_derivations=max_derivations)
        )
    facts = [(IRI(atom.predicate.name), atom.args) for atom in background]
    return ByEngine(Engine(program, facts, start, max_derivations=max_derivations))


class ByReference:
    """The reference evaluator, which computes every answer from scratch."""

    def __init__(self, evaluator: ReferenceEvaluator) -> None:
        self._evaluator = evaluator
        self._before: frozenset[GroundAtom] = frozenset()

    def row(self, time: int, elements: list[Element]) -> Row:
        """The answer at a time point, after what arrived at it."""
        for name, atoms in elements:
            self._evaluator.add(time, atoms, name)
        answer = self._evaluator.answer(time)
        before, now = self._before, answer.holds
        self._before = now
        return Row(time, now - before, before - now, lambda: now, lambda: answer.timeline)


class ByEngine:
    """The annotation engine."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def row(self, time: int, elements: list[Element]) -> Row:
        """The answer at a time point, after what arrived at it."""
        atom_of = self.engine.atom
        added: set[GroundAtom] = set()
        removed: set[GroundAtom] = set()
        answer: Answer
        for name, atoms in elements or [(None, [])]:
            answer = self.engine.step(time, [(IRI(a.predicate.name), a.args) for a in atoms], name)
            # Of two streams, the second may take back what the first brought.
            gone, come = set(map(atom_of, answer.removed)), set(map(atom_of, answer.added))
            removed, added = (removed | (gone - added)) - come, (added - gone) | (come - removed)
        return Row(
            time,
            frozenset(added),
            frozenset(removed),
            lambda: frozenset(map(atom_of, answer.holds())),
            lambda: frozenset((t, atom_of((name, args))) for t, name, args in answer.timeline()),
        )


def _merged(streams: Iterable[tuple[str | None, Iterable[Timed]]]) -> Iterator[tuple[int, list[Element]]]:
    """The streams as one, by time; at one time point, in the order in which they were given."""

    def tagged(number: int, name: str | None, stream: Iterable[Timed]) -> Iterator[tuple[int, int, Element]]:
        return ((time, number, (name, atoms)) for time, atoms in stream)

    sources = [tagged(i, name, stream) for i, (name, stream) in enumerate(streams)]
    ordered = merge(*sources, key=lambda entry: entry[:2])
    current: int | None = None
    elements: list[Element] = []
    problem: LaserError | None = None
    while problem is None:
        try:
            time, _, element = next(ordered)
        except StopIteration:
            break
        except LaserError as error:
            problem = error  # what came before it is answered first
            break
        if current is not None and time != current:
            yield current, elements
            elements = []
        current = time
        elements.append(element)
    if current is not None:
        yield current, elements
    if problem is not None:
        raise problem


def _every_point(
    timed: Iterator[tuple[int, list[Element]]], start: int | None, until: int | None
) -> Iterator[tuple[int, list[Element]]]:
    """The same with the empty time points between, before and behind."""
    expected = start
    for time, elements in timed:
        if until is not None and time > until:
            break
        for gap in range(time if expected is None else expected, time):
            yield gap, []
        yield time, elements
        expected = time + 1
    if until is not None and expected is not None:
        for gap in range(expected, until + 1):
            yield gap, []
