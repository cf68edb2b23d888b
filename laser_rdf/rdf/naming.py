"""Names of what leaves: graphs, programs, atoms, intervals, and blank nodes as IRIs.

    jams at 36, what became true     →  urn:laser:result:jams/insertions/36
    _:f3f9a_b                        →  urn:laser:skolem:f3f9a_b
    p("a", 5, ex:c)                  →  urn:laser:atom: and a hash over predicate and arguments

The same answer gets the same name in every run and on every machine. Text from outside is percent-encoded or
hashed, so that none of it can break an IRI or make two names one.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import quote

import pyoxigraph as ox

from laser_rdf.errors import UsageError, escape_control
from laser_rdf.values.fresh import FRESH_BASE

RESULT_BASE = "urn:laser:result:"
PROGRAM_BASE = "urn:laser:program:"
SKOLEM_BASE = "urn:laser:skolem:"
ATOM_BASE = "urn:laser:atom:"

_HEX_DIGITS = 32
_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


def encoded(text: str) -> str:
    """Any text as one segment of an IRI; different texts stay different.

    >>> encoded("a/b c")
    'a%2Fb%20c'
    """
    return quote(text, safe="", errors="surrogatepass")


def digest(parts: Iterable[str]) -> str:
    """A hash over a list of texts, as hexadecimal digits.

    >>> digest(["ab", "c"]) != digest(["a", "bc"])
    True
    """
    found = hashlib.sha256()
    for part in parts:
        # Each part says its length first: ("ab", "c") and ("a", "bc") are different lists.
        data = part.encode("utf-8", "surrogatepass")
        found.update(b"%d:" % len(data))
        found.update(data)
    return found.hexdigest()[:_HEX_DIGITS]


def skolem_iri(node: ox.BlankNode) -> str:
    """The IRI as which a blank node leaves; its label is unique in the run.

    >>> skolem_iri(ox.BlankNode("f3f9a_b"))
    'urn:laser:skolem:f3f9a_b'
    """
    return SKOLEM_BASE + encoded(node.value)


def atom_iri(predicate: str, arguments: Iterable[str]) -> str:
    """The name of an atom, of its predicate and arguments as N-Triples.

    >>> atom_iri("<urn:laser:local:p>", ['"a"'])
    'urn:laser:atom:315ece6fa9d1cf4087638fe799a17019'
    """
    return ATOM_BASE + digest([predicate, *arguments])


def fresh_iri(template: str, label: str, bindings: Iterable[str]) -> str:
    """The name of a blank node of a CONSTRUCT template in one solution."""
    return FRESH_BASE + digest([template, label, *bindings])


def named_node(iri: str, what: str) -> ox.NamedNode:
    """The IRI as a term; UsageError that says what it was meant to be.

    >>> named_node("a b", "the graph")
    Traceback (most recent call last):
    laser_rdf.errors.UsageError: `a b` is not an IRI, which the graph needs: Invalid IRI code point ' '
    """
    try:
        return ox.NamedNode(iri)
    except ValueError as problem:
        shown = escape_control(iri)
        raise UsageError(
            f"`{shown}` is not an IRI, which {what} needs: {escape_control(str(problem))}"
        ) from None


@dataclass(frozen=True, slots=True)
class ResultNames:
    """The names of what one program answers. A program has a name or an IRI.

    >>> names = ResultNames("jams")
    >>> names.graph("insertions", 36), names.program_iri.value
    ('urn:laser:result:jams/insertions/36', 'urn:laser:program:jams')
    >>> ResultNames("http://ex.org/jams", "http://ex.org/r/").graph("snapshot", -1)
    'http://ex.org/r/http%3A%2F%2Fex.org%2Fjams/snapshot/-1'
    """

    program: str
    base: str = RESULT_BASE

    def __post_init__(self) -> None:
        """Refuse what cannot be part of a name."""
        if self.program in ("", ".", ".."):
            # Clients leave such segments out of http IRIs: two names would become one.
            raise UsageError(f"`{self.program}` is not the name of a program")
        named_node(self.base + "x", "the base of result graphs")

    @property
    def program_iri(self) -> ox.NamedNode:
        """The IRI of the program: its own if it has one."""
        if _ABSOLUTE.match(self.program):
            try:
                return ox.NamedNode(self.program)
            except ValueError:
                pass  # a name with a colon in it
        return ox.NamedNode(PROGRAM_BASE + encoded(self.program))

    @property
    def prefix(self) -> str:
        """What the names of this program's results begin with."""
        return f"{self.base}{encoded(self.program)}/"

    @property
    def state(self) -> str:
        """The graph that always equals the current answer."""
        return self.prefix + "state"

    def graph(self, kind: str, time: int) -> str:
        """The graph of a time point."""
        return f"{self.prefix}{kind}/{time}"

    def instant(self, time: int) -> str:
        """A time point as an instant."""
        return f"{self.prefix}instant/{time}"

    def interval(self, atom: str, begin: int) -> str:
        """The interval in which an atom held from a time point on."""
        return f"{self.prefix}interval/{digest([atom, str(begin)])}"
