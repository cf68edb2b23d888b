"""A result: the graph that a program answers with at a time point, and what is said about the graph.

<urn:laser:result:jams/insertions/36>  prov:generatedAtTime  "1970-01-01T00:00:36Z"^^xsd:dateTime ;
                                       prov:wasGeneratedBy   <urn:laser:program:jams> ;
                                       laser:timePoint       36 ;
                                       laser:emit            laser:Insertions .
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph as ox

from laser_rdf.rdf import vocabulary
from laser_rdf.rdf.stamps import PROV_GENERATED_AT_TIME, stamp_text
from laser_rdf.rdf.timed_graph import Seconds, TimedGraph
from laser_rdf.values import XSD_DATE_TIME, XSD_INTEGER

if TYPE_CHECKING:
    import rdflib

_DOT = " .\n"
_GENERATED_AT = f" <{PROV_GENERATED_AT_TIME}> "
_TIME_POINT = f' <{vocabulary.TIME_POINT}> "'
_INTEGER_END = f'"^^<{XSD_INTEGER}>'
_SECONDS = [f'{second:02d}Z"^^<{XSD_DATE_TIME}>' for second in range(60)]


class Emission(enum.Enum):
    """What a result says about a time point: the policy by the letter that chooses it."""

    INSERTIONS = "I"
    DELETIONS = "D"
    SNAPSHOT = "R"
    INTERVALS = "intervals"

    @property
    def word(self) -> str:
        """The word for it in names of graphs.

        >>> Emission("I").word
        'insertions'
        """
        return self.name.lower()

    @property
    def iri(self) -> str:
        """The term for it.

        >>> Emission("R").iri
        'urn:laser:vocab:Snapshot'
        """
        return vocabulary.LASER + self.name.capitalize()


@dataclass(frozen=True, slots=True)
class Origin:
    """What all results of a program have in common: who says what, and where that is written.

    With a `metadata_graph` the triples about results go there, else where the writer puts them.
    """

    program: ox.NamedNode
    emission: Emission
    metadata_graph: ox.NamedNode | None = None
    _by: str = field(init=False, repr=False, compare=False)
    _kind: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Prepare what is the same in all results."""
        object.__setattr__(self, "_by", f" <{vocabulary.WAS_GENERATED_BY}> {self.program}")
        object.__setattr__(self, "_kind", f" <{vocabulary.EMIT}> <{self.emission.iri}>")

    def about(self, name: str, stamp: str, time: int, end: str) -> str:
        """The lines about a graph; its name and its stamp are N-Triples, and so is the end of each line."""
        return (
            f"{name}{_GENERATED_AT}{stamp}{end}{name}{self._by}{end}"
            f"{name}{_TIME_POINT}{time}{_INTEGER_END}{end}{name}{self._kind}{end}"
        )


class _Result(NamedTuple):
    iri: str
    time: int
    timestamp: Seconds | None
    statements: Sequence[str]
    origin: Origin


# A tuple, because there is one for every time point; without slots, because its triples are made when they
# are asked for, and kept.
class ResultGraph(_Result):
    """The answer of a program at a time point as a named graph.

    `statements` is what it says: N-Triples without the dots and without blank nodes. `timestamp` is the start
    of the time point in seconds since 1970, None without a clock.

    >>> origin = Origin(ox.NamedNode("urn:laser:program:jams"), Emission.INSERTIONS)
    >>> graph = ResultGraph("urn:g", 36, None, ["<urn:a> <urn:p> <urn:b>"], origin)
    >>> print(graph.triples[0])
    <urn:a> <urn:p> <urn:b>
    >>> print(graph.metadata[3])
    <urn:g> <urn:laser:vocab:emit> <urn:laser:vocab:Insertions>
    """

    @property
    def name(self) -> ox.NamedNode:
        """The name of the graph as a term."""
        return ox.NamedNode(self.iri)

    @cached_property
    def triples(self) -> tuple[ox.Triple, ...]:
        """What the graph says."""
        return _triples(_block(self.statements))

    @cached_property
    def metadata(self) -> tuple[ox.Triple, ...]:
        """What is said about the graph."""
        return _triples(self._about(_DOT))

    def _about(self, end: str) -> str:
        time, timestamp = self.time, self.timestamp
        if type(timestamp) is int:
            minute, second = divmod(timestamp, 60)
            stamp = f"{_minute(minute)}{_SECONDS[second]}"
        else:
            stamp = stamp_text(TimedGraph(time, (), timestamp))
        return self.origin.about(f"<{self.iri}>", stamp, time, end)

    def timed(self, *, inside: bool = False) -> TimedGraph:
        """The result as an element of a stream; with `inside`, what is said about the graph is part of it."""
        triples = self.triples + self.metadata if inside else self.triples
        return TimedGraph(self.time, triples, self.timestamp, self.name)

    def nquads(self, *, inside: bool = False) -> str:
        """The graph and what is said about it, which comes first, as N-Quads.

        It is said in the origin's metadata graph if it has one, else in the default graph or, with `inside`,
        in the graph itself.
        """
        end, home = f" <{self.iri}> .\n", self.origin.metadata_graph
        about = self._about(f" {home}{_DOT}" if home is not None else end if inside else _DOT)
        return f"{about}{end.join(self.statements)}{end}" if self.statements else about

    def trig(self, *, inside: bool = False) -> str:
        """The same as TriG."""
        about, home = self._about(_DOT), self.origin.metadata_graph
        content = _block(self.statements)
        if home is not None:
            about = f"{home} {{\n{about}}}\n"
        elif inside:
            about, content = "", about + content
        return f"{about}<{self.iri}> {{\n{content}}}\n"

    def quads(self, *, inside: bool = False) -> list[ox.Quad]:
        """The same as terms.

        >>> origin = Origin(ox.NamedNode("urn:laser:program:jams"), Emission.SNAPSHOT)
        >>> len(ResultGraph("urn:g", 36, None, ["<urn:a> <urn:p> <urn:b>"], origin).quads())
        5
        """
        return list(ox.parse(self.nquads(inside=inside), format=ox.RdfFormat.N_QUADS))

    def to_rdflib(self) -> rdflib.Graph:
        """The triples as an rdflib graph of the same name."""
        return self.timed().to_rdflib()


@lru_cache(maxsize=1024)
def _minute(minute: int) -> str:
    """What the stamps of a minute begin with; most results follow each other closely."""
    return stamp_text(TimedGraph(0, (), 60 * minute)).removesuffix(_SECONDS[0])


def _block(statements: Sequence[str]) -> str:
    # N-Triples is Turtle, which is what stands between the braces of TriG.
    return _DOT.join(statements) + _DOT if statements else ""


def _triples(lines: str) -> tuple[ox.Triple, ...]:
    return tuple([quad.triple for quad in ox.parse(lines, format=ox.RdfFormat.N_TRIPLES)])
