"""What is allowed and probably not meant: told before a run, which goes on."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from laser_rdf.errors import Diagnostic
from laser_rdf.pipeline.programs import CheckedPart
from laser_rdf.rdf.event_program import event_predicate
from laser_rdf.rdf.event_query import EventQuery
from laser_rdf.values import LOCAL_BASE


def doubts(programs: Collection[CheckedPart], events: Collection[EventQuery]) -> Iterator[str]:
    """The warnings of the checks, events that no program reads, and names that nobody gives."""
    for found in programs:
        for warning in found.checked.warnings:
            yield _warning(found, warning)
        yield from _nobody_gives(found, programs)
    for query in events:
        if not any(query in found.events for found in programs):
            yield f"event `{query.name}` is read by no program"


def _warning(found: CheckedPart, warning: Diagnostic) -> str:
    place = f"{found.part.program.source.name}:{warning.span}"
    return f"{place}: warning[{warning.code}]: {warning.message}; {warning.note}"


def _nobody_gives(found: CheckedPart, programs: Collection[CheckedPart]) -> Iterator[str]:
    """Names of the program that it expects as input, and that neither an event nor a program it reads has.

    Other names are IRIs, and any stream may bring them.
    """
    program = found.part.program
    given = {event_predicate(query, program) for query in found.events}
    for other in programs:
        if other.part.name in found.part.on:
            given |= other.checked.derived
    names = {predicate.name for predicate in given}
    for ref in program.externals:
        if ref.predicate.startswith(LOCAL_BASE) and ref.predicate not in names:
            name = ref.predicate.removeprefix(LOCAL_BASE)
            yield f"program `{found.part.name}` expects `{name}`, which no event or program gives it"
