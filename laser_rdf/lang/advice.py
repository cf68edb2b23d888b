"""What to say when the parser cannot go on: what stands there, and what to write instead.

p(X) :- X<-5.    →   S001 "`<-` inside a body", advice: write `X < -5`
"""

from __future__ import annotations

import re
from collections.abc import Callable

from lark import UnexpectedToken
from lark.exceptions import UnexpectedInput

from laser_rdf.errors import Diagnostic, Span
from laser_rdf.lang.names import RESERVED

_WORD = re.compile(r"\w+")
_PIECE = re.compile(r"\w+|&&|\|\||:[-=]|.", re.DOTALL)
_AGGREGATE = r"\b(?:count|sum|avg|min|max)\b"


def explain(problem: UnexpectedInput, text: str, place: int, span: Span) -> Diagnostic:
    """A diagnostic for the place where the parser stopped."""
    token = problem.token if isinstance(problem, UnexpectedToken) else None
    if place >= len(text.rstrip()) or (token is not None and token.type == "$END"):
        return Diagnostic(
            "S002", "the program ends in the middle of a rule", span, "every rule ends with a dot: `.`"
        )
    rest = text[place : place + 200]
    shown = str(token) if token is not None else _first_piece(rest)
    width = max(1, len(shown.split("\n")[0]))
    span = Span(span.line, span.column, span.line, span.column + width)
    expected: set[str] = set(getattr(problem, "accepts", None) or getattr(problem, "expected", None) or ())
    expected |= set(getattr(problem, "allowed", None) or ())
    for applies, message, note in _KNOWN:
        if applies(rest, text[:place], expected):
            return Diagnostic("S001", message.replace("{}", shown), span, note.replace("{}", shown))
    return Diagnostic("S001", f"`{shown}` does not fit here", span, _expectation(expected))


def _first_piece(rest: str) -> str:
    found = _PIECE.match(rest)
    assert found is not None  # there is always a character
    return found[0]


Test = Callable[[str, str, set[str]], bool]
"""Whether an advice applies: what stands at the place, what stands before it, which tokens fit there."""


def _starts(*beginnings: str) -> Test:
    return lambda rest, before, expected: rest.startswith(beginnings)


def _between(before_pattern: str, rest_pattern: str) -> Test:
    """What stands before the place ends in one pattern, what stands there starts with the other."""
    # Only the near past counts, so a long program does not make an error slow.
    end, start = re.compile(rf"(?:{before_pattern})\Z"), re.compile(rest_pattern)
    return lambda rest, before, expected: bool(start.match(rest) and end.search(before[-200:]))


def _is_value_now(rest: str, before: str, expected: set[str]) -> bool:
    """`now` where a value must stand, or at the start of a condition; `now(X)` is meant as a predicate."""
    if not re.match(r"now\b(?!\s*\()", rest) or "VARIABLE" not in expected:
        return False
    return "_NOT" not in expected or bool(re.match(r"now\s*(?:[-+*/<>=!≤≥≠]|mod\b)", rest))


_KNOWN: tuple[tuple[Test, str, str], ...] = (
    (
        _between(r"(?:\A|[.>\n])\s*", r"(?:PREFIX|BASE)\s"),
        "`{}` wants an IRI between `<` and `>`",
        "write `PREFIX ex: <http://example.org/>`, `BASE <http://example.org/>`",
    ),
    (
        _between(r"(?:\A|[.>\n])\s*(?:@prefix|@base|prefix|base)\s+", r"\S"),
        "a prefix or base wants an IRI between `<` and `>`",
        "write `PREFIX ex: <http://example.org/>`, `BASE <http://example.org/>`",
    ),
    (
        _is_value_now,
        "`now` is no value",
        "say with a window how long ago: `p(X) in [5 s]`; an atom without operators is about now",
    ),
    (
        _between(_AGGREGATE + r"\s*", r"\{|distinct\b"),
        "an aggregate that is not right of `:=`",
        "aggregates need `:=`: write `N := count { X : p(X) }` and compare `N` then",
    ),
    (_between("=", "="), "`==` is no comparison", "write `=`"),
    (_between("=", r"<(?![A-Za-z][A-Za-z0-9+.-]*:|[#/>])"), "`=<` is no comparison", "write `<=`"),
    (
        lambda rest, before, expected: rest.startswith("<>") and "COMPARE" in expected,
        "`<>` is no comparison",
        "write `!=`",
    ),
    (_starts("!"), "`!` does not fit here", "negation is written `not p(X)`, the comparison `!=`"),
    (
        _starts("#"),
        "`#` does not start a comment or a known directive",
        "comments start with `%`; directives are `#show`, `#const` and `#external`",
    ),
    (
        lambda rest, before, expected: rest.startswith("<-") and "_IF" not in expected,
        "`<-` inside a body",
        "to compare with a negative number, put a blank between: write `X < -5`",
    ),
    (
        lambda rest, before, expected: bool(re.match(r"<[A-Za-z#/>]", rest)) and "COMPARE" in expected,
        "`<` directly before a name opens an IRI",
        "to compare, put a blank behind it: write `X < ex:a`",
    ),
    (
        _starts("<"),
        "an IRI that is not closed or has a character no IRI has",
        "an IRI is written `<http://…>`",
    ),
    (
        _starts('"', "'"),
        "a string that is not closed",
        'close it on the same line, or use `"""` for long text',
    ),
    (_starts("/*", "%*"), "a comment that is not closed", "close it with `*/` or `*%`"),
    (
        lambda rest, before, expected: bool(re.match(r"_\w", rest)),
        "`{}`: a name cannot start with `_`",
        "`_` alone is the anonymous variable; a blank node is `_:b`, inside a block",
    ),
    (
        lambda rest, before, expected: "UNIT" in expected and bool(re.match(r"[^\W\d_]", rest)),
        "`{}` is no unit of time",
        "units are ms, s, min, h and d, as in `[5 min]`",
    ),
    (
        lambda rest, before, expected: bool(_WORD.match(rest)) and _first_piece(rest) in RESERVED,
        "`{}` is a reserved word and cannot stand here",
        "a predicate of that name is written as a full IRI: `<urn:laser:local:{}>`",
    ),
    (
        lambda rest, before, expected: (
            rest[0].isupper() and "NAME" in expected and "VARIABLE" not in expected
        ),
        "`{}` starts with a capital letter, so it is a variable",
        "a predicate starts with a small letter, or is written with a prefix, as `ex:Fire(X)`",
    ),
    (
        lambda rest, before, expected: rest.startswith("(") and bool(re.search(r"\b[A-Z]\w*\s*\Z", before)),
        "a variable cannot be a predicate",
        "a predicate starts with a small letter, or is written with a prefix, as `ex:Fire(X)`",
    ),
    (
        _between(_AGGREGATE + r"(?:\s+distinct)?\s*\{[^{}:]*", ":"),
        "the colon of an aggregate has blanks around it",
        "write `count { X : p(X) }`",
    ),
    (
        lambda rest, before, expected: bool(
            re.match(r":[^-=\s]", rest)
            or (re.match(r":(?![-=])", rest) and re.search(r"[\w-]\Z", before[-1:]))
        ),
        "a prefix with no name behind its colon",
        "write `ex:name`; the namespace alone is written as a full IRI: `<http://example.org/>`",
    ),
    (
        lambda rest, before, expected: (
            rest.startswith("(") and not {"LPAR", "_NOT"} & expected and "STRING" in expected
        ),
        "a list in a block",
        "there are no lists: write their triples, with `rdf:first` and `rdf:rest`",
    ),
    (_starts("$"), "variables are written `?x` or `X`", "replace `$` by `?`"),
    (
        _between(r"\s|\)", r"\||or\b"),
        "`{}` does not fit here",
        "write two rules with the same head: one for each alternative",
    ),
    (
        _between("", r"[&;]|and\b"),
        "`{}` does not fit here",
        "the literals of a body are separated by commas",
    ),
)

_READABLE = {
    "DOT": "`.`",
    "COMMA": "`,`",
    "RPAR": "`)`",
    "LPAR": "`(`",
    "RSQB": "`]`",
    "LSQB": "`[`",
    "RBRACE": "`}`",
    "LBRACE": "`{`",
    "_IF": "`:-`",
    "_COLON": "` : `",
    "VARIABLE": "a variable",
    "NAME": "a name",
    "PREFIXED": "a prefixed name",
    "IRI": "an IRI",
    "COMPARE": "a comparison",
    "_ASSIGN": "`:=`",
    "INTEGER": "a number",
    "STRING": "a string",
    "UNIT": "a unit of time",
    "_IN": "`in`",
    "_AT_WORD": "`at`",
    "_NOT": "`not`",
}


def _expectation(expected: set[str]) -> str:
    """The main things that could stand at the place, in words."""
    known = [text for name, text in _READABLE.items() if name in expected]
    if not known:
        return "see the language page of the documentation"
    return "expected here: " + ", ".join(known[:8]) + (", …" if len(known) > 8 else "")


__all__ = ["explain"]
