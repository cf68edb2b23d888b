"""Text to syntax tree.

    "q(X) :- p(X) in [5]."   →   Program(rules=(Rule(…),))

Syntax errors do not stop the parser: it goes on behind the next dot that ends a statement, so that all of
them are reported together, in a ProgramError.
"""

from __future__ import annotations

import re
import threading
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from lark import Lark, UnexpectedCharacters, UnexpectedToken
from lark.exceptions import UnexpectedInput

from laser_rdf.errors import Diagnostic, ProgramError, Source, Span, UsageError
from laser_rdf.lang.advice import explain
from laser_rdf.lang.ast import Program
from laser_rdf.lang.builder import Builder

MAX_PROBLEMS = 50
MAX_PROGRAM = 64 * 1024 * 1024

# What a dot can hide in while the parser looks for the end of a broken statement.
_TO_STATEMENT_END = re.compile(
    r"""(?: %\*.*?\*% | /\*.*?\*/ | (?:%|//)[^\n]* | "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*' | <[^\s<>]*>
        | (?!\.(?:\s|\Z|%|//)). )* \.?""",
    re.DOTALL | re.VERBOSE,
)

_lock = threading.Lock()  # the builder inside the parser holds one program at a time


@cache
def grammar() -> Lark:
    """The parser made from `grammar.lark`, with the builder in it."""
    text = files("laser_rdf.lang").joinpath("grammar.lark").read_text("utf-8")
    return Lark(text, parser="lalr", transformer=_builder(), maybe_placeholders=False)


@cache
def _builder() -> Builder:
    return Builder()


def read(path: str | Path) -> Program:
    """The program in a UTF-8 file."""
    return parse(read_text(path), str(path))


def read_text(path: str | Path) -> str:
    """The text of a UTF-8 file; an error that says what to do if it cannot be had."""
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) and problem.strerror else str(problem)
        raise UsageError(f"cannot read `{path}`: {reason}") from None
    return decode(data, str(path))


def decode(data: bytes, name: str, line: int = 1) -> str:
    """UTF-8 bytes as text; a byte that is none is reported with its place. `line` is where they start."""
    try:
        return data.decode("utf-8-sig" if line == 1 else "utf-8")
    except UnicodeDecodeError as problem:
        before = data[: problem.start].decode("utf-8", "replace")
        span = _span_at(before, len(before))
        span = Span(span.line + line - 1, span.column, span.line + line - 1, span.column + 1)
        diagnostic = Diagnostic("S009", "a byte that is not UTF-8", span, "save the file as UTF-8")
        raise ProgramError(Source(name, before, line), (diagnostic,)) from None


def parse(text: str, name: str = "<program>") -> Program:
    """The program written in a text; ProgramError with all syntax problems if there are any."""
    source = Source(name, text)
    problems = _unusable(text)
    if problems:
        raise ProgramError(source, problems)
    with _lock:
        builder = _builder()
        builder.reset()
        _run(text, builder)
        if builder.problems:
            found = sorted(builder.problems, key=lambda d: (d.span.line, d.span.column, d.code))
            raise ProgramError(source, tuple(found))
        return Program(
            rules=tuple(builder.rules),
            prefixes=tuple(builder.prefixes.values()),
            base=builder.base_iri,
            shows=tuple(builder.shows),
            externals=tuple(builder.externals),
            constants=tuple(builder.constants.values()),
            source=source,
        )


def _unusable(text: str) -> tuple[Diagnostic, ...]:
    """Text no parser should see: too large, or with halves of characters."""
    if len(text) > MAX_PROGRAM:
        note = "split it into several programs that read each other's output"
        return (Diagnostic("S012", f"a program of over {MAX_PROGRAM >> 20} MB", Span(1, 1, 1, 1), note),)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as problem:
        span = _span_at(text, problem.start)
        return (Diagnostic("S009", "half a surrogate pair", span, "write the whole character"),)
    return ()


def _run(text: str, builder: Builder) -> None:
    """Parse everything, collecting problems in the builder."""
    interactive: Any = grammar().parse_interactive(text)
    while True:
        try:
            interactive.resume_parse()
            return
        except UnexpectedInput as problem:
            place = _place(problem, text)
            builder.problems.append(explain(problem, text, place, _span_at(text, place)))
            builder.drop_statement()
            resume = _statement_end(text, place)
            if resume >= len(text) or len(builder.problems) >= MAX_PROBLEMS:
                return
            _restart(interactive, text, resume)


def _place(problem: UnexpectedInput, text: str) -> int:
    """Where in the text the parser could not go on."""
    if isinstance(problem, UnexpectedCharacters):
        return problem.pos_in_stream or 0
    if isinstance(problem, UnexpectedToken) and problem.token.type != "$END":
        return problem.token.start_pos or 0
    return len(text.rstrip())


def _statement_end(text: str, place: int) -> int:
    found = _TO_STATEMENT_END.match(text, place)
    return found.end() if found else len(text)


def _restart(interactive: Any, text: str, position: int) -> None:
    """Put the parser into its first state, the lexer behind a statement."""
    state = interactive.parser_state
    state.state_stack[:] = [state.parse_conf.start_state]
    state.value_stack[:] = []
    span = _span_at(text, position)
    counter = interactive.lexer_thread.state.line_ctr
    counter.char_pos = position
    counter.line, counter.column = span.line, span.column
    counter.line_start_pos = position - span.column + 1


def _span_at(text: str, position: int) -> Span:
    line = text.count("\n", 0, position) + 1
    column = position - (text.rfind("\n", 0, position) + 1) + 1
    return Span(line, column, line, column + 1)


__all__ = ["decode", "grammar", "parse", "read", "read_text"]
