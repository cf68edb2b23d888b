"""What is wrong with an element, where, and what happens then: stop, go on, or keep the bytes and go on.

| code | problem |
|---|---|
| I101 | text that does not fit the format |
| I102 | an element without a time stamp |
| I103 | an element with two time stamps |
| I104 | a time stamp that is neither a dateTime nor a whole number |
| I105 | time goes back |
| I106 | a source that cannot be read to its end |
| I107 | an element or a line that is too long, or nested too deeply |
| I108 | a remote context |
| I110 | an element later than the lateness of its stream |
| I111 | an element too far in the future of all before it |
| I109 | an element from which more follows than the limit allows, or what cannot be |
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from laser_rdf.errors import Diagnostic, InputError, Source, Span, UsageError

_QUARANTINE = "quarantine:"
_PLACE = re.compile(r"^(?:Parser error )?at line \d+ (?:column \d+|between columns \d+ and \d+)[^:]*: ")
_MAX_SHOWN = 4096


class Located(Protocol):
    """Something of a source whose bytes can be had when they matter."""

    @property
    def source(self) -> str:
        """The name of the source."""

    @property
    def line(self) -> int:
        """The line at which it starts."""

    def located(self) -> Piece:
        """Its bytes and place."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of bytes of a source, with the place at which it starts."""

    source: str
    data: bytes
    line: int = 1
    column: int = 1

    def located(self) -> Piece:
        """Itself: a piece knows its place."""
        return self

    def error(
        self, code: str, message: str, note: str, line: int = 1, column: int = 1, width: int = 1
    ) -> InputError:
        """The error at a line and column of this piece, both from 1.

        >>> print(Piece("log.trig", b"<a> <b>", line=7).error("I101", "no end", "end it", column=5))
        log.trig:7:5: error[I101]: no end
           |
         7 | <a> <b>
           |     ^
          = end it
        """
        shift = self.column - 1 if line == 1 else 0
        place, text = column + shift, b""
        for number, found in enumerate(self.data.split(b"\n", line)[:line], 1):
            text = found if number == line else b""
        # Of a very long line only the part around the place is worth keeping.
        start = max(0, column - _MAX_SHOWN) if len(text) > 4 * _MAX_SHOWN else 0
        shown = text[start : start + 2 * _MAX_SHOWN].decode("utf-8", "replace")
        absolute = self.line + line - 1
        source = Source(self.source, " " * (shift + start) + shown, first_line=absolute)
        return InputError(
            source, Diagnostic(code, message, Span(absolute, place, absolute, place + width), note)
        )

    def syntax_error(self, problem: SyntaxError, header_lines: int = 0) -> InputError:
        """What pyoxigraph says about the piece, which it saw after some lines of header."""
        line = max(1, (problem.lineno or 1) - header_lines)
        column = max(1, problem.offset or 1)
        end = problem.end_offset if problem.end_lineno == problem.lineno else None
        message = _PLACE.sub("", str(problem.msg)).strip()
        if "LoadDocumentCallback" in message:
            return self.error(
                "I108", "a remote context", "write the context into the document: none is fetched"
            )
        width = max(1, (end or column) - column)
        return self.error("I101", message, "correct the text at the mark", line, column, width)


class Policy:
    """What to do with an element that is wrong: `fail`, `skip` or `quarantine:DIR`.

    >>> policy = Policy("skip")
    >>> policy.report(Piece("x", b"").error("I101", "bad", "mend it"), [])
    >>> policy.skipped, policy.last.diagnostic.code
    (1, 'I101')
    """

    def __init__(self, on_error: str = "fail", notice: Callable[[str], None] | None = None) -> None:
        """`notice` is told of every element that is left out."""
        self._notice = notice
        self.directory: Path | None = None
        self.skipped = 0
        self.last: InputError | None = None
        if on_error.startswith(_QUARANTINE) and len(on_error) > len(_QUARANTINE):
            self.directory = Path(on_error.removeprefix(_QUARANTINE))
        elif on_error not in ("fail", "skip"):
            raise UsageError(
                f"`{on_error}` is no way to treat errors: use `fail`, `skip` or `quarantine:DIR`"
            )
        self.fails = on_error == "fail"

    def report(self, error: InputError, pieces: Sequence[Located]) -> None:
        """Raise the error, or count it and keep the bytes."""
        if self.fails:
            raise error
        self.skipped += 1
        self.last = error
        if self._notice is not None:
            found = error.diagnostic
            self._notice(f"left out: {found.message} ({error.source.name}:{found.span}); {found.note}")
        if self.directory is not None:
            self._keep(error, b"".join(piece.located().data for piece in pieces))

    def _keep(self, error: InputError, data: bytes) -> None:
        """Write the bytes and the error beside each other; names are counted, never taken from data."""
        assert self.directory is not None
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            number = self.skipped
            while (path := self.directory / f"{number:08d}.bin").exists():
                number += 1
            path.write_bytes(data)
            path.with_suffix(".txt").write_text(f"{error}\n", encoding="utf-8", errors="backslashreplace")
        except OSError as problem:
            reason = problem.strerror or problem
            raise UsageError(f"cannot quarantine into `{self.directory}`: {reason}") from None
