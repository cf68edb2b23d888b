"""Built-in functions of strings and of what terms are made of.

A string is an `xsd:string` or has a language; where a function takes two, their languages must be compatible
as SPARQL says: the second has none, or the same as the first. Anything else has no value.

`regex` is in the dialect of RE2, which needs time linear in the text whatever the pattern is; XPath's
dialect would need backtracking. There are no back references and no look-around in it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from laser_rdf.values.native import FALSE, TRUE
from laser_rdf.values.numbers import INTEGER, NoValue, Number, number_literal
from laser_rdf.values.terms import IRI, XSD_STRING, Literal, Term

MAX_TEXT = 10_000_000  # characters: a rule that doubles a string must not fill the memory
MAX_PATTERN = 10_000

_MAX_PATTERN_MEMORY = 1 << 20


def _string(term: Term) -> Literal:
    if type(term) is Literal and (term.datatype == XSD_STRING or term.language):
        return term
    raise NoValue


def _plain_string(term: Term) -> str:
    string = _string(term)
    if string.language:
        raise NoValue
    return string.lexical


def _compatible(term: Term, other: Term) -> tuple[str, str]:
    first, second = _string(term), _string(other)
    if second.language and second.language.lower() != first.language.lower():
        raise NoValue
    return first.lexical, second.lexical


def _boolean(truth: bool) -> Literal:
    return TRUE if truth else FALSE


def text_of(term: Term) -> Literal:
    """`str(X)`: the text of an IRI or of a literal.

    >>> text_of(IRI("http://example.org/a")).lexical
    'http://example.org/a'
    """
    match term:
        case IRI(value):
            return Literal(value)
        case Literal(lexical):
            return Literal(lexical)
    raise NoValue


def language_of(term: Term) -> Literal:
    """`lang(X)`: the language tag of a literal, empty if it has none."""
    if isinstance(term, Literal):
        return Literal(term.language)
    raise NoValue


def datatype_of(term: Term) -> IRI:
    """`datatype(X)`: the datatype of a literal."""
    if isinstance(term, Literal):
        return IRI(term.datatype)
    raise NoValue


def length(term: Term) -> Literal:
    """`strlen(X)`, in characters.

    >>> length(Literal("温度")).lexical
    '2'
    """
    return number_literal(Number(INTEGER, len(_string(term).lexical)))


def lower_case(term: Term) -> Literal:
    """`lcase(X)`; the language stays."""
    string = _string(term)
    return Literal(string.lexical.lower(), string.datatype, string.language)


def upper_case(term: Term) -> Literal:
    """`ucase(X)`; the language stays."""
    string = _string(term)
    return Literal(string.lexical.upper(), string.datatype, string.language)


def concatenate(*terms: Term) -> Literal:
    """`concat(X, Y, …)`; has a language if all its parts have the same.

    >>> print(concatenate(Literal("a", language="en"), Literal("b", language="en")))
    "ab"@en
    """
    strings = [_string(term) for term in terms]
    if sum(len(string.lexical) for string in strings) > MAX_TEXT:
        raise NoValue
    joined = "".join(string.lexical for string in strings)
    languages = {string.language for string in strings}
    return Literal(joined, language=languages.pop()) if len(languages) == 1 else Literal(joined)


def contains(term: Term, part: Term) -> Literal:
    """`contains(X, part)`."""
    text, wanted = _compatible(term, part)
    return _boolean(wanted in text)


def starts(term: Term, start: Term) -> Literal:
    """`strstarts(X, start)`."""
    text, wanted = _compatible(term, start)
    return _boolean(text.startswith(wanted))


def ends(term: Term, end: Term) -> Literal:
    """`strends(X, end)`."""
    text, wanted = _compatible(term, end)
    return _boolean(text.endswith(wanted))


def matches(term: Term, pattern: Term, flags: Term | None = None) -> Literal:
    """`regex(X, pattern, flags)`: whether the pattern occurs in the text; flags are any of `i`, `s` and `m`.

    >>> matches(Literal("Room 12"), Literal("^room [0-9]+$"), Literal("i")).lexical
    'true'
    """
    text = _string(term).lexical
    compiled = _compiled(_plain_string(pattern), "" if flags is None else _plain_string(flags))
    if compiled is None:
        raise NoValue
    try:
        return _boolean(compiled.search(text) is not None)
    except UnicodeEncodeError:  # an unpaired surrogate in the text
        raise NoValue from None


@lru_cache(maxsize=256)
def _compiled(pattern: str, flags: str) -> Any:
    """The compiled pattern; None, remembered like the others, if it is wrong or too large."""
    import re2  # a native library: only programs with `regex` load it

    if len(pattern) > MAX_PATTERN or not set(flags) <= set("ism"):
        return None
    options = re2.Options()
    options.log_errors = False
    options.never_capture = True
    options.max_mem = _MAX_PATTERN_MEMORY
    options.case_sensitive = "i" not in flags
    options.dot_nl = "s" in flags
    try:
        # A prefix and not a group around it: the pattern could close the group.
        return re2.compile(f"(?m){pattern}" if "m" in flags else pattern, options)
    except (re2.error, UnicodeEncodeError):
        return None
