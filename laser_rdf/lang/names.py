"""Names to IRIs and back: prefixes, base, and which words mean something of their own.

ex:hot  →  http://example.org/hot        with PREFIX ex: <http://example.org/>
hot     →  urn:laser:local:hot           with the default base
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from laser_rdf.lang.text import angled
from laser_rdf.values.terms import LOCAL_BASE, OWL, RDF, RDFS, XSD

PREDECLARED: Mapping[str, str] = {"rdf": RDF, "rdfs": RDFS, "owl": OWL, "xsd": XSD}

RESERVED = frozenset(["not", "in", "at", "now", "always", "from", "on", "mod", "true", "false"])

COMPARISON_WORDS: Mapping[str, str] = {"lt": "<", "leq": "<=", "gt": ">", "geq": ">=", "eq": "=", "neq": "!="}
"""Predicate spellings of comparisons that LARS programs use: `lt(X, Y)` is `X < Y`."""

BOOLEAN_FUNCTIONS = frozenset({"contains", "strstarts", "strends", "regex"})
"""Functions that may stand in a body by themselves: `regex(X, "^a")` is `regex(X, "^a") = true`."""

BUILT_IN_CONDITIONS = frozenset({*COMPARISON_WORDS, "incr", *BOOLEAN_FUNCTIONS})

TRIPLE_WORD = "triple"

_NAME = re.compile(r"[^\W\d_A-Z]\w*")
_LOCAL_PART = re.compile(r"\w(?:[\w-]*\w)?")
_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_IN_NO_IRI = re.compile(r'[\x00-\x20<>"{}|^`\\]')
_AUTHORITY = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*:)//[^/?#]*")


def is_name(word: str) -> bool:
    """Whether a word can be written bare.

    >>> is_name("hot"), is_name("Hot"), is_name("in"), is_name("_x")
    (True, False, False, False)
    """
    return bool(_NAME.fullmatch(word)) and word not in RESERVED and not word[0].isupper()


def local_iri(word: str, base: str) -> str:
    """The IRI of a bare name.

    >>> local_iri("hot", "http://example.org/")
    'http://example.org/hot'
    """
    return LOCAL_BASE + word if word == TRIPLE_WORD else base + word


def resolve(reference: str, base: str) -> str | None:
    """An absolute IRI for what stands between `<` and `>`; None when there is none with this base.

    >>> resolve("#a", "http://example.org/x#y")
    'http://example.org/x#a'
    """
    if _IN_NO_IRI.search(reference):
        return None
    if _ABSOLUTE.match(reference):
        return reference
    if not reference:
        return base
    if reference.startswith("#"):
        return base.split("#", 1)[0] + reference
    authority = _AUTHORITY.match(base)
    if authority is None:
        return None
    return (authority[1] if reference.startswith("//") else authority[0]) + reference


class Shortener:
    """IRIs as a person writes them in a program with these prefixes and this base.

    >>> short = Shortener([("ex", "http://example.org/")], "urn:laser:local:")
    >>> short("http://example.org/hot"), short("urn:laser:local:hot"), short("urn:x:y")
    ('ex:hot', 'hot', '<urn:x:y>')
    """

    def __init__(self, prefixes: Iterable[tuple[str, str]], base: str, taken: Iterable[str] = ()) -> None:
        """`taken` are words that mean something else in the program: the names of its constants."""
        table = {**PREDECLARED, **dict(prefixes)}
        # The longest namespace wins, so that the most specific prefix is shown.
        self._namespaces = sorted(
            ((iri, name) for name, iri in table.items() if iri), key=lambda n: -len(n[0])
        )
        self._base = base
        self._taken = frozenset(taken)
        self._cache: dict[str, str] = {}

    def __call__(self, iri: str) -> str:
        """The shortest spelling that reads back as the same IRI."""
        text = self._cache.get(iri)
        if text is None:
            text = self._cache[iri] = self._shorten(iri)
        return text

    def predicate(self, iri: str) -> str:
        """The same for a predicate, where a word that means a condition has to be spelled out."""
        text = self(iri)
        return angled(iri) if text in BUILT_IN_CONDITIONS else text

    def in_block(self, iri: str) -> str:
        """The same inside a block, where `a` is a keyword."""
        text = self(iri)
        return angled(iri) if text == "a" else text

    def _shorten(self, iri: str) -> str:
        if iri == LOCAL_BASE + TRIPLE_WORD:
            return TRIPLE_WORD
        if iri.startswith(self._base):
            word = iri[len(self._base) :]
            if word != TRIPLE_WORD and word not in self._taken and is_name(word):
                return word
        for namespace, name in self._namespaces:
            if iri.startswith(namespace) and _LOCAL_PART.fullmatch(iri, len(namespace)):
                return f"{name}:{iri[len(namespace) :]}"
        return angled(iri)


UNPREFIXED = Shortener((), "")
"""Spells every IRI out, except those of the predeclared vocabularies."""
