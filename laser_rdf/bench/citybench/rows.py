r"""Lines of a CSV file → rows with their places; what is wrong with one names file, line and column.

    hum,tempm,wspdm,TIMESTAMP
    56,18,7.4,2014-08-01T00:00:00   →   Row(number=0, line=2, cells=("56", "18", "7.4", …))

A file is UTF-8, with or without a byte order mark; lines end in \n or \r\n. A cell may be quoted, but does
not go on in the next line.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from laser_rdf.errors import InputError, UsageError, escape_control
from laser_rdf.rdf.problems import Piece

MAX_LINE = 1 << 16
_BOM = b"\xef\xbb\xbf"
_OTHER_ENCODINGS = (b"\xff\xfe", b"\xfe\xff")


class BadCell(Exception):
    """What is wrong with a row, and in which column; it becomes an InputError where the place is known."""

    def __init__(self, column: str, message: str, note: str) -> None:
        self.column, self.message, self.note = column, message, note
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a file; `number` counts the rows below the header from 0, `line` the lines from 1."""

    number: int
    line: int
    text: str
    cells: tuple[str, ...]

    def error(self, path: Path, problem: BadCell, columns: Sequence[str]) -> InputError:
        """The problem with its place.

        >>> row = Row(0, 2, "56,warm", ("56", "warm"))
        >>> print(row.error(Path("w.stream"), BadCell("tempm", "no number", "write one"), ["hum", "tempm"]))
        w.stream:2:4: error[I101]: column `tempm`: no number
           |
         2 | 56,warm
           |    ^^^^
          = write one
        """
        width, start = max(1, len(self.text)), 1
        if problem.column in columns and len(self.cells) == len(columns) and '"' not in self.text:
            at = columns.index(problem.column)
            start += sum(len(cell) + 1 for cell in self.cells[:at])
            width = max(1, len(self.cells[at]))
        where = f"column `{escape_control(problem.column)}`: " if problem.column else ""
        piece = Piece(str(path), self.text.encode("utf-8", "replace"), self.line)
        return piece.error("I101", where + problem.message, problem.note, column=start, width=width)


def lines_of(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines of a file from 1, without their ends; what is no text at all is an InputError."""
    try:
        file = path.open("rb")
    except OSError as problem:
        raise UsageError(
            f"cannot read `{escape_control(str(path))}`: {problem.strerror or problem}"
        ) from None
    with file:
        number = 0
        while True:
            try:
                line = file.readline(MAX_LINE + 1)
            except OSError as problem:
                raise Piece(str(path), b"", number + 1).error(
                    "I106", f"cannot read on: {problem.strerror or problem}", "see that the disk is there"
                ) from None
            if not line:
                break
            number += 1
            if number == 1:
                if line.startswith(_OTHER_ENCODINGS):
                    raise Piece(str(path), b"").error("I106", "this is UTF-16", "save the file as UTF-8")
                line = line.removeprefix(_BOM)
            if len(line) > MAX_LINE:
                raise Piece(str(path), line[:100], number).error(
                    "I107", f"a line of more than {MAX_LINE} bytes", "one row is one line"
                )
            yield number, line.rstrip(b"\r\n")
        if number == 0:
            raise Piece(str(path), b"").error("I101", "the file is empty", "there is no row in it")


def header_of(path: Path) -> str:
    """The first line."""
    number, line = next(lines_of(path))
    return _decoded(path, number, line)


def columns_of(path: Path) -> tuple[str, ...]:
    """The names in the first line."""
    header = header_of(path)
    try:
        return tuple(name.strip() for name in cells_of(header))
    except BadCell as problem:
        raise Row(-1, 1, header, ()).error(path, problem, ()) from None


def places_of(path: Path, columns: Sequence[str], needed: Sequence[str]) -> list[int]:
    """Where the columns that are needed stand; an InputError names the first that is missing."""
    for name in needed:
        if name not in columns:
            raise Row(-1, 1, ",".join(columns), ()).error(
                path, BadCell(name, "it is missing", f"the columns are {', '.join(needed)}"), ()
            )
    return [columns.index(name) for name in needed]


def cells_of(text: str) -> list[str]:
    """The cells of a line.

    >>> cells_of('1,"a, b",3')
    ['1', 'a, b', '3']
    """
    if '"' not in text:
        return text.split(",")
    try:
        return next(csv.reader([text], strict=True), [])
    except csv.Error as problem:
        raise BadCell("", f"no CSV: {problem}", "close the quotation marks in the same line") from None


def _decoded(path: Path, number: int, line: bytes) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as problem:
        raise Piece(str(path), line, number).error(
            "I106", "this is not UTF-8", "save the file as UTF-8", column=problem.start + 1
        ) from None


def decoded_lines(path: Path) -> Iterator[tuple[int, str | InputError]]:
    """The lines as texts; in the place of one that is no text stands what is wrong with it."""
    for number, line in lines_of(path):
        try:
            yield number, _decoded(path, number, line)
        except InputError as problem:
            yield number, problem
