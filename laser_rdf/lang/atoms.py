"""Atom files: the plain streams and backgrounds of `laser-rdf eval`.

    36: a(x1, y)                 →   (36, [(a, (x1, y))])
    38: a(x2, y), b(y, "z")      →   (38, [(a, (x2, y)), (b, (y, "z"))])
    39:                          →   (39, [])

The tokens are those of the rule language: their patterns are taken from `grammar.lark`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import NoReturn

from laser_rdf.errors import Diagnostic, InputError, Source, Span
from laser_rdf.lang.names import PREDECLARED, RESERVED, local_iri, resolve
from laser_rdf.lang.parser import grammar
from laser_rdf.lang.text import BadEscape, content, unescape
from laser_rdf.values import terms
from laser_rdf.values.terms import IRI, BlankNode, Literal, Term

RawAtom = tuple[str, tuple[Term, ...]]
"""A predicate's IRI and its arguments."""

MAX_TIME_DIGITS = 18

# In the order in which they are tried at a place.
_TOKENS = (
    "LINE_COMMENT",
    "IRI",
    "PREFIXED",
    "BLANK_LABEL",
    "DOUBLE",
    "DECIMAL",
    "INTEGER",
    "STRING",
    "LANGUAGE",
    "TRUE",
    "FALSE",
    "NAME",
)
_NUMBERS = {"INTEGER": terms.XSD_INTEGER, "DECIMAL": terms.XSD_DECIMAL, "DOUBLE": terms.XSD_DOUBLE}
_PREFIX_LINE = re.compile(r"\s*(?:@?prefix|PREFIX)\s+([\w-]*):\s*<([^<>\s]*)>\s*\.?\s*(?:%.*)?\Z")
_TIME = re.compile(r"\s*([0-9]+)\s*:")
_BLANK_LINE = re.compile(r"\s*(?:%.*|//.*)?\Z", re.DOTALL)


@cache
def _scanner() -> re.Pattern[str]:
    patterns = {t.name: t.pattern.to_regexp() for t in grammar().terminals}
    named = "|".join(f"(?P<{name}>{patterns[name]})" for name in _TOKENS)
    return re.compile(rf"\s*(?:{named}|(?P<MARK>\^\^|[(),.-])|(?P<END>\Z))")


class AtomReader:
    """Reads the lines of one file, with the prefixes of a program and those the file declares itself."""

    def __init__(
        self, name: str, prefixes: Mapping[str, str] | None = None, base: str = terms.LOCAL_BASE
    ) -> None:
        self.name = name
        self.prefixes = {**PREDECLARED, **(prefixes or {})}
        self.base = base

    def stream(self, lines: Iterable[str]) -> Iterator[tuple[int, list[RawAtom]]]:
        """The time points of a stream file, in order, each with its atoms."""
        last = -1
        for number, line in self._content_lines(lines):
            found = _TIME.match(line)
            if found is None:
                self._fail(number, line, 0, "I001", "a line without a time point", "write `36: p(a), q(b)`")
            time = int(found[1]) if len(found[1]) <= MAX_TIME_DIGITS else None
            if time is None:
                self._fail(
                    number, line, found.start(1), "I002", "a time point too large", "use at most 18 digits"
                )
            if time < last:
                self._fail(
                    number,
                    line,
                    found.start(1),
                    "I003",
                    f"time goes backwards: {time} after {last}",
                    "sort the file by time",
                )
            last = time
            yield time, _Line(self, number, line, found.end()).atoms()

    def background(self, lines: Iterable[str]) -> Iterator[RawAtom]:
        """The atoms of a background file, one or more a line."""
        for number, line in self._content_lines(lines):
            yield from _Line(self, number, line, 0).atoms()

    def atom(self, text: str) -> RawAtom:
        """A single atom."""
        atoms = _Line(self, 1, text, 0).atoms()
        if len(atoms) != 1:
            self._fail(1, text, 0, "I004", "one atom is wanted here", "write it as `p(a, b)`")
        return atoms[0]

    def _content_lines(self, lines: Iterable[str]) -> Iterator[tuple[int, str]]:
        for number, ended in enumerate(lines, 1):
            line = ended.rstrip("\r\n")
            if _BLANK_LINE.match(line):
                continue
            prefix = _PREFIX_LINE.match(line)
            if prefix is None:
                yield number, line
            else:
                self.prefixes[prefix[1]] = self._namespace(number, line, prefix)

    def _namespace(self, number: int, line: str, prefix: re.Match[str]) -> str:
        try:
            iri = resolve(unescape(prefix[2]), self.base)
        except BadEscape:
            iri = None
        if iri is None:
            self._fail(
                number,
                line,
                prefix.start(2) - 1,
                "I005",
                f"`<{prefix[2]}>` is no absolute IRI",
                "write it as `<http://…>`",
            )
        return iri

    def _fail(self, number: int, line: str, place: int, code: str, message: str, note: str) -> NoReturn:
        piece = re.compile(r"\w+|.|\Z", re.DOTALL).match(line, place)
        width = max(1, len(piece[0])) if piece else 1
        span = Span(number, place + 1, number, place + 1 + width)
        raise InputError(Source(self.name, line, number), Diagnostic(code, message, span, note))


class _Line:
    """The tokens of one line, read from left to right."""

    def __init__(self, reader: AtomReader, number: int, line: str, place: int) -> None:
        self.reader = reader
        self.number = number
        self.line = line
        self.place = place
        self.start = place
        self.kind = ""
        self.text = ""
        self.advance()

    def advance(self) -> None:
        """Move to the next token."""
        found = _scanner().match(self.line, self.place)
        if found is None or found.lastgroup is None:
            blanks = len(self.line[self.place :]) - len(self.line[self.place :].lstrip())
            self.start = self.place + blanks
            self._unreadable()
        self.kind, self.text = found.lastgroup, found[found.lastgroup]
        self.start, self.place = found.start(found.lastgroup), found.end()
        if self.kind == "LINE_COMMENT":
            self.kind, self.text = "END", ""

    def atoms(self) -> list[RawAtom]:
        """All atoms up to the end of the line."""
        atoms: list[RawAtom] = []
        while self.kind != "END":
            atoms.append(self._atom())
            if self.text == "," and self.kind == "MARK":
                self.advance()
                if self.kind == "END":
                    self._expected("an atom")
            elif self.text == "." and self.kind == "MARK":
                self.advance()
                break
            elif self.kind != "END":
                self._expected("`,` or the end of the line")
        if self.kind != "END":
            self._expected("the end of the line")
        return atoms

    def _atom(self) -> RawAtom:
        if self.kind not in ("NAME", "PREFIXED", "IRI"):
            self._expected("a predicate")
        predicate = self._name()
        args: list[Term] = []
        if self.text == "(" and self.kind == "MARK":
            self.advance()
            while not (self.kind == "MARK" and self.text == ")"):
                args.append(self._term())
                if self.kind == "MARK" and self.text == ",":
                    self.advance()
                elif not (self.kind == "MARK" and self.text == ")"):
                    self._expected("`,` or `)`")
            self.advance()
        return predicate, tuple(args)

    def _term(self) -> Term:
        sign = self.kind == "MARK" and self.text == "-"
        if sign:
            self.advance()
        if self.kind in _NUMBERS:
            literal = Literal(("-" if sign else "") + self.text, _NUMBERS[self.kind])
            self.advance()
            return literal
        if sign:
            self._expected("a number")
        if self.kind in ("TRUE", "FALSE"):
            word = self.text
            self.advance()
            return Literal(word, terms.XSD_BOOLEAN)
        if self.kind == "STRING":
            return self._string()
        if self.kind == "BLANK_LABEL":
            label = self.text[2:]
            self.advance()
            return BlankNode(label)
        if self.kind in ("NAME", "PREFIXED", "IRI"):
            return IRI(self._name())
        self._expected("a constant")

    def _string(self) -> Literal:
        inner, width = content(self.text)
        try:
            text = unescape(inner)
        except BadEscape as bad:
            self.start += width + bad.offset
            self._fail("I005", f"`{bad.escape}` is no escape sequence", r"write a backslash as `\\`")
        self.advance()
        if self.kind == "LANGUAGE":
            tag = self.text[1:].lower()
            self.advance()
            return Literal(text, terms.LANG_STRING, tag)
        if self.kind == "MARK" and self.text == "^^":
            self.advance()
            if self.kind not in ("NAME", "PREFIXED", "IRI"):
                self._expected("a datatype")
            return Literal(text, self._name())
        return Literal(text)

    def _name(self) -> str:
        kind, text = self.kind, self.text
        if kind == "NAME":
            if text[0].isupper():
                self._expected("a constant")
            iri: str | None = local_iri(text, self.reader.base)
        elif kind == "PREFIXED":
            prefix, _, local = text.partition(":")
            namespace = self.reader.prefixes.get(prefix)
            if namespace is None:
                self._fail(
                    "I006",
                    f"unknown prefix `{prefix}:`",
                    f"declare it in the program or here: `PREFIX {prefix}: <…>`",
                )
            iri = namespace + local
        else:
            try:
                iri = resolve(unescape(text[1:-1]), self.reader.base)
            except BadEscape:
                iri = None
        if iri is None:
            self._fail("I005", f"`{text}` is no absolute IRI", "write it as `<http://…>`")
        self.advance()
        return iri

    def _unreadable(self) -> NoReturn:
        rest = self.line[self.start :]
        if rest[:1] in ("?", "_") or rest[:1].isupper():
            self._fail(
                "I007",
                "a variable in an atom file",
                "atoms here are without variables; names start with a small letter",
            )
        if rest[:1] in ('"', "'"):
            self._fail("I005", "a string that is not closed", "close it on the same line")
        word = re.match(r"\w+", rest)
        if word and word[0] in RESERVED:
            self._fail(
                "I004",
                f"`{word[0]}` is a reserved word",
                f"write it as a full IRI: `<{terms.LOCAL_BASE}{word[0]}>`",
            )
        self._fail("I004", f"`{rest[:1]}` does not fit here", 'an atom is written `p(a, 5, "text")`')

    def _expected(self, what: str) -> NoReturn:
        shown = f"`{self.text}`" if self.kind != "END" else "the end of the line"
        self._fail(
            "I004",
            f"{shown} where {what} is expected",
            "atoms are written `p(a, 5)`, with commas between them",
        )

    def _fail(self, code: str, message: str, note: str) -> NoReturn:
        self.reader._fail(self.number, self.line, self.start, code, message, note)


__all__ = ["AtomReader", "RawAtom"]
