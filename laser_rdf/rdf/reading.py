"""`read_stream`: a source and a format → timed graphs, one after the other, never more than one in memory."""

from __future__ import annotations

import datetime
import heapq
import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import pyoxigraph as ox

from laser_rdf.errors import UsageError, escape_control
from laser_rdf.rdf.elements import Reading
from laser_rdf.rdf.problems import Piece, Policy
from laser_rdf.rdf.read_graphs import read_nquads, read_trig
from laser_rdf.rdf.read_messages import read_json_lines, read_line_log, read_text_log
from laser_rdf.rdf.sources import Follow, Input, Source, inputs
from laser_rdf.rdf.stamps import GRAPH_STAMPS, MESSAGE_STAMPS, StampReader, stamp_paths, zone_minutes
from laser_rdf.rdf.timed_graph import GraphName, Seconds, TimedGraph
from laser_rdf.values import Clock

if TYPE_CHECKING:
    import rdflib

    Graphs: TypeAlias = rdflib.Graph | Iterable[Any]

MAX_ELEMENT = 64 * 1024 * 1024
_SNIFFED = 1 << 14


def _read_jelly(source: Input, reading: Reading) -> Iterator[TimedGraph]:
    from laser_rdf.rdf.read_jelly import read_jelly

    return read_jelly(source, reading)


_READERS: dict[str, Callable[[Input, Reading], Iterator[TimedGraph]]] = {
    "trig": read_trig,
    "nquads": read_nquads,
    "turtle-messages": lambda source, reading: read_text_log(source, reading, ox.RdfFormat.TURTLE),
    "trig-messages": lambda source, reading: read_text_log(source, reading, ox.RdfFormat.TRIG),
    "ntriples-messages": lambda source, reading: read_line_log(source, reading, ox.RdfFormat.N_TRIPLES),
    "nquads-messages": lambda source, reading: read_line_log(source, reading, ox.RdfFormat.N_QUADS),
    "json-lines": read_json_lines,
    "jelly": _read_jelly,
}
FORMATS = tuple(_READERS)
_BY_SUFFIX = {
    "trig": "trig",
    "nq": "nquads",
    "ttl": "turtle-messages",
    "nt": "ntriples-messages",
    "jsonl": "json-lines",
    "ndjson": "json-lines",
    "ndjsonld": "json-lines",
    "jsonld": "json-lines",
    "jelly": "jelly",
}
_LOG_SIGN = re.compile(
    rb"^[ \t]*(?:#[ \t]*@message[ \t\r]*$|@?version[ \t]+[\"'][^\"'\n]*-messages[\"'])",
    re.IGNORECASE | re.MULTILINE,
)


class StreamReader:
    """Reads one stream; what it counts can be looked at while it is read.

    `format` is one of `FORMATS`; without one it follows from the name's suffix, and a TriG or N-Quads file
    whose first 16 kB show a message delimiter or the version label of message logs is read as one. `stamp` is
    the predicate of time stamps, or several in the order in which they are tried; one may be a path of
    predicates.

    >>> text = b'<http://e.org/g> <http://www.w3.org/ns/prov#generatedAtTime> 36 . <http://e.org/g> { }'
    >>> reader = StreamReader(text, format="trig")
    >>> [(graph.time, graph.name.value, graph.source) for graph in reader]
    [(36, 'http://e.org/g', '<bytes>:1')]
    >>> reader.elements, reader.skipped
    (1, 0)
    """

    def __init__(
        self,
        source: Source,
        format: str | None = None,
        *,
        clock: Clock | None = None,
        zone: str = "Z",
        stamp: Sequence[str | Sequence[str]] | None = None,
        on_error: str = "fail",
        max_element: int = MAX_ELEMENT,
        ordered: bool = True,
        name: str | None = None,
        follow: bool = False,
        stop: Callable[[], bool] = lambda: False,
        poll: float = 0.2,
        notice: Callable[[str], None] | None = None,
    ) -> None:
        if format is not None and format not in _READERS:
            raise UsageError(f"`{escape_control(format)}` is no stream format: use {', '.join(FORMATS)}")
        self._source = source
        self._name = name
        self._format = format
        self._stamp = stamp
        self._follow = Follow(stop, poll) if follow else None
        self._reading = Reading(
            StampReader(clock or Clock(), zone_minutes(zone)),
            stamp_paths(stamp or GRAPH_STAMPS),
            Policy(on_error, notice),
            max_element,
            ordered,
        )

    @property
    def elements(self) -> int:
        """How many elements were delivered."""
        return self._reading.elements

    @property
    def skipped(self) -> int:
        """How many elements were wrong and left out."""
        return self._reading.policy.skipped

    @property
    def ignored(self) -> int:
        """How many triples of default graphs were left out because they are no time stamps."""
        return self._reading.ignored

    def __iter__(self) -> Iterator[TimedGraph]:
        for found in inputs(self._source, self._name, self._follow):
            chosen, source = self._chosen(found)
            if self._stamp is None:
                default = GRAPH_STAMPS if chosen in ("trig", "nquads") else MESSAGE_STAMPS
                self._reading.use(stamp_paths(default))
            yield from _READERS[chosen](source, self._reading)

    def _chosen(self, source: Input) -> tuple[str, Input]:
        """The format, and the input from its start."""
        if self._format is not None:
            return self._format, source
        chosen = format_of_name(source.name)
        if chosen is None:
            raise unknown_format(source.name)
        if chosen not in ("trig", "nquads"):
            return chosen, source
        chunks = source.chunks()
        head = next((chunk for chunk in chunks if chunk), b"")
        log = _LOG_SIGN.search(head[:_SNIFFED]) is not None
        return f"{chosen}-messages" if log else chosen, _Begun(source.name, head, chunks)


def unknown_format(name: str) -> UsageError:
    """The error about a source whose name says nothing of its format."""
    plain = "; plain atoms are for `laser-rdf eval`" if name.endswith(".atoms") else ""
    return UsageError(
        f"the format of `{escape_control(name)}` does not follow from its name: "
        f"give one of {', '.join(FORMATS)}{plain}"
    )


def format_of_name(name: str) -> str | None:
    """The format that follows from the suffix of a name, if one does.

    >>> format_of_name("log.nq.gz"), format_of_name("log")
    ('nquads', None)
    """
    return _BY_SUFFIX.get(name.lower().removesuffix(".gz").rpartition(".")[2])


class _Begun(Input):
    """An input of which the first chunk has been read."""

    def __init__(self, name: str, head: bytes, chunks: Iterator[bytes]) -> None:
        self.name = name
        self._all = itertools.chain([head] if head else [], chunks)

    def chunks(self) -> Iterator[bytes]:
        """The bytes from the start."""
        return self._all


def read_stream(source: Source, format: str | None = None, **options: Any) -> Iterator[TimedGraph]:
    """The timed graphs of a file, a directory, standard input (`-`), a binary stream or bytes.

    The options are those of `StreamReader`.

    >>> log = b'[] <http://www.w3.org/ns/prov#generatedAtTime> 5 . <urn:a> <urn:p> "01" .'
    >>> [(graph.time, len(graph.triples)) for graph in read_stream(log, "turtle-messages")]
    [(5, 1)]
    """
    return iter(StreamReader(source, format, **options))


def merge_streams(*streams: Iterable[TimedGraph]) -> Iterator[TimedGraph]:
    """Several streams as one, by time point; at the same one, in the order in which the streams are given.

    >>> a, b = [TimedGraph(1), TimedGraph(3)], [TimedGraph(1, source="b"), TimedGraph(2)]
    >>> [(graph.time, graph.source) for graph in merge_streams(a, b)]
    [(1, ''), (1, 'b'), (2, ''), (3, '')]
    """
    return heapq.merge(*streams, key=lambda graph: graph.time)


def from_python(
    elements: Iterable[tuple[int | datetime.datetime | ox.Literal, Graphs]],
    *,
    clock: Clock | None = None,
    zone: str = "Z",
    ordered: bool = True,
    name: str = "<python>",
) -> Iterator[TimedGraph]:
    """Timed graphs of `(time, graph)` pairs, as they are needed.

    The time is a time point, a datetime or a literal that is a time stamp. The graph is an rdflib Graph or
    Dataset, or an iterable of triples: pyoxigraph triples or quads, or tuples of rdflib or pyoxigraph terms.

    >>> a = ox.NamedNode("http://example.org/a")
    >>> [graph.time for graph in from_python([(36, [ox.Triple(a, a, a)]), (40, [(a, a, a)])])]
    [36, 40]
    """
    stamps = StampReader(clock or Clock(), zone_minutes(zone))
    reading = Reading(stamps, stamp_paths(GRAPH_STAMPS), Policy(), MAX_ELEMENT, ordered)
    for number, (when, graph) in enumerate(elements, 1):
        place = Piece(name, b"", number)
        time, timestamp = _time(when, stamps)
        reading.check_order(time, place)
        quads = list(_quads(graph))
        names = {found for found, _ in quads}
        only = names.pop() if len(names) == 1 else None
        triples = tuple(dict.fromkeys(triple for _, triple in quads))
        yield TimedGraph(time, triples, timestamp, only, f"{name}:{number}")


def _time(when: object, stamps: StampReader) -> tuple[int, Seconds | None]:
    if isinstance(when, int) and not isinstance(when, bool):
        return when, None
    if isinstance(when, datetime.datetime):
        return stamps.of_datetime(when)
    if not isinstance(when, ox.Literal) and hasattr(when, "datatype"):
        from laser_rdf.rdf.rdflib_terms import from_rdflib

        when = from_rdflib(when)
    found = stamps.read(when)
    if found is None:
        raise UsageError(f"`{escape_control(str(when))}` is not a time: give a time point or a datetime")
    return found


def _quads(graph: Any) -> Iterator[tuple[GraphName | None, ox.Triple]]:
    if hasattr(graph, "namespace_manager"):
        from laser_rdf.rdf.rdflib_terms import quads_of

        for s, p, o, name in quads_of(graph):
            yield name, _triple(s, p, o)
        return
    for found in graph:
        if isinstance(found, ox.Triple):
            yield None, found
        elif isinstance(found, ox.Quad):
            yield None if isinstance(found.graph_name, ox.DefaultGraph) else found.graph_name, found.triple
        else:
            try:
                s, p, o = found
            except (TypeError, ValueError):
                raise UsageError(f"`{escape_control(repr(found))}` is not a triple") from None
            yield None, _triple(*map(_ox, (s, p, o)))


def _ox(term: Any) -> Any:
    if isinstance(term, ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple):
        return term
    from laser_rdf.rdf.rdflib_terms import from_rdflib

    return from_rdflib(term)


def _triple(s: Any, p: Any, o: Any) -> ox.Triple:
    try:
        return ox.Triple(s, p, o)
    except (TypeError, ValueError) as problem:
        shown = escape_control(f"{s} {p} {o}")
        raise UsageError(f"`{shown}` is not a triple: {escape_control(str(problem))}") from None
