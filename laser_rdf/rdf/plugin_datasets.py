"""Timed graphs ↔ an rdflib Dataset: one named graph each, and the stamps in the default graph.

A graph that has no name, or one that came before, gets a name made from the stream's name and its number in
it: two runs give the same names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyoxigraph as ox
import rdflib
from rdflib.graph import DATASET_DEFAULT_GRAPH_ID

from laser_rdf.errors import UsageError, escape_control
from laser_rdf.rdf.blank_nodes import scope_of
from laser_rdf.rdf.rdflib_terms import from_rdflib, to_rdflib
from laser_rdf.rdf.stamps import PROV_GENERATED_AT_TIME, StampReader, stamp_text, zone_minutes
from laser_rdf.rdf.timed_graph import GraphName, TimedGraph
from laser_rdf.values import Clock


def to_dataset(
    graphs: Iterable[TimedGraph],
    dataset: rdflib.Dataset | None = None,
    *,
    stream: str = "",
    stamp: str = PROV_GENERATED_AT_TIME,
) -> rdflib.Dataset:
    """A dataset of the graphs, a new one or the one given; names are made up from the name of the `stream`.

    >>> dataset = to_dataset([TimedGraph(36, name=ox.NamedNode("http://example.org/g"))])
    >>> [(str(s), str(o)) for s, _, o, _ in dataset.quads()]
    [('http://example.org/g', '36')]
    """
    dataset = rdflib.Dataset() if dataset is None else dataset
    predicate = rdflib.URIRef(stamp)
    named: set[object] = set()
    for number, graph in enumerate(graphs):
        name = graph.name
        if not isinstance(name, ox.NamedNode) or name in named:
            name = ox.NamedNode(f"urn:laser:element:{scope_of(stream)}:{number}")
        named.add(name)
        home = dataset.graph(rdflib.URIRef(name.value))
        _default(dataset).add((home.identifier, predicate, _stamp(graph)))
        for s, p, o in graph.triples:
            home.add((to_rdflib(s), to_rdflib(p), to_rdflib(o)))
    return dataset


def _default(dataset: rdflib.Dataset) -> rdflib.Graph:
    return dataset.graph(DATASET_DEFAULT_GRAPH_ID)


def _stamp(graph: TimedGraph) -> rdflib.term.Node:
    (quad,) = ox.parse(f"<urn:x> <urn:x> {stamp_text(graph)} .".encode(), format=ox.RdfFormat.N_TRIPLES)
    return to_rdflib(quad.object)


def from_dataset(
    dataset: rdflib.Dataset,
    *,
    clock: Clock | None = None,
    zone: str = "Z",
    stamp: str = PROV_GENERATED_AT_TIME,
) -> list[TimedGraph]:
    """The named graphs by time; their stamps are in the default graph or in the graphs themselves.

    UsageError for a graph that has triples but no stamp, two, or one that is no time.

    >>> graphs = [TimedGraph(2, name=ox.NamedNode("urn:b")), TimedGraph(1, name=ox.NamedNode("urn:a"))]
    >>> [(graph.time, graph.name.value) for graph in from_dataset(to_dataset(graphs))]
    [(1, 'urn:a'), (2, 'urn:b')]
    """
    reader = StampReader(clock or Clock(), zone_minutes(zone))
    predicate = rdflib.URIRef(stamp)
    found = []
    for home in _named_graphs(dataset):
        default = _default(dataset).objects(home.identifier, predicate)
        stamps = {*default, *home.objects(home.identifier, predicate)}
        if not stamps and not len(home):
            continue
        name = from_rdflib(home.identifier)
        assert isinstance(name, GraphName)
        if len(stamps) != 1:
            how_many = "two time stamps" if stamps else "no time stamp"
            raise UsageError(f"the graph `{escape_control(str(name))}` has {how_many} by <{stamp}>")
        read = reader.read(from_rdflib(term := stamps.pop()))
        if read is None:
            raise UsageError(
                f"`{escape_control(str(term))}` of `{escape_control(str(name))}` is no time stamp"
            )
        triples = sorted((ox.Triple(*map(from_rdflib, triple)) for triple in home), key=str)  # type: ignore[arg-type]
        found.append(TimedGraph(read[0], tuple(triples), read[1], name))
    found.sort(key=lambda graph: (graph.time, graph.timestamp or 0, str(graph.name)))
    return found


def _named_graphs(dataset: rdflib.Dataset) -> Iterator[rdflib.Graph]:
    return (graph for graph in dataset.graphs() if graph.identifier != DATASET_DEFAULT_GRAPH_ID)


def other_triples(dataset: rdflib.Dataset, stamp: str = PROV_GENERATED_AT_TIME) -> list[ox.Triple]:
    """What the default graph says besides the stamps of named graphs."""
    names = {graph.identifier for graph in _named_graphs(dataset)}
    triples = (
        ox.Triple(from_rdflib(s), from_rdflib(p), from_rdflib(o))  # type: ignore[arg-type]
        for s, p, o in _default(dataset)
        if s not in names or p != rdflib.URIRef(stamp)
    )
    return sorted(triples, key=str)
