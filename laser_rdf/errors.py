"""Every error a user of laser-rdf can meet.

    LaserError                 the root: catch this to catch them all
    ├── ProgramError           a program is wrong; carries every diagnostic found in it
    ├── InputError             a stream or background file is wrong at a place
    ├── EvaluationError        a correct program ran into a limit while it was evaluated
    │   └── EntailmentError    too much follows, or what cannot be (see `laser_rdf.entail`)
    ├── SinkError              a file or store does not take results
    └── UsageError             the caller asked for something that is not there
        └── PipelineError      a pipeline is wrong; carries every problem found in it

No exception of lark or of another library leaves the package: it is turned into one of these at the
place where the library is called.
"""

from __future__ import annotations

import enum
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of source text; lines and columns count from 1, the end is exclusive.

    >>> print(Span(3, 5, 3, 8))
    3:5
    """

    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.line}:{self.column}"


NOWHERE = Span(1, 1, 1, 1)


class Severity(enum.Enum):
    """How much a diagnostic matters: an error stops the program, a warning does not."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Source:
    """A named text in which spans point; of a large input only the lines from `first_line` on are kept."""

    name: str
    text: str = field(repr=False)
    first_line: int = 1

    def line(self, number: int) -> str:
        """The text of one line, without its end; empty when there is no such line."""
        lines = self.text.split("\n")
        index = number - self.first_line
        return lines[index].rstrip("\r") if 0 <= index < len(lines) else ""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One problem at one place: a stable code, what is wrong, and what to do about it."""

    code: str
    message: str
    span: Span
    note: str
    severity: Severity = Severity.ERROR

    def render(self, source: Source) -> str:
        """The problem as a person reads it: place, message, source line with a caret, advice."""
        place = f"{escape_control(source.name)}:{self.span}"
        head = f"{place}: {self.severity.value}[{self.code}]: {escape_control(self.message)}"
        return "\n".join(
            [head, *_excerpt(source.line(self.span.line), self.span), f"  = {escape_control(self.note)}"]
        )

    def as_json(self, source: Source) -> dict[str, object]:
        """The same for machines."""
        return {
            "file": source.name,
            "line": self.span.line,
            "column": self.span.column,
            "severity": self.severity.value,
            "code": self.code,
            "message": self.message,
            "note": self.note,
        }


class LaserError(Exception):
    """The root of all errors of this package."""


class ProgramError(LaserError):
    """A program that cannot be run, with everything that is wrong with it."""

    def __init__(self, source: Source, diagnostics: tuple[Diagnostic, ...]) -> None:
        self.source = source
        self.diagnostics = diagnostics
        super().__init__("\n".join(d.render(source) for d in diagnostics))


class InputError(LaserError):
    """Something in an input file that cannot be read, with its place."""

    def __init__(self, source: Source, diagnostic: Diagnostic) -> None:
        self.source = source
        self.diagnostic = diagnostic
        super().__init__(diagnostic.render(source))


class EvaluationError(LaserError):
    """A limit was reached while a program ran; the message names the rule."""


class SinkError(LaserError):
    """A file or a store does not take results; one line that says what to change.

    `transient` says that the same may succeed later: nobody answered, or the store was busy.
    """

    def __init__(self, message: str, *, transient: bool = False) -> None:
        self.transient = transient
        super().__init__(message)


class UsageError(LaserError):
    """The caller asked for something that does not exist or does not fit together."""


class PipelineError(UsageError):
    """A pipeline that cannot run, with everything that is wrong with it."""

    def __init__(self, problems: Sequence[LaserError]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, problems)))


MAX_EXCERPT = 160


def _excerpt(line: str, span: Span) -> list[str]:
    """The source line and a caret line below it; long lines are cut around the place."""
    start = span.column - 1
    width = max(1, span.end_column - span.column) if span.end_line == span.line else max(1, len(line) - start)
    cut = max(0, start - MAX_EXCERPT // 2) if len(line) > MAX_EXCERPT else 0
    shown = line[cut : cut + MAX_EXCERPT]
    before, marked = shown[: start - cut], shown[start - cut : start - cut + width]
    left = ("…" if cut else "") + escape_control(before)
    right = "…" if cut + MAX_EXCERPT < len(line) else ""
    gutter = str(span.line)
    text = left + escape_control(shown[start - cut :])
    caret = " " * display_width(left) + "^" * max(1, display_width(escape_control(marked)))
    blank = " " * len(gutter)
    return [f" {blank} |", f" {gutter} | {text}{right}", f" {blank} | {caret}"]


def display_width(text: str) -> int:
    """How many terminal cells the text takes, so that carets stand under wide letters too.

    >>> display_width("温度")
    4
    """
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text
    )


def escape_control(text: str) -> str:
    r"""Text that is safe to print: control, format and unpaired surrogate characters become escapes.

    >>> print(escape_control("a\x1b[31mb\tc"))
    a\u001b[31mb c
    """
    if text.isprintable():
        return text
    return "".join(map(_escape_character, text))


def _escape_character(c: str) -> str:
    if c == "\t":
        return " "
    if c.isprintable():
        return c
    return f"\\u{ord(c):04x}" if ord(c) <= 0xFFFF else f"\\U{ord(c):08x}"
