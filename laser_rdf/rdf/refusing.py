"""Elements that were read and are then refused: counted, and kept where the policy says so."""

from __future__ import annotations

from laser_rdf.errors import InputError
from laser_rdf.rdf.problems import Piece, Policy
from laser_rdf.rdf.timed_graph import TimedGraph


def refuse(graph: TimedGraph, policy: Policy, code: str, message: str, note: str) -> None:
    """Raise the error, or count the element and, in quarantine, keep its triples as N-Triples.

    >>> policy = Policy("skip")
    >>> refuse(TimedGraph(3, source="log.trig:7"), policy, "I110", "too late", "wait longer")
    >>> policy.skipped, str(policy.last).splitlines()[0]
    (1, 'log.trig:7:1: error[I110]: too late')
    """
    text = "".join([f"{triple} .\n" for triple in graph.triples])
    policy.report(refusal(graph, code, message, note), [Piece(graph.source, text.encode())])


def refusal(graph: TimedGraph, code: str, message: str, note: str) -> InputError:
    """The error, at the place where the element came from."""
    source, _, line = graph.source.rpartition(":")
    place = int(line) if source and line.isdigit() else 1
    return Piece(source or graph.source or "<element>", b"", place).error(code, message, note)
