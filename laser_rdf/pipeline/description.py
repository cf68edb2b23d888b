"""What a pipeline is made of, and whether it fits together; nothing runs here."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from laser_rdf.entail import Policy, Profile
from laser_rdf.errors import LaserError, PipelineError, UsageError
from laser_rdf.lang.ast import Program
from laser_rdf.pipeline.assembly import Assembly
from laser_rdf.pipeline.knowledge import Document, existing
from laser_rdf.pipeline.programs import ProgramPart, in_order
from laser_rdf.pipeline.results import SinkPart
from laser_rdf.pipeline.streams import StreamPart
from laser_rdf.rdf.construct import ConstructTemplate
from laser_rdf.rdf.event_query import EventQuery
from laser_rdf.stream import Sink, open_sink
from laser_rdf.stream.event_time import Lateness
from laser_rdf.values import Clock


class Description:
    """The parts of a pipeline. `directory` is where relative paths start."""

    def __init__(
        self,
        clock: str | Clock,
        directory: str | Path,
        base: str,
        metadata_graph: str | None,
        notice: Callable[[str], None] | None,
    ) -> None:
        self.clock = Clock.parse(clock) if isinstance(clock, str) else clock
        self.directory = Path(directory)
        self._has_begun = False
        self._streams: dict[str, StreamPart] = {}
        self._programs: dict[str, ProgramPart] = {}
        self._sinks: list[SinkPart] = []
        self._assembly = Assembly(
            self.clock, base, metadata_graph, notice or (lambda text: None), self._streams
        )

    def stream(
        self,
        name: str,
        source: Any = None,
        *,
        format: str | None = None,
        stamp: Sequence[str | Sequence[str]] | None = None,
        zone: str = "Z",
        on_error: str = "fail",
        follow: bool = False,
        lateness: str | None = None,
        late: str = "drop",
        max_ahead: str | None = None,
    ) -> None:
        """A stream: a file, directory, `-`, open file, bytes, (time, graph) pairs; or one to push to.

        With a `lateness` such as `30 s` its elements may be out of order by that much, and come twice; what
        comes later is treated as `late` says: `drop`, `fail`, `quarantine:DIR`. So is an element that lies
        more than `max_ahead` in the future of all before it.
        """
        self._not_begun("a stream")
        if name in self._streams:
            raise UsageError(f"there is a stream `{name}` already")
        if isinstance(source, str | Path) and str(source) != "-":
            source = self.directory / source
        wait = None
        if lateness is not None:
            ahead = None if max_ahead is None else self._time_points(max_ahead, "max_ahead")
            wait = Lateness(self._time_points(lateness, "lateness"), late, ahead)
        elif max_ahead is not None or late != "drop":
            raise UsageError(f"stream `{name}`: `late` and `max_ahead` need a `lateness`, as `0 s`")
        part = StreamPart(name, source, format, stamp, zone, on_error, follow, wait)
        part.check()
        self._streams[name] = part

    def background(self, *documents: Document) -> None:
        """What holds at every time point: Turtle, N-Triples, RDF/XML, JSON-LD files, or triples."""
        self._not_begun("background")
        self._assembly.knowledge.background += existing(documents, self.directory)

    def ontology(
        self,
        *documents: Document,
        profile: Profile = "rdfs",
        rules: str | Path | Program | None = None,
        inconsistency: Policy = "warn",
        max_entailments: int = 100_000,
        full: bool = False,
        axioms: bool = False,
        scope: str | None = None,
    ) -> None:
        """What follows from what: the axioms, the profile that reads them, and Datalog rules of your own.

        With a `scope` such as `10 s` what follows is what follows from that much of the streams together.
        """
        self._not_begun("an ontology")
        parts = self._assembly.knowledge
        parts.ontologies += existing(documents, self.directory)
        parts.profile = profile
        parts.rules = None if rules is None else self._program(rules)
        parts.inconsistency = inconsistency
        parts.max_entailments = max_entailments
        parts.full = full
        parts.axioms = axioms
        parts.scope = None if scope is None else self._time_points(scope, "scope")

    def _time_points(self, text: str, what: str) -> int:
        if re.fullmatch(r"0\s*[a-z]*", text):
            return 0
        length, unit = Clock.parse(text).unit_ms, self.clock.unit_ms
        if length % unit:
            raise UsageError(f"{what} `{text}` is not a whole number of time points of {unit} ms")
        return length // unit

    def event(self, name: str, query: str | Path | EventQuery) -> None:
        """A SPARQL SELECT query whose solutions at a time point are atoms `name(…)` for all programs."""
        if name in self._assembly.events:
            raise UsageError(f"there is an event `{name}` already")
        if not isinstance(query, EventQuery):
            query = EventQuery.parse(name, self._text(query), str(query))
        self._assembly.events[name] = query

    def register(
        self,
        name: str,
        program: str | Path | Program,
        *,
        on: Iterable[str] | None = None,
        emit: str = "I",
        template: str | Path | ConstructTemplate | None = None,
    ) -> None:
        """A program; it reads all streams unless `on` names some, or names of other programs.

        While the pipeline runs, it sees its streams from the next time point on.
        """
        if name in self._programs or name in self._streams:
            raise UsageError(f"the name `{name}` is taken")
        if template is not None and not isinstance(template, ConstructTemplate):
            template = ConstructTemplate(self._text(template), str(template))
        parsed = self._program(program)
        streams = tuple(self._streams) if on is None else tuple(dict.fromkeys(on))
        part = ProgramPart(name, parsed, streams, emit, template)
        self._registered(part)
        self._programs[name] = part

    def _registered(self, part: ProgramPart) -> None:
        """A program has come."""

    def sink(
        self,
        target: str | Callable[..., object] | Sink,
        *,
        programs: Iterable[str] | None = None,
        **options: Any,
    ) -> None:
        """Where results go: `file:…`, `oxigraph:…`, `sparql:…`, `gsp:…`, `rdflib`, or a function."""
        self._not_begun("a sink")
        if isinstance(target, str) and target.partition(":")[0] in ("file", "oxigraph"):
            kind, _, place = target.partition(":")
            if place not in ("", "-"):
                target = f"{kind}:{self.directory / place}"
        sink = target if isinstance(target, Sink) else open_sink(target, **options)
        self._sinks.append(SinkPart(sink, None if programs is None else frozenset(programs)))

    def check(self) -> None:
        """See that everything fits together, or say all that does not. Nothing is read from streams."""
        problems: list[LaserError] = []
        try:
            in_order(list(self._programs.values()), self._streams)
        except UsageError as error:
            problems.append(error)
        if not self._programs:
            problems.append(UsageError("there is no program to run: register one"))
        for part in self._programs.values():
            try:
                self._assembly.check(part)
            except LaserError as error:
                problems.append(error)
        for sink in self._sinks:
            for name in (sink.programs or frozenset()) - set(self._programs):
                problems.append(
                    UsageError(f"the sink `{sink.sink.target}` takes `{name}`, which is no program")
                )
        if problems:
            raise problems[0] if len(problems) == 1 else PipelineError(problems)

    def _not_begun(self, what: str) -> None:
        if self._has_begun:
            raise UsageError(f"{what} cannot be added while the pipeline runs")

    def _text(self, path: str | Path) -> str:
        from laser_rdf.lang.parser import decode

        try:
            return decode((self.directory / path).read_bytes(), str(path))
        except (OSError, ValueError) as problem:
            raise UsageError(
                f"cannot read `{path}`: {getattr(problem, 'strerror', None) or problem}"
            ) from None

    def _program(self, program: str | Path | Program) -> Program:
        if isinstance(program, Program):
            return program
        return Program.parse(self._text(program), str(program))
