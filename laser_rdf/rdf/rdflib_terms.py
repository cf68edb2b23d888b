"""rdflib terms and graphs ↔ pyoxigraph terms; the only module here that imports rdflib, and only when asked.

    URIRef    ↔  NamedNode
    BNode     ↔  BlankNode
    Literal   ↔  Literal        with the text it was written with

A triple term has no counterpart in rdflib 7: UsageError.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pyoxigraph as ox
import rdflib

from laser_rdf.errors import UsageError, escape_control
from laser_rdf.rdf.timed_graph import GraphName

OxTerm = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple


def to_rdflib(term: OxTerm) -> rdflib.URIRef | rdflib.BNode | rdflib.Literal:
    """The rdflib term.

    >>> to_rdflib(ox.Literal("01", datatype=ox.NamedNode("http://www.w3.org/2001/XMLSchema#integer")))
    rdflib.term.Literal('01', datatype=rdflib.term.URIRef('http://www.w3.org/2001/XMLSchema#integer'))
    """
    match term:
        case ox.NamedNode():
            return rdflib.URIRef(term.value)
        case ox.BlankNode():
            return rdflib.BNode(term.value)
        case ox.Literal():
            if term.language:
                return rdflib.Literal(term.value, lang=term.language)
            if term.datatype.value == str(rdflib.XSD.string):
                return rdflib.Literal(term.value)
            return rdflib.Literal(term.value, datatype=rdflib.URIRef(term.datatype.value), normalize=False)
        case _:
            raise UsageError("a triple term cannot become an rdflib term")


def from_rdflib(term: object) -> OxTerm:
    """The pyoxigraph term of an rdflib term; UsageError if it is none, or no valid one.

    >>> from_rdflib(rdflib.Literal("chaud", lang="fr"))
    <Literal value=chaud language=fr>
    """
    try:
        match term:
            case rdflib.URIRef():
                return ox.NamedNode(str(term))
            case rdflib.BNode():
                return ox.BlankNode(str(term))
            case rdflib.Literal():
                if term.language:
                    return ox.Literal(str(term), language=term.language)
                if term.datatype is None:
                    return ox.Literal(str(term))
                return ox.Literal(str(term), datatype=ox.NamedNode(str(term.datatype)))
    except ValueError as problem:
        raise UsageError(f"`{escape_control(str(term))}` is not a valid term: {problem}") from None
    raise UsageError(f"`{escape_control(repr(term))}` is not an RDF term")


def rdflib_graph(triples: Iterable[ox.Triple], name: GraphName | None) -> rdflib.Graph:
    """An rdflib graph of the triples."""
    graph = rdflib.Graph() if name is None else rdflib.Graph(identifier=_identifier(name))
    for triple in triples:
        graph.add((to_rdflib(triple.subject), to_rdflib(triple.predicate), to_rdflib(triple.object)))
    return graph


def _identifier(name: GraphName) -> rdflib.URIRef | rdflib.BNode:
    return rdflib.BNode(name.value) if isinstance(name, ox.BlankNode) else rdflib.URIRef(name.value)


def quads_of(graph: rdflib.Graph) -> Iterator[tuple[Any, Any, Any, GraphName | None]]:
    """What an rdflib graph or dataset holds, each triple with the name of its graph, None for the default."""
    if not isinstance(graph, rdflib.Dataset):
        for s, p, o in graph:
            yield from_rdflib(s), from_rdflib(p), from_rdflib(o), None
        return
    for s, p, o, context in graph.quads():
        named = context is not None and context != rdflib.graph.DATASET_DEFAULT_GRAPH_ID
        name = from_rdflib(context) if named else None
        assert name is None or isinstance(name, GraphName)
        yield from_rdflib(s), from_rdflib(p), from_rdflib(o), name
