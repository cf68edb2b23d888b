"""Event queries and programs: a program that reads events expects them as input."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from laser_rdf.check import Predicate
from laser_rdf.errors import Diagnostic, ProgramError, Span, UsageError
from laser_rdf.lang.ast import Atom, Block, Const, Pattern, PredicateRef, Program, Rule
from laser_rdf.lang.names import local_iri
from laser_rdf.rdf.event_query import EventQuery
from laser_rdf.values import IRI, RDF_TYPE


def with_events(program: Program, queries: Sequence[EventQuery]) -> Program:
    """The program with the events declared as input. A ProgramError if a rule of the program derives one.

    >>> query = EventQuery.parse("hot", "SELECT ?s WHERE { ?s <urn:temperature> ?v FILTER(?v > 60) }")
    >>> print(with_events(Program.parse("alarm(S) :- hot(S) in [5 min]."), [query]), end="")
    #external hot/1 .
    <BLANKLINE>
    alarm(S) :- hot(S) in [5 min] .
    """
    events: dict[str, EventQuery] = {}
    for query in queries:
        iri = local_iri(query.name, program.base)
        if iri in events:
            raise UsageError(
                f"two event queries are called `{query.name}`: {events[iri].source}, {query.source}"
            )
        events[iri] = query
    problems = tuple(_derived(program, events))
    if problems:
        raise ProgramError(program.source, problems)
    refs = tuple(PredicateRef(iri, len(query.variables)) for iri, query in events.items())
    return replace(program, externals=(*program.externals, *refs))


def event_predicate(query: EventQuery, program: Program) -> Predicate:
    """The predicate of an event in a program, which may have a base of its own."""
    return Predicate(local_iri(query.name, program.base), len(query.variables))


def _derived(program: Program, events: dict[str, EventQuery]) -> Iterator[Diagnostic]:
    """The heads that are events."""
    for rule in program.rules:
        for iri, span in _head_names(rule):
            if iri in events:
                yield Diagnostic(
                    "E134",
                    f"`{events[iri].name}` is the event of {events[iri].source}",
                    span,
                    "choose another name for what the rule derives",
                )


def _head_names(rule: Rule) -> Iterator[tuple[str, Span]]:
    match rule.head.formula:
        case Atom(predicate=name, span=span):
            yield name, span
        case Block(patterns=patterns):
            for pattern in patterns:
                yield from _pattern_names(pattern)


def _pattern_names(pattern: Pattern) -> Iterator[tuple[str, Span]]:
    match pattern:
        case Pattern(predicate=Const(term=IRI(value)), object=Const(term=IRI(name))) if value == RDF_TYPE:
            yield name, pattern.span
        case Pattern(predicate=Const(term=IRI(value))):
            yield value, pattern.span
