"""Graphs → SPARQL 1.1 Update requests. All text comes from `lines`; nothing else is ever put into a request.

Two graphs written whole, as one request:

    DELETE { GRAPH ?g { ?s ?p ?o } } WHERE { VALUES ?g { <urn:g1> <urn:g2> } GRAPH ?g { ?s ?p ?o } } ;
    INSERT DATA {
    GRAPH <urn:g1> {
    <urn:a> <urn:p> "1" .
    }
    GRAPH <urn:g2> {
    <urn:a> <urn:p> "2" .
    }
    }

A request is one transaction in most stores. In Virtuoso each of the two operations is one: if it fails
between them, the graphs are gone, but none is there in part. Virtuoso also takes no more than some thousand
triples per operation. A graph larger than `most` is put together under another name and moved into place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from laser_rdf.stream.lines import iri
from laser_rdf.stream.results import Change, GraphText

USUAL_TRIPLES = 20_000
"""A request is full at about so many triples, in a store that sets no limit; no graph is divided for this."""

MAX_GRAPHS = 500
"""Graphs per request; a store has to plan a query over them."""

STAGING = "-being-written"
"""What the name of a large graph ends with until it is complete."""

CHECK = "DELETE DATA { GRAPH <urn:laser:check> { <urn:laser:check> <urn:laser:check> <urn:laser:check> } }"
"""Removes what is not there: needs the right to write, and changes nothing."""


def replace_requests(graphs: Sequence[GraphText], most: int | None = None) -> Iterator[tuple[int, str]]:
    """Requests that write each graph whole, each with how many graphs it completes.

    >>> graph = GraphText("urn:g", "<urn:a> <urn:p> <urn:b> .\\n" * 5)
    >>> [count for count, _ in replace_requests([graph] * 3, most=10)]
    [2, 1]
    """
    batch: list[GraphText] = []
    total = 0
    for graph in graphs:
        size = graph.size
        if batch and (total + size > (most or USUAL_TRIPLES) or len(batch) == MAX_GRAPHS):
            yield len(batch), _replace(batch)
            batch, total = [], 0
        if most is not None and size > most:
            yield from _staged(graph, most)
        else:
            batch.append(graph)
            total += size
    if batch:
        yield len(batch), _replace(batch)


def _replace(graphs: Sequence[GraphText]) -> str:
    operations = [_delete_graphs(" ".join([iri(graph.iri) for graph in graphs]))]
    data = "".join([f"GRAPH {iri(graph.iri)} {{\n{graph.inside}}}\n" for graph in graphs])
    for home, said in _by_home(graphs).items():
        operations.append(_delete_about(" ".join([iri(graph.iri) for graph in said]), home))
        data += f"GRAPH {home} {{\n{''.join([graph.about for graph in said])}}}\n"
    return " ;\n".join([*operations, f"INSERT DATA {{\n{data}}}"])


def _by_home(graphs: Sequence[GraphText]) -> dict[str, list[GraphText]]:
    homes: dict[str, list[GraphText]] = {}
    for graph in graphs:
        if graph.home is not None:
            homes.setdefault(iri(graph.home), []).append(graph)
    return homes


def _delete_graphs(names: str) -> str:
    return f"DELETE {{ GRAPH ?g {{ ?s ?p ?o }} }} WHERE {{ VALUES ?g {{ {names} }} GRAPH ?g {{ ?s ?p ?o }} }}"


def _delete_about(names: str, metadata_graph: str) -> str:
    about = f"GRAPH {metadata_graph} {{ ?g ?p ?o }}"
    return f"DELETE {{ {about} }} WHERE {{ VALUES ?g {{ {names} }} {about} }}"


def _staged(graph: GraphText, most: int) -> Iterator[tuple[int, str]]:
    """A large graph, piece by piece under another name, then moved; what is said about it comes last."""
    name = iri(graph.iri)
    stage = _staging(name)
    yield 0, _delete_graphs(stage)
    for piece in _pieces(graph.inside, most):
        yield 0, _insert(stage, piece)
    move = f"MOVE GRAPH {stage} TO GRAPH {name}"
    if graph.home is None:
        yield 1, move
    else:
        yield 0, move
        place = iri(graph.home)
        yield 1, f"{_delete_about(name, place)} ;\n{_insert(place, graph.about)}"


def _staging(name: str) -> str:
    return f"{name[:-1]}{STAGING}>"


def _insert(graph: str, text: str) -> str:
    return f"INSERT DATA {{\nGRAPH {graph} {{\n{text}}}\n}}"


def _delete(graph: str, text: str) -> str:
    return f"DELETE DATA {{\nGRAPH {graph} {{\n{text}}}\n}}"


def _pieces(text: str, most: int) -> Iterator[str]:
    # Not splitlines: a literal may hold other characters that it takes for ends of lines.
    all_lines = text.split("\n")[:-1]
    for start in range(0, len(all_lines), most):
        yield "\n".join(all_lines[start : start + most]) + "\n"


def change_requests(change: Change, most: int | None = None) -> Iterator[str]:
    """Requests that bring the graph of a program up to date.

    >>> print(*change_requests(Change("urn:a", added="<urn:a> <urn:a> <urn:a> .\\n")))
    INSERT DATA {
    GRAPH <urn:a> {
    <urn:a> <urn:a> <urn:a> .
    }
    }
    """
    name, added, removed = iri(change.iri), change.added, change.removed
    clear = [_delete_graphs(name)] if change.anew else []
    if most is None or added.count("\n") + removed.count("\n") <= most:
        gone = [_delete(name, removed)] if removed else []
        come = [_insert(name, added)] if added else []
        if operations := [*clear, *gone, *come]:
            yield " ;\n".join(operations)
        return
    stage = _staging(name)
    yield _delete_graphs(stage)
    if not change.anew:
        yield f"COPY SILENT GRAPH {name} TO GRAPH {stage}"
    for piece in _pieces(removed, most):
        yield _delete(stage, piece)
    for piece in _pieces(added, most):
        yield _insert(stage, piece)
    yield f"MOVE GRAPH {stage} TO GRAPH {name}"
