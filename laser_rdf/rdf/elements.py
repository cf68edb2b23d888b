"""From triples and stamps to timed graphs: what all formats have in common.

`Reading` is what one stream is read with. It turns the stamps of an element into its time, sees that time
does not go back, and treats what is wrong as the policy says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import pyoxigraph as ox

from laser_rdf.errors import InputError
from laser_rdf.rdf.blank_nodes import (
    may_have_blank_nodes,
    rename_graph,
    rename_triple,
    rename_triples,
    renaming,
)
from laser_rdf.rdf.parsing import parsed
from laser_rdf.rdf.problems import Located, Piece, Policy
from laser_rdf.rdf.stamps import Path, StampReader
from laser_rdf.rdf.timed_graph import GraphName, Seconds, TimedGraph

Stamp = tuple[int, object]
"""How far down the list of predicates it was found, and the term."""

Quads = list[tuple[GraphName | None, ox.Triple]]

Runs = list[tuple[GraphName | None, list[ox.Triple]]]
"""Quads one after the other, those of one graph together."""


@dataclass(slots=True)
class Reading:
    """How a stream is read, and how far it has got.

    `elements` were delivered, `policy.skipped` were not, and `ignored` counts the triples of default graphs
    that are no time stamps.
    """

    stamps: StampReader
    paths: tuple[Path, ...]
    policy: Policy
    limit: int
    ordered: bool = True
    elements: int = 0
    ignored: int = 0
    last: int | None = None
    last_timestamp: Seconds | None = None
    ranks: dict[object, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Index the predicates."""
        self.use(self.paths)

    def use(self, paths: tuple[Path, ...]) -> None:
        """Look for stamps at the ends of these paths from now on."""
        self.paths = paths
        # Graphs have their stamps one step away; longer paths are for messages.
        self.ranks = {path[0]: rank for rank, path in enumerate(self.paths) if len(path) == 1}

    def deliver(
        self,
        name: GraphName | None,
        triples: Sequence[ox.Triple],
        stamps: list[Stamp],
        pieces: Sequence[Located],
    ) -> TimedGraph | None:
        """The element, if nothing is wrong with it."""
        try:
            return self._timed(name, triples, stamps, pieces)
        except InputError as error:
            self.policy.report(error, pieces)
            return None

    def _timed(
        self,
        name: GraphName | None,
        triples: Sequence[ox.Triple],
        stamps: list[Stamp],
        pieces: Sequence[Located],
    ) -> TimedGraph:
        term = stamps[0][1] if len(stamps) == 1 else self._only(stamps, pieces[0])
        found = self.stamps.read(term)
        if found is None:
            raise (
                pieces[0]
                .located()
                .error(
                    "I104",
                    f"`{_short(term)}` is not a time stamp",
                    "use an xsd:dateTime, as `2020-01-01T00:00:00Z`, or an integer of at most 18 digits",
                )
            )
        time, timestamp = found
        self.check_order(time, pieces[0])
        self.last_timestamp = timestamp
        self.elements += 1
        piece = pieces[0]
        return TimedGraph(time, tuple(triples), timestamp, name, f"{piece.source}:{piece.line}")

    def _only(self, stamps: list[Stamp], piece: Located) -> object:
        best = min((rank for rank, _ in stamps), default=None)
        terms = list(dict.fromkeys(term for rank, term in stamps if rank == best))
        if not terms:
            wanted = ", ".join("/".join(f"<{node.value}>" for node in path) for path in self.paths)
            raise piece.located().error("I102", "an element without a time stamp", f"give it one by {wanted}")
        if len(terms) > 1:
            shown = " and ".join(f"`{_short(term)}`" for term in terms[:2])
            raise piece.located().error(
                "I103", f"an element with two time stamps: {shown}", "leave one of them"
            )
        return terms[0]

    def check_order(self, time: int, piece: Located) -> None:
        """Refuse a time point before the last one."""
        if self.ordered and self.last is not None and time < self.last:
            raise piece.located().error(
                "I105", f"time goes back, from time point {self.last} to {time}", "sort the stream by time"
            )
        self.last = time

    def parse(
        self, piece: Piece, form: ox.RdfFormat, scope: str, place: int, header: bytes = b""
    ) -> tuple[Quads, ox.QuadParser]:
        """The quads of a piece, and the parser that knows the prefixes; InputError if it does not parse."""
        quads, parser = parsed(piece, form, header)
        found = [(named(quad.graph_name), quad.triple) for quad in quads]
        return renamed_quads(found, piece.data, scope, place), parser

    def parse_statement(
        self, piece: Piece, scope: str, place: int, header: bytes
    ) -> tuple[GraphName | None, list[ox.Triple], ox.QuadParser]:
        """The name and triples of one statement of TriG: it is about one graph."""
        quads, parser = parsed(piece, ox.RdfFormat.TRIG, header)
        triples = [quad.triple for quad in quads]
        name = named(quads[0].graph_name) if quads else None
        return *renamed(name, triples, piece.data, scope, place), parser


def renamed(
    name: GraphName | None, triples: list[ox.Triple], text: bytes, scope: str, place: int
) -> tuple[GraphName | None, list[ox.Triple]]:
    """What a text says about a graph, with blank nodes named as those of that text."""
    if not may_have_blank_nodes(text):
        return name, triples
    rename = renaming(text, scope, place)
    triples = rename_triples(triples, rename)
    return name and rename_graph(name, rename), triples


def renamed_quads(quads: Quads, text: bytes, scope: str, place: int) -> Quads:
    """The quads of a text, with blank nodes named as those of that text."""
    if not may_have_blank_nodes(text):
        return quads
    rename = renaming(text, scope, place)
    return [(name and rename_graph(name, rename), rename_triple(triple, rename)) for name, triple in quads]


def renamed_runs(runs: Runs, text: bytes, scope: str, place: int) -> Runs:
    """The same for runs of quads."""
    if not may_have_blank_nodes(text):
        return runs
    rename = renaming(text, scope, place)
    return [(name and rename_graph(name, rename), rename_triples(triples, rename)) for name, triples in runs]


def named(name: ox.NamedNode | ox.BlankNode | ox.DefaultGraph) -> GraphName | None:
    """The name of a graph; None for the default graph."""
    return None if isinstance(name, ox.DefaultGraph) else name


def _short(term: object) -> str:
    text = str(term)
    return text if len(text) <= 80 else text[:79] + "…"


class GraphAssembler:
    """Puts the named graphs of TriG and N-Quads together with their stamps.

    The stamp of a graph is in the default graph, before it or after it, or in the graph itself. So a graph is
    complete when the next one begins. In N-Quads an empty graph is nothing but its stamp: with `empty`, a
    stamp whose graph has not come when a graph stamped later begins makes an empty element.
    """

    MAX_WAITING = 100_000

    def __init__(self, reading: Reading, empty: bool) -> None:
        self.reading = reading
        self.empty = empty
        self._waiting: dict[object, tuple[list[Stamp], Located]] = {}
        self._name: GraphName | None = None
        self._triples: list[ox.Triple] = []
        self._stamps: list[Stamp] = []
        self._pieces: list[Located] = []
        self._error: InputError | None = None

    def default(self, triples: Iterable[ox.Triple], piece: Located) -> None:
        """Triples of the default graph."""
        ranks = self.reading.ranks
        for triple in triples:
            rank = ranks.get(triple.predicate)
            if rank is None:
                self.reading.ignored += 1
            elif self._name is not None and triple.subject == self._name:
                self._stamps.append((rank, triple.object))
                self._pieces.append(piece)
            else:
                self._waiting.setdefault(triple.subject, ([], piece))[0].append((rank, triple.object))
        if len(self._waiting) > self.MAX_WAITING:
            raise piece.located().error(
                "I107",
                f"over {self.MAX_WAITING} time stamps whose graphs have not come",
                "keep them together",
            )

    def graph(self, name: GraphName, triples: Sequence[ox.Triple], piece: Located) -> Iterable[TimedGraph]:
        """Triples of a named graph; gives what is complete now that they begin."""
        done: Iterable[TimedGraph] = ()
        if self._name is None or name != self._name:
            if self.empty and not (len(self._waiting) == 1 and name in self._waiting):
                return self._graph_after_empties(name, triples, piece)
            done = self.flush()
            self._open(name)
        self._take(name, triples, piece)
        return done

    def _graph_after_empties(
        self, name: GraphName, triples: Sequence[ox.Triple], piece: Located
    ) -> Iterator[TimedGraph]:
        yield from self._begin(name)
        self._take(name, triples, piece)

    def _take(self, name: GraphName, triples: Sequence[ox.Triple], piece: Located) -> None:
        self._pieces.append(piece)
        self._triples.extend(triples)
        ranks = self.reading.ranks
        # A comprehension, because every triple of every stream comes by here.
        for triple in [triple for triple in triples if triple.predicate in ranks]:
            if triple.subject == name:
                self._stamps.append((ranks[triple.predicate], triple.object))

    def spoil(self, name: GraphName | None, error: InputError, piece: Piece) -> Iterator[TimedGraph]:
        """A piece of a graph that does not parse: the graph is lost, the current one if it has no name."""
        if name is not None and name != self._name:
            yield from self._begin(name)
        self._pieces.append(piece)
        self._error = self._error or error
        if self._name is None or self.reading.policy.fails:
            pieces = self._pieces
            self._clear()
            self.reading.policy.report(error, pieces)

    def spoil_default(self, error: InputError, piece: Piece) -> Iterator[TimedGraph]:
        """A piece of the default graph that does not parse; it may have been the stamp."""
        if self._stamps:
            yield from self.flush()
        yield from self.spoil(None, error, piece)

    def idle(self) -> Iterator[TimedGraph]:
        """The current graph if it has its stamp, now that nothing has come for a while."""
        if self._stamps:
            yield from self.flush()

    def flush(self) -> Iterable[TimedGraph]:
        """The current graph, now that it is complete."""
        if self._name is None:
            return ()
        name, triples, stamps = self._name, self._triples, self._stamps
        pieces, error = self._pieces, self._error
        self._clear()
        if error is not None:
            self.reading.policy.report(error, pieces)
            return ()
        graph = self.reading.deliver(name, triples, stamps, pieces)
        return () if graph is None else (graph,)

    def _clear(self) -> None:
        self._name, self._triples, self._stamps, self._pieces, self._error = None, [], [], [], None

    def end(self) -> Iterator[TimedGraph]:
        """What is left at the end of the file."""
        yield from self.flush()
        if self.empty:
            yield from self._empties(None)
        self._waiting.clear()

    def _begin(self, name: GraphName) -> Iterator[TimedGraph]:
        yield from self.flush()
        if self._waiting and self.empty:
            yield from self._empties(name)
        self._open(name)

    def _open(self, name: GraphName) -> None:
        stamps, piece = self._waiting.pop(name, ([], None))
        self._name, self._stamps = name, stamps
        if piece is not None:
            self._pieces.append(piece)

    def _empties(self, until: GraphName | None) -> Iterator[TimedGraph]:
        for subject in list(self._waiting):
            if subject == until:
                return
            stamps, piece = self._waiting.pop(subject)
            assert isinstance(subject, GraphName)
            if (graph := self.reading.deliver(subject, (), stamps, [piece])) is not None:
                yield graph
