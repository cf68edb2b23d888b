"""Result graphs for tests: ten triples each, with literals that stores write in their own way."""

from __future__ import annotations

from collections.abc import Iterable

import pyoxigraph as ox

from laser_rdf.rdf.emit_graph import Emission, Origin, ResultGraph

XSD = "http://www.w3.org/2001/XMLSchema#"
EX = "http://example.org/"
ORIGIN = Origin(ox.NamedNode(EX + "program/jams"), Emission.INSERTIONS)


def ex(name: str) -> ox.NamedNode:
    return ox.NamedNode(EX + name)


def literal(lexical: str, datatype: str) -> ox.Literal:
    return ox.Literal(lexical, datatype=ox.NamedNode(XSD + datatype))


def result(
    name: str, triples: Iterable[ox.Triple] = (), time: int = 36, timestamp: int | None = 36
) -> ResultGraph:
    return ResultGraph(name, time, timestamp, [str(triple) for triple in triples], ORIGIN)


def objects(n: int) -> list[ox.NamedNode | ox.Literal]:
    return [
        ex(f"road/{n % 97}"),
        ox.Literal(f'said "{n}"\n\\ and left'),
        ox.Literal(f"très chaud {n}", language="fr"),
        literal(str(n), "integer"),
        literal(f"0{n}", "long"),
        literal(f"{n}.50", "decimal"),
        literal(f"{n}.25E0", "double"),
        literal("true" if n % 2 else "0", "boolean"),
        literal(f"2026-01-01T00:{n % 60:02d}:00.500Z", "dateTime"),
        ox.Literal(f"{n} m", datatype=ex("Length")),
    ]


# What each store makes of these objects; see docs/sinks.md.
def in_oxigraph(n: int) -> list[ox.NamedNode | ox.Literal]:
    kept = objects(n)
    kept[4] = literal(str(n), "integer")
    kept[5] = literal(f"{n}.5", "decimal")
    kept[6] = literal(f"{n}.25", "double")
    kept[7] = literal("true" if n % 2 else "false", "boolean")
    kept[8] = literal(f"2026-01-01T00:{n % 60:02d}:00.5Z", "dateTime")
    return kept


def in_virtuoso(n: int) -> list[ox.NamedNode | ox.Literal]:
    kept = in_oxigraph(n)
    kept[4] = literal(str(n), "long")
    kept[8] = objects(n)[8]
    return kept


def triples(n: int, found: list[ox.NamedNode | ox.Literal]) -> list[ox.Triple]:
    subject = ex(f"sensor/{n % 500}")
    return [ox.Triple(subject, ex(f"vocab#p{i}"), term) for i, term in enumerate(found)]


def ten_triple_results(count: int, base: str = f"{EX}result/") -> list[ResultGraph]:
    return [result(f"{base}{n}", triples(n, objects(n)), n, n) for n in range(count)]
