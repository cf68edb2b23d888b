"""Building names, constants and variables: the leaves of the syntax tree.

`Terms` is the lowest of the three layers of the builder and holds what is collected on the way: the
program so far, and the problems that are not of the grammar.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from lark import Token, Transformer, v_args

from laser_rdf.errors import Diagnostic, Span
from laser_rdf.lang import ast
from laser_rdf.lang.names import PREDECLARED, local_iri, resolve
from laser_rdf.lang.text import BadEscape, content, unescape
from laser_rdf.values.terms import (
    IRI,
    LANG_STRING,
    LOCAL_BASE,
    XSD_BOOLEAN,
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_INTEGER,
    Literal,
    Term,
)

MAX_DIGITS = 18


@dataclass(slots=True)
class Name:
    """A name with the IRI it stands for; `word` is set when it was written bare."""

    iri: str
    word: str
    span: Span


@dataclass(slots=True)
class Part:
    """Something on its way up that is no node of its own: an optional part of a literal, a list."""

    value: Any
    span: Span


def span_between(first: Any, last: Any) -> Span:
    """The span from the start of one token or node to the end of another."""
    start, end = span_of(first), span_of(last)
    return Span(start.line, start.column, end.end_line, end.end_column)


def span_of(item: Any) -> Span:
    """Where a token or a node stands."""
    if isinstance(item, Token):
        return Span(item.line or 1, item.column or 1, item.end_line or 1, item.end_column or 1)
    return cast(Span, item.span)


@v_args(inline=True)
class Terms(Transformer[Token, Any]):
    """Names, constants, variables, and what the builder collects."""

    def __init__(self) -> None:
        super().__init__()
        self.reset()

    def reset(self) -> None:
        """Forget the program built so far."""
        self.rules: list[ast.Rule] = []
        self.prefixes: dict[str, ast.Prefix] = {}
        self.base_iri = LOCAL_BASE
        self.shows: list[ast.PredicateRef] = []
        self.externals: list[ast.PredicateRef] = []
        self.constants: dict[str, ast.Constant] = {}
        self.problems: list[Diagnostic] = []
        self._plain_names: set[str] = set()
        self.drop_statement()

    def drop_statement(self) -> None:
        """Forget what the current statement has said about itself."""
        self._words: Span | None = None
        self._symbols: Span | None = None
        self._blanks = 0

    def problem(self, code: str, message: str, span: Span, note: str) -> None:
        """Remember a problem and go on."""
        self.problems.append(Diagnostic(code, message, span, note))

    # --- terms -----------------------------------------------------------------------------------------

    def variable(self, token: Token) -> ast.Var:
        return ast.Var(str(token.lstrip("?")), span_of(token))

    def wildcard(self, token: Token) -> ast.Wildcard:
        return ast.Wildcard(span_of(token))

    def name_local(self, token: Token) -> Name:
        if token[0].isupper():
            self.problem(
                "S015",
                f"`{token}` starts with a capital letter beyond A–Z",
                span_of(token),
                f"write `?{token}` for a variable; a name starts with a small letter or has a prefix",
            )
        return Name(local_iri(token, self.base_iri), str(token), span_of(token))

    def name_prefixed(self, token: Token) -> Name:
        prefix, _, local = token.partition(":")
        declared = self.prefixes.get(prefix)
        namespace = declared.iri if declared else PREDECLARED.get(prefix)
        if namespace is None:
            self.problem(
                "S003",
                f"unknown prefix `{prefix}:`",
                span_of(token),
                f"declare it at the top of the program: `PREFIX {prefix}: <http://example.org/>`",
            )
            namespace = f"urn:laser:unknown:{prefix}:"
        return Name(namespace + local, "", span_of(token))

    def name_iri(self, token: Token) -> Name:
        return Name(self._iri(token), "", span_of(token))

    def name_constant(self, name: Name) -> ast.Const:
        if name.word:
            constant = self.constants.get(name.word)
            if constant is not None:
                return ast.Const(constant.term, name.span)
            self._plain_names.add(name.word)
        return ast.Const(IRI(name.iri), name.span)

    def number(self, token: Token) -> ast.Const:
        datatype = {"INTEGER": XSD_INTEGER, "DECIMAL": XSD_DECIMAL, "DOUBLE": XSD_DOUBLE}[token.type]
        return ast.Const(Literal(str(token), datatype), span_of(token))

    def signed_number(self, sign: Token, number: ast.Const) -> ast.Const:
        minus = negated(number.term) if sign.type == "MINUS" else None
        return ast.Const(minus or number.term, span_between(sign, number))

    def boolean(self, token: Token) -> ast.Const:
        return ast.Const(Literal(str(token), XSD_BOOLEAN), span_of(token))

    def string_plain(self, token: Token) -> ast.Const:
        return ast.Const(Literal(self._string(token)), span_of(token))

    def string_language(self, token: Token, tag: Token) -> ast.Const:
        # Language tags are compared without case, so one spelling is kept.
        literal = Literal(self._string(token), LANG_STRING, str(tag[1:]).lower())
        return ast.Const(literal, span_between(token, tag))

    def string_typed(self, token: Token, datatype: Name) -> ast.Const:
        return ast.Const(Literal(self._string(token), datatype.iri), span_between(token, datatype))

    def _string(self, token: Token) -> str:
        inner, width = content(token)
        try:
            return unescape(inner)
        except BadEscape as bad:
            self._bad_escape(token, bad, width)
            return ""

    def _iri(self, token: Token) -> str:
        try:
            reference = unescape(token[1:-1])
        except BadEscape as bad:
            self._bad_escape(token, bad, 1)
            return "urn:laser:error:"
        absolute = resolve(reference, self.base_iri)
        if absolute is None:
            self.problem(
                "S005",
                f"`{token}` is no IRI here",
                span_of(token),
                "write an absolute IRI, or set `BASE <http://example.org/>` before",
            )
            return "urn:laser:error:"
        return absolute

    def _bad_escape(self, token: Token, bad: BadEscape, width: int) -> None:
        span = span_of(token)
        if "\n" not in token:
            column = span.column + width + bad.offset
            span = Span(span.line, column, span.line, column + len(bad.escape))
        self.problem(
            "S005",
            f"`{bad.escape}` is no escape sequence",
            span,
            r"write a backslash as `\\`, a quote as `\"`",
        )

    def _integer(self, token: Token) -> int:
        return self._checked_integer(token, span_of(token))

    def _checked_integer(self, digits: str, span: Span) -> int:
        if len(digits) <= MAX_DIGITS:
            return int(digits)
        self.problem("S012", "a number too large for this place", span, f"use at most {MAX_DIGITS} digits")
        return 1


def negated(term: Term) -> Literal | None:
    """The constant for a minus sign before a number, None for anything else."""
    if (
        isinstance(term, Literal)
        and term.datatype in (XSD_INTEGER, XSD_DECIMAL, XSD_DOUBLE)
        and term.lexical[:1].isdecimal()
    ):
        return Literal("-" + term.lexical, term.datatype)
    return None
