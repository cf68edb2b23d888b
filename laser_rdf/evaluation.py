"""A program over plain atoms, time point by time point: what `laser-rdf eval` does.

program, {36: [a(x1)], 38: [b(y)]}   →   Row(36, …), Row(37, …), Row(38, …)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from heapq import merge
from itertools import groupby

from laser_rdf.check import CheckedProgram, GroundAtom
from laser_rdf.reference import MAX_DERIVATIONS, ReferenceEvaluator

Timed = tuple[int, list[GroundAtom]]


@dataclass(frozen=True, slots=True)
class Row:
    """The answer at one time point, and how the output differs from the one before."""

    time: int
    holds: frozenset[GroundAtom]
    added: frozenset[GroundAtom]
    removed: frozenset[GroundAtom]
    timeline: frozenset[tuple[int, GroundAtom]]


def evaluate(
    program: CheckedProgram,
    streams: Iterable[tuple[str | None, Iterable[Timed]]],
    background: Iterable[GroundAtom] = (),
    *,
    start: int | None = None,
    until: int | None = None,
    max_derivations: int = MAX_DERIVATIONS,
) -> Iterator[Row]:
    """One row for every time point from the first of the streams (or `start`) to the last (or `until`)."""
    evaluator = ReferenceEvaluator(program, background, start=start, max_derivations=max_derivations)
    before: frozenset[GroundAtom] = frozenset()
    for time, elements in _every_point(_merged(streams), start, until):
        for name, atoms in elements:
            evaluator.add(time, atoms, name)
        answer = evaluator.answer(time)
        yield Row(time, answer.holds, answer.holds - before, before - answer.holds, answer.timeline)
        before = answer.holds


Element = tuple[str | None, list[GroundAtom]]


def _merged(streams: Iterable[tuple[str | None, Iterable[Timed]]]) -> Iterator[tuple[int, list[Element]]]:
    """The streams as one, by time; at one time point, in the order in which they were given."""

    def tagged(number: int, name: str | None, stream: Iterable[Timed]) -> Iterator[tuple[int, int, Element]]:
        return ((time, number, (name, atoms)) for time, atoms in stream)

    sources = [tagged(i, name, stream) for i, (name, stream) in enumerate(streams)]
    ordered = merge(*sources, key=lambda entry: entry[:2])
    for time, entries in groupby(ordered, key=lambda entry: entry[0]):
        yield time, [element for _, _, element in entries]


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
