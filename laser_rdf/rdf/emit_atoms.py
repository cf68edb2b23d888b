"""Atoms → N-Triples. Rows of values come in, grouped by predicate; statements leave, as text without the dot.

    C(x)                 x rdf:type C .
    p(x, y)              x p y .
    triple(x, p, y)      x p y .
    q(x, y, z), q        a resource named after the atom: rdf:type q, laser:arg1 x, laser:arg2 y, laser:arg3 z
    p("a", y)            likewise: no literal leaves as a subject, and no triple term

Text, not pyoxigraph triples: making an object takes up to five times as long as writing its text, and most
answers are only written. Blank nodes leave as IRIs, those inside triple terms too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from laser_rdf.check import TRIPLE, Predicate
from laser_rdf.rdf.interner import Value
from laser_rdf.rdf.naming import atom_iri, named_node
from laser_rdf.rdf.term_texts import is_iri
from laser_rdf.rdf.vocabulary import OBJECT, PREDICATE, STATEMENT, SUBJECT, argument
from laser_rdf.values import RDF_TYPE, XSD_INTEGER

Row = Sequence[Value]
Batch = tuple[Predicate, Sequence[Row]]
"""Rows of one predicate."""

TripleText = tuple[str, str, str]
"""Subject, predicate and object as N-Triples."""

_TYPE = f"<{RDF_TYPE}>"
_INTEGER_END = f'"^^<{XSD_INTEGER}>'


def statements(batches: Iterable[Batch]) -> list[str]:
    """What atoms say: N-Triples without the dot at the end.

    >>> import pyoxigraph as ox
    >>> from laser_rdf.rdf.interner import Interner
    >>> a = Interner().value(ox.NamedNode("http://example.org/a"))
    >>> statements([(Predicate("http://example.org/C", 1), [(a,)])])[0].split()[2]
    '<http://example.org/C>'
    >>> statements([(Predicate("http://example.org/p", 2), [(a, 5)])])[0].split()[2]
    '"5"^^<http://www.w3.org/2001/XMLSchema#integer>'
    """
    found: list[str] = []
    add = found.append
    # Loops, not comprehensions: most batches are small, and a comprehension is a call.
    for predicate, rows in batches:
        name, arity = predicate
        before = len(found)
        try:
            if arity == 2:
                middle = _between(name)
                for x, y in rows:
                    add(
                        f'{x.subject}{middle}"{y}{_INTEGER_END}'  # type: ignore[union-attr]
                        if type(y) is int
                        else f"{x.subject}{middle}{y.text}"  # type: ignore[union-attr]
                    )
                continue
            if arity == 1:
                end = _at_end(name)
                for (x,) in rows:
                    add(x.subject + end)  # type: ignore[union-attr]
                continue
        except AttributeError:  # numbers, and what else can be no subject, have none
            del found[before:]
        for row in rows:
            found += atom_statements(predicate, list(map(value_text, row)))
    return found


@lru_cache(maxsize=1 << 12)
def _between(name: str) -> str:
    """A property as it stands between subject and object."""
    return f" {predicate_text(name)} "


@lru_cache(maxsize=1 << 12)
def _at_end(name: str) -> str:
    """The membership of a class, as it stands behind the member."""
    return f" {_TYPE} {predicate_text(name)}"


@lru_cache(maxsize=1 << 12)
def predicate_text(name: str) -> str:
    """The IRI of a predicate as N-Triples."""
    return str(named_node(name, "a predicate that leaves as RDF"))


def value_text(value: Value) -> str:
    """A value as N-Triples; a blank node as its IRI.

    >>> value_text(5)
    '"5"^^<http://www.w3.org/2001/XMLSchema#integer>'
    """
    return f'"{value}{_INTEGER_END}' if type(value) is int else value.text  # type: ignore[union-attr]


def triple_of(predicate: Predicate, texts: Sequence[str]) -> TripleText | None:
    """The triple that says what an atom says; None if there is none and it takes the n-ary form.

    The arguments are given as N-Triples.

    >>> triple_of(Predicate("urn:C", 1), ["<urn:a>"])[2]
    '<urn:C>'
    """
    if predicate == TRIPLE:
        subject, property_, value = texts
        return (subject, property_, value) if is_iri(subject) and is_iri(property_) else None
    if predicate.arity not in (1, 2) or not is_iri(texts[0]):
        return None
    name = predicate_text(predicate.name)
    return (texts[0], _TYPE, name) if predicate.arity == 1 else (texts[0], name, texts[1])


def atom_statements(predicate: Predicate, texts: Sequence[str]) -> list[str]:
    """What one atom says, of its arguments as N-Triples."""
    found = triple_of(predicate, texts)
    return resource_of(predicate, texts)[1] if found is None else [" ".join(found)]


def resource_of(predicate: Predicate, texts: Sequence[str]) -> tuple[str, list[str]]:
    """The n-ary form: the name of the atom as N-Triples, and the statements about it.

    >>> resource_of(Predicate("urn:laser:local:alarm", 0), [])[0]
    '<urn:laser:atom:4e4524265f1441213be410b8f9f8004b>'
    """
    kind = predicate_text(predicate.name)
    name = f"<{atom_iri(kind, texts)}>"
    said = [f"{name} {_TYPE} {kind}"]
    said += [f"{name} <{argument(place)}> {text}" for place, text in enumerate(texts, 1)]
    return name, said


def statement_of(triple: TripleText) -> tuple[str, list[str]]:
    """A triple as a resource that can be spoken of: its name as N-Triples, and the statements about it."""
    subject, predicate, value = triple
    name = f"<{atom_iri(predicate, (subject, value))}>"
    return name, [
        f"{name} {_TYPE} <{STATEMENT}>",
        f"{name} <{SUBJECT}> {subject}",
        f"{name} <{PREDICATE}> {predicate}",
        f"{name} <{OBJECT}> {value}",
    ]
