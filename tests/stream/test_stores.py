"""Ten thousand result graphs into real stores and back, graph by graph."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph as ox

from laser_rdf.rdf.emit_graph import ResultGraph
from laser_rdf.stream import Sink, open_sink
from tests.stream.results import EX, ex, in_oxigraph, in_virtuoso, result, ten_triple_results, triples
from tests.stream.servers import Store

COUNT = 10_000


def expected(results: list[ResultGraph], store: str) -> dict[str, set[ox.Triple]]:
    """What a store holds afterwards: the triples in its own spelling, and those about the graph."""
    spelled = in_oxigraph if store == "oxigraph" else in_virtuoso
    return {
        graph.iri: {*triples(number, spelled(number)), *graph.metadata}
        for number, graph in enumerate(results)
    }


def write_all(sink: Sink, results: list[ResultGraph]) -> None:
    sink.check()
    for graph in results:
        sink.write(graph)
    sink.flush()


def test_ten_thousand_graphs_arrive_as_they_are(way: tuple[Store, str]) -> None:
    store, target = way
    base = f"{EX}result/{target.partition(':')[0]}/"
    results = ten_triple_results(COUNT, base)
    with open_sink(target) as sink:
        write_all(sink, results)
        # A replay overwrites: of some, and of one that had other triples meanwhile.
        sink.write(result(results[7].iri, [ox.Triple(ex("a"), ex("b"), ex("c"))], 7, 7))
        sink.flush()
        write_all(sink, results[:20])
    found = store.graphs(base)
    wanted = expected(results, store.name)
    assert found.keys() == wanted.keys()
    assert [name for name in wanted if found[name] != wanted[name]] == []
    assert sink.counters.graphs == COUNT + 21


def test_ten_thousand_graphs_into_the_embedded_store(tmp_path: Path) -> None:
    results = ten_triple_results(COUNT)
    with open_sink(f"oxigraph:{tmp_path / 'store'}") as sink:
        write_all(sink, results)
        write_all(sink, results[:20])
    found: dict[str, set[ox.Triple]] = {}
    for quad in ox.Store(tmp_path / "store"):
        found.setdefault(quad.graph_name.value, set()).add(quad.triple)
    wanted = expected(results, "oxigraph")
    assert found.keys() == wanted.keys()
    assert [name for name in wanted if found[name] != wanted[name]] == []


def test_a_graph_over_the_limit_of_virtuoso_arrives_whole(way: tuple[Store, str]) -> None:
    store, target = way
    name = f"{EX}large/{target.partition(':')[0]}"
    many = [ox.Triple(ex(f"s{n}"), ex("p"), ox.Literal(str(n))) for n in range(5_500)]
    small = result(f"{name}-small", many[:3])
    with open_sink(target) as sink:
        sink.write(small)
        sink.write(result(name, many))
        sink.write(result(f"{name}-last", many[:2]))
    assert {graph: len(found) for graph, found in store.graphs(name).items()} == {
        name: 5_504,
        f"{name}-small": 7,
        f"{name}-last": 6,
    }
    with open_sink(target) as sink:  # and a smaller one in its place
        sink.write(result(name, many[:5]))
    assert len(store.graph(name)) == 9


def test_what_is_said_about_graphs_in_a_graph_of_its_own(way: tuple[Store, str]) -> None:
    store, target = way
    home = f"{EX}about/{store.name}/{target.partition(':')[0]}"
    name = f"{EX}said/{store.name}/{target.partition(':')[0]}"
    graphs = [result(f"{name}/{n}", [ox.Triple(ex("a"), ex("p"), ex(f"o{n}"))], n, n) for n in range(5)]
    for _ in range(2):  # a replay says it once
        with open_sink(target, metadata_graph=home) as sink:
            for graph in graphs:
                sink.write(graph)
    assert store.graphs(name) == {graph.iri: set(graph.triples) for graph in graphs}
    assert store.graph(home) == {triple for graph in graphs for triple in graph.metadata}


def test_a_large_graph_and_what_is_said_about_it(virtuoso: Store) -> None:
    name, home = f"{EX}large-said", f"{EX}large-about"
    graph = result(name, [ox.Triple(ex(f"s{n}"), ex("p"), ex("o")) for n in range(1_500)])
    with open_sink(f"sparql:{virtuoso.update_url}", metadata_graph=home) as sink:
        sink.write(graph)
    assert virtuoso.graph(name) == set(graph.triples)
    assert virtuoso.graph(home) == set(graph.metadata)


def test_a_very_long_literal_arrives(way: tuple[Store, str]) -> None:
    store, target = way
    graph = result(f"{EX}long/{target[:3]}", [ox.Triple(ex("a"), ex("p"), ox.Literal("x" * 300_000))])
    with open_sink(target) as sink:
        sink.write(graph)
    assert store.graph(graph.iri) == {*graph.triples, *graph.metadata}


def test_a_limit_can_be_set_for_any_store(oxigraph: Store) -> None:
    many = [ox.Triple(ex(f"s{n}"), ex("p"), ox.Literal(str(n))) for n in range(25)]
    target = f"sparql:{oxigraph.update_url}"
    with open_sink(target, max_triples_per_request=10) as sink:
        sink.write(result(f"{EX}limited", many))
    assert len(oxigraph.graph(f"{EX}limited")) == 29
    assert sink.counters.requests == 1 + 1 + 3 + 1  # check, clear, three pieces, move
    with open_sink(target, mode="state", max_triples_per_request=10) as sink:
        sink.update(f"{EX}limited", many)
        sink.flush()
        sink.update(f"{EX}limited", (), many[:20])
    assert oxigraph.graph(f"{EX}limited") == set(many[20:])
