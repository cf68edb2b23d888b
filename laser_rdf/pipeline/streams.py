"""A stream of a pipeline: where its elements come from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from laser_rdf.errors import UsageError
from laser_rdf.pipeline.waiting import STANDARD_INPUT, TURN, Control, Pipe, pipe_of, until_stopped
from laser_rdf.rdf import StreamReader, TimedGraph, from_python
from laser_rdf.rdf.reading import format_of_name, unknown_format
from laser_rdf.stream.event_time import Lateness, Reordering, reordered
from laser_rdf.values import Clock


@dataclass(frozen=True, slots=True)
class StreamPart:
    """A named stream; without a source its elements are pushed.

    `source` is a path, `-`, an open binary file, bytes, or an iterable of timed graphs or of (time, graph)
    pairs.
    """

    name: str
    source: Any = None
    format: str | None = None
    stamp: Sequence[str | Sequence[str]] | None = None
    zone: str = "Z"
    on_error: str = "fail"
    follow: bool = False
    lateness: Lateness | None = None
    """How far elements may be out of order; None if they must not be."""

    @property
    def is_pushed(self) -> bool:
        """Whether its elements are pushed, not read."""
        return self.source is None

    def check(self) -> None:
        """See that there is something to read."""
        source = self.source
        if isinstance(source, str | Path) and str(source) != STANDARD_INPUT and not Path(source).exists():
            raise UsageError(f"stream `{self.name}`: there is no file `{source}`")
        if isinstance(source, str | Path | bytes):
            self.reader(source, Clock(), Control())
        if self.format is None and isinstance(source, Path) and source.is_file():
            name = str(source)
            if format_of_name(name) is None:
                raise unknown_format(name)

    def reader(self, source: Any, clock: Clock, control: Control) -> StreamReader:
        """The reader of a source of bytes."""
        pipe = source if isinstance(source, Pipe) else None
        follow = self.follow
        if pipe is not None:
            pipe.patient = pipe.begins_as_gzip()
            follow = not pipe.patient
        return StreamReader(
            source,
            self.format,
            clock=clock,
            zone=self.zone,
            stamp=self.stamp,
            on_error=self.on_error,
            ordered=self.lateness is None,
            follow=follow,
            notice=control.notice,
            stop=control.waits if pipe is None else pipe.gives_up,
            poll=TURN if pipe is None else 0.0,
        )

    def elements(self, clock: Clock, control: Control) -> Iterator[TimedGraph]:
        """The elements in the order of time, as they are needed, until the run is stopped."""
        arriving = until_stopped(self._all(clock, control), control)
        if self.lateness is None:
            return arriving
        wait = Reordering(self.name, self.lateness)
        control.reorderings.append(wait)
        return reordered(arriving, wait)

    def _all(self, clock: Clock, control: Control) -> Iterator[TimedGraph]:
        source = self.source
        if source is None:
            return
        if not (isinstance(source, str | Path | bytes) or hasattr(source, "read")):
            yield from self._objects(clock)
            return
        pipe = pipe_of(source, control)
        reader = self.reader(pipe or source, clock, control)
        control.readers.append(reader)
        try:
            yield from reader
        finally:
            if pipe is not None:
                pipe.close()

    def _objects(self, clock: Clock) -> Iterator[TimedGraph]:
        """Timed graphs as they are, pairs made into such."""
        pairs = iter(self.source)
        for found in pairs:
            if isinstance(found, TimedGraph):
                yield found
            else:
                yield from from_python([found], clock=clock, zone=self.zone, name=self.name)
