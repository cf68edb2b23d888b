"""What an event query can look at: the classes and properties its patterns name, or more.

    { ?r a ex:Smoke ; ex:in ?x }   →   ex:Smoke/1, ex:in/2
    { ?r ?p ?x }                   →   everything

The algebra may be of any query, also of one that is left to pyoxigraph: all patterns in it count, those of
OPTIONAL, MINUS and subqueries included. Where the patterns cannot be seen, the answer is "everything".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from laser_rdf.check import Mentions, Predicate
from laser_rdf.rdf.event_text import is_literal
from laser_rdf.values import RDF_TYPE

EVERYTHING = Mentions(everything=True)


def mentions_in(algebra: Any) -> Mentions:
    """What the patterns of a query mention."""
    found = Mentions()
    for node in _parts(algebra):
        name = getattr(node, "name", "")
        if name == "BGP":
            for triple in node.triples:
                found |= _of_triple(triple, node.triples)
        elif (
            name == "TriplesBlock"
        ):  # of an EXISTS that rdflib has not translated: three nodes and three more
            triples = [tuple(row[i : i + 3]) for row in node.triples for i in range(0, len(row), 3)]
            for triple in triples:
                found |= _of_triple(triple, triples)
    return found


def _parts(node: Any) -> Iterator[Any]:
    if isinstance(node, dict):
        yield node
        for item in node.values():
            yield from _parts(item)
    elif isinstance(node, list | tuple):
        for item in node:
            yield from _parts(item)


def _of_triple(triple: tuple[Any, Any, Any], triples: list[Any]) -> Mentions:
    import rdflib
    from rdflib.paths import Path

    subject, path, value = triple
    if isinstance(path, Path):
        if _may_be_empty(path) and not _anchored((subject, value), triples):
            return EVERYTHING  # a path of no steps leads from any term of the graph to itself
        return _of_path(path)
    if not isinstance(path, rdflib.URIRef):
        return EVERYTHING
    if str(path) != RDF_TYPE:
        return Mentions(frozenset({Predicate(str(path), 2)}))
    return _of_types(value)


def _of_types(value: Any) -> Mentions:
    import rdflib

    if is_literal(value):
        return Mentions(frozenset({Predicate(RDF_TYPE, 2)}))
    if isinstance(value, rdflib.URIRef):
        return Mentions(frozenset({Predicate(str(value), 1)}))
    return Mentions(types=True)


def _of_path(path: Any) -> Mentions:
    import rdflib
    from rdflib.paths import AlternativePath, InvPath, MulPath, SequencePath

    found = Mentions()
    match path:
        case rdflib.URIRef():
            if str(path) == RDF_TYPE:
                return Mentions(types=True)
            return Mentions(frozenset({Predicate(str(path), 2)}))
        case SequencePath() | AlternativePath():
            for part in path.args:
                found |= _of_path(part)
            return found
        case InvPath():
            return _of_path(path.arg)
        case MulPath():
            return _of_path(path.path)
        case _:
            return EVERYTHING


def _may_be_empty(path: Any) -> bool:
    """Whether a path may lead from a term to itself without any triple."""
    from rdflib.paths import AlternativePath, InvPath, MulPath, SequencePath

    match path:
        case SequencePath():
            return all(map(_may_be_empty, path.args))
        case AlternativePath():
            return any(map(_may_be_empty, path.args))
        case InvPath():
            return _may_be_empty(path.arg)
        case MulPath():
            return path.mod != "+" or _may_be_empty(path.path)
        case _:
            return False


def _anchored(ends: tuple[Any, Any], triples: list[Any]) -> bool:
    """Whether one end of a path is a constant, or occurs in a plain pattern beside it."""
    import rdflib

    plain = {node for s, p, o in triples if isinstance(p, rdflib.URIRef | rdflib.Variable) for node in (s, o)}
    return any(not isinstance(end, rdflib.Variable | rdflib.BNode) or end in plain for end in ends)
