r"""The text of literals and IRIs: from between the quotes to the characters meant, and back.

"a\tb"  ↔  a, tab, b
"""

from __future__ import annotations

import re

_ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)", re.DOTALL)
_SIMPLE = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f", '"': '"', "'": "'", "\\": "\\"}

# What must not reach a terminal as it is: control characters, line ends, and marks that turn the direction of
# writing, with which a text can pass for another one.
_HIDDEN = r"\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff"
_UNSAFE = re.compile(rf'["\\{_HIDDEN}]')
_UNSAFE_IN_IRI = re.compile(rf"[{_HIDDEN}]")
_WRITTEN = {"\t": r"\t", "\b": r"\b", "\n": r"\n", "\r": r"\r", "\f": r"\f", '"': r"\"", "\\": r"\\"}


class BadEscape(ValueError):
    """An escape sequence that means nothing; `offset` says where it stands."""

    def __init__(self, escape: str, offset: int) -> None:
        super().__init__(escape)
        self.escape = escape
        self.offset = offset


def unescape(text: str) -> str:
    r"""Turtle's escapes replaced by what they stand for.

    >>> unescape(r"a\u00e9\n")
    'aé\n'
    """
    if "\\" not in text:
        return text
    return _ESCAPE.sub(_meant, text)


def _meant(match: re.Match[str]) -> str:
    escape = match[1]
    if escape[0] in "uU" and len(escape) > 1:
        code = int(escape[1:], 16)
        if code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF:
            return chr(code)
    elif escape in _SIMPLE:
        return _SIMPLE[escape]
    raise BadEscape(match[0], match.start())


def quote(text: str) -> str:
    r"""A quoted string that reads back as the text and prints on one line.

    >>> print(quote('say "hi"'))
    "say \"hi\""
    """
    return '"' + _UNSAFE.sub(_written, text) + '"'


def angled(iri: str) -> str:
    r"""An IRI between `<` and `>` that reads back as the same IRI and prints on one line.

    >>> print(angled("http://example.org/\u202ea"))
    <http://example.org/\u202Ea>
    """
    return "<" + _UNSAFE_IN_IRI.sub(_code, iri) + ">"


def _code(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04X}"


def _written(match: re.Match[str]) -> str:
    return _WRITTEN.get(match[0]) or _code(match)


def content(token: str) -> tuple[str, int]:
    '''What stands between the quotes of a string token, and how long a quote is.

    >>> content('"""a"""')
    ('a', 3)
    '''
    width = 3 if token[:3] in ('"""', "'''") and len(token) >= 6 else 1
    return token[width:-width], width
