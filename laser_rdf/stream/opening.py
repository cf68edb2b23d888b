"""The text that names a sink → the sink.

    file:out.trig                        a file: .trig, .nq, .jsonl, each also with .gz
    oxigraph:DIR                         an Oxigraph store in a directory, in this process
    sparql:http://127.0.0.1:7878/update  a store that takes SPARQL 1.1 Update
    gsp:http://127.0.0.1:7878/store      a store that takes the Graph Store Protocol
    rdflib                               an rdflib Dataset
    a function                           is called with every result

What a sink needs is imported when it is opened, and not before.
"""

from __future__ import annotations

from typing import Any

import pyoxigraph as ox

from laser_rdf.errors import UsageError, escape_control
from laser_rdf.stream.python_sinks import CallableSink, RdflibSink, Receiver
from laser_rdf.stream.sink import USUAL_BATCH, Batches, Mode, Sink

_OPTIONS: dict[str, frozenset[str]] = {
    "file": frozenset({"metadata_graph", "append"}),
    "oxigraph": frozenset({"metadata_graph"}),
    "sparql": frozenset({"metadata_graph", "credentials", "timeout", "max_triples_per_request"}),
    "gsp": frozenset({"metadata_graph", "credentials", "timeout", "connections"}),
    "rdflib": frozenset({"metadata_graph", "dataset"}),
    "callable": frozenset(),
}
KINDS = tuple(_OPTIONS)


def open_sink(
    target: str | Receiver,
    *,
    mode: str | Mode = Mode.LOG,
    batch: int | None = None,
    batch_seconds: float = 1.0,
    metadata_graph: str | ox.NamedNode | None = None,
    **options: Any,
) -> Sink:
    """Open a sink. Nothing is contacted or written before `check`, `write` or `update`.

    `batch` graphs are written together, earlier if one has waited for `batch_seconds`. The other options are
    those of the kind: `append` for files; `credentials`, `timeout` for `sparql` and `gsp`,
    `max_triples_per_request` for the first, `connections` for the second; `dataset` for `rdflib`.

    >>> open_sink("ftp:x")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    laser_rdf.errors.UsageError: `ftp:x` is no sink: it begins with file:, oxigraph:, sparql:, gsp: ...
    """
    kind, place = _divided(target)
    if metadata_graph is not None:
        options["metadata_graph"] = _named(metadata_graph)
    for name in options:
        if name not in _OPTIONS[kind]:
            fitting = ", ".join(sorted(_OPTIONS[kind])) or "none"
            raise UsageError(f"a `{kind}` sink has no option `{escape_control(name)}`; it has: {fitting}")
    usual = 1 if kind == "rdflib" else USUAL_BATCH
    batches = Batches(usual if batch is None else batch, batch_seconds)
    return _made(kind, place, target, _mode(mode), batches, options)


def _made(
    kind: str, place: str, target: object, mode: Mode, batches: Batches, options: dict[str, Any]
) -> Sink:
    match kind:
        case "callable":
            return CallableSink(target, mode, batches)  # type: ignore[arg-type]
        case "rdflib":
            return RdflibSink(mode, batches, **options)
        case "file":
            from laser_rdf.stream.file_sink import FileSink

            return FileSink(place, mode, batches, **options)
        case "oxigraph":
            from laser_rdf.stream.embedded_sink import EmbeddedSink

            return EmbeddedSink(place, mode, batches, **options)
        case "sparql":
            from laser_rdf.stream.sparql_sink import SparqlSink

            return SparqlSink(place, mode, batches, **options)
        case _:
            from laser_rdf.stream.graph_store_sink import GraphStoreSink

            return GraphStoreSink(place, mode, batches, **options)


def _divided(target: str | Receiver) -> tuple[str, str]:
    """The kind of sink, and the place after the colon."""
    if callable(target):
        return "callable", ""
    if target == "rdflib":
        return target, ""
    kind, colon, place = target.partition(":")
    if not colon or kind not in ("file", "oxigraph", "sparql", "gsp"):
        shown = escape_control(target if "@" not in target else f"{kind}:…")
        raise UsageError(f"`{shown}` is no sink: it begins with file:, oxigraph:, sparql:, gsp: or is rdflib")
    if not place:
        raise UsageError(f"the sink `{kind}:` does not say where: give a path or an address after the colon")
    return kind, place


def _mode(mode: str | Mode) -> Mode:
    try:
        return Mode(mode)
    except ValueError:
        raise UsageError(
            f"`{escape_control(str(mode))}` is no mode of a sink: use `log` or `state`"
        ) from None


def _named(graph: str | ox.NamedNode) -> ox.NamedNode:
    try:
        return ox.NamedNode(graph) if isinstance(graph, str) else graph
    except ValueError as problem:
        raise UsageError(f"the metadata graph is not an IRI: {problem}") from None
