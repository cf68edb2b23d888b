"""What the command line reads from and writes to, when these are not as they should be.

A terminal that cannot show `⊞`, a disk that is full, a reader that went away: none of them is a traceback.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
from collections.abc import Iterator
from typing import IO, TYPE_CHECKING

from laser_rdf.errors import InputError, ProgramError, UsageError

if TYPE_CHECKING:
    from laser_rdf.lang.ast import Program

STANDARD_INPUT = "-"
MAX_LINE = 256 * 1024 * 1024


def read_program(path: str) -> Program:
    """The program in a file or, for `-`, on standard input."""
    from laser_rdf.lang.parser import decode, parse, read

    if path != STANDARD_INPUT:
        return read(path)
    with _opened(path) as file:
        return parse(decode(file.read(), path), path)


def read_lines(path: str) -> Iterator[str]:
    """The lines of a file or, for `-`, of standard input."""
    from laser_rdf.lang.parser import decode

    try:
        with _opened(path) as file:
            number = 0
            while data := file.readline(MAX_LINE + 1):
                number += 1
                if len(data) > MAX_LINE:
                    raise UsageError(f"`{path}` has a line of over {MAX_LINE >> 20} MB (line {number})")
                try:
                    yield decode(data, path, number)
                except ProgramError as error:
                    raise InputError(error.source, error.diagnostics[0]) from None
    except OSError as problem:
        raise UsageError(f"cannot read `{path}`: {problem.strerror or problem}") from None


def _opened(path: str) -> contextlib.AbstractContextManager[IO[bytes]]:
    """The bytes of a file or, for `-`, of standard input, which stays open: it belongs to the caller."""
    if path != STANDARD_INPUT:
        try:
            return open(path, "rb")
        except ValueError as problem:  # a zero byte in the name
            raise UsageError(f"cannot read `{path}`: {problem}") from None
    if sys.stdin is None:
        raise UsageError("there is no standard input to read from")
    return contextlib.nullcontext(sys.stdin.buffer)


def read_once(paths: list[str]) -> None:
    """Refuse to read standard input for two things: the second would find it empty."""
    if paths.count(STANDARD_INPUT) > 1:
        raise UsageError("`-` stands for standard input, which can be read only once")


def show_anything() -> None:
    """Let output that the terminal's encoding does not have be written as escapes."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def to_json(value: object, indent: int | None = None) -> str:
    r"""JSON that is safe to print: readable where the terminal can show it, escapes elsewhere.

    >>> print(to_json({"file": "a\x9bb"}))
    {"file": "a\u009bb"}
    """
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    text = json.dumps(value, ensure_ascii=not encoding.lower().startswith("utf"), indent=indent)
    return "\n".join(map(_escaped, text.split("\n")))


def _escaped(line: str) -> str:
    return (
        line if line.isprintable() else "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in line)
    )


def flush_output() -> None:
    """Write what is still in the buffer, so that a problem with it shows now and not when all is over."""
    if sys.stdout is not None:  # it is None when the caller closed it
        sys.stdout.flush()


def report_unwritable(problem: OSError) -> None:
    """Say that output could not be written; when its reader went away (`| head`), it has what it wanted."""
    if not isinstance(problem, BrokenPipeError):
        with contextlib.suppress(OSError):
            print(f"laser-rdf: cannot write: {problem.strerror or problem}", file=sys.stderr)
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            # What is still in the buffer would make the interpreter complain when it ends.
            with contextlib.suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
