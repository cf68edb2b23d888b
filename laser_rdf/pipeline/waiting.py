"""Waiting for input without being deaf: a stop is noticed, and results that lie ready are written meanwhile.

A regular file never makes anybody wait. A pipe, a terminal and a growing file do: they are looked at in short
turns, and between two turns the control of the run is asked.
"""

from __future__ import annotations

import io
import os
import select
import stat
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from laser_rdf.errors import InputError, UsageError
from laser_rdf.rdf import StreamReader, TimedGraph
from laser_rdf.stream.event_time import Reordering

STANDARD_INPUT = "-"
TURN = 0.2
"""Seconds that a turn lasts, when nothing comes."""

_GZIP_MAGIC = b"\x1f\x8b"


def _nothing() -> None:
    pass


@dataclass(slots=True)
class Control:
    """Whether a run is to end, and what is done while it waits.

    >>> control = Control()
    >>> control.stopped = True
    >>> list(until_stopped([TimedGraph(1)], control))
    []
    """

    stopped: bool = False
    idle: Callable[[], None] = _nothing
    notice: Callable[[str], None] = lambda text: None
    failed: OSError | None = None
    readers: list[StreamReader] = field(default_factory=list)
    reorderings: list[Reordering] = field(default_factory=list)

    def waits(self) -> bool:
        """Called when nothing has come for a turn; whether to give up waiting."""
        try:
            self.idle()
        except OSError as problem:  # of writing; whoever reads would take it for its own
            self.failed = problem
            self.stopped = True
        return self.stopped

    def ends(self) -> bool:
        """Whether the run was stopped, by now."""
        return self.stopped

    @property
    def skipped(self) -> int:
        """How many elements were wrong and left out."""
        return sum(reader.skipped for reader in self.readers)


def until_stopped(elements: Any, control: Control) -> Iterator[TimedGraph]:
    """The elements, up to the one after which the run was stopped.

    What a stop cuts in two is no element, and no error either.
    """
    if control.stopped:
        return
    try:
        for element in elements:
            yield element
            if control.ends():
                return
    except InputError:
        if not control.ends():
            raise


class Pipe(io.RawIOBase):
    """A pipe or a terminal that is read in turns; nothing in a turn reads as an empty chunk."""

    def __init__(self, descriptor: int, name: str, control: Control, *, owned: bool = False) -> None:
        self.name = name
        self.ended = False
        self.patient = False
        self._descriptor = descriptor
        self._control = control
        self._owned = owned
        self._head = b""
        self._poll = select.poll()
        self._poll.register(descriptor, select.POLLIN)

    def readable(self) -> bool:
        """It is."""
        return True

    def begins_as_gzip(self) -> bool:
        """Whether what comes is compressed; waits until that can be seen."""
        while len(self._head) < len(_GZIP_MAGIC) and not self.gives_up():
            self._head += self._turn(len(_GZIP_MAGIC))
        return self._head.startswith(_GZIP_MAGIC)

    def read(self, size: int = -1) -> bytes:
        """What is there, as with `read1`."""
        return self.read1(size)

    def read1(self, size: int = -1) -> bytes:
        """What has come, empty if nothing did in this turn; if it is patient, only at the end."""
        if self._head:
            found, self._head = self._head, b""
            return found
        wanted = size if size > 0 else io.DEFAULT_BUFFER_SIZE
        found = self._turn(wanted)
        while self.patient and not found and not self.gives_up():
            found = self._turn(wanted)
        return found

    def gives_up(self) -> bool:
        """Whether nothing will come any more."""
        return self.ended or self._control.waits()

    def close(self) -> None:
        """Close it if it was opened here."""
        if self._owned and not self.closed:
            os.close(self._descriptor)
        super().close()

    def _turn(self, size: int) -> bytes:
        if not self._poll.poll(0 if self._control.stopped else TURN * 1000):
            return b""
        found = os.read(self._descriptor, size)
        self.ended = not found
        return found


def pipe_of(source: object, control: Control) -> Pipe | None:
    """The pipe that a source is, if it is one: standard input, or a path of a named pipe."""
    if not hasattr(select, "poll"):
        return None
    if source == STANDARD_INPUT:
        try:
            return Pipe(sys.stdin.buffer.fileno(), "<stdin>", control)
        except (AttributeError, OSError, ValueError):  # none, or one that Python code has put in its place
            return None
    if isinstance(source, str | Path):
        try:
            if stat.S_ISFIFO(os.stat(source).st_mode):
                # Who opens a named pipe waits for its writer, unless asked not to.
                descriptor = os.open(source, os.O_RDONLY | os.O_NONBLOCK)
                return Pipe(descriptor, str(source), control, owned=True)
        except OSError as problem:
            raise UsageError(f"cannot read `{source}`: {problem.strerror or problem}") from None
        except ValueError:
            return None
    return None
