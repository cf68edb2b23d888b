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

import pyoxigraph as ox

from laser_rdf.check import TRIPLE, Predicate
from laser_rdf.rdf.interner import OxTerm, Value
from laser_rdf.rdf.naming import atom_iri, named_node, skolem_iri
from laser_rdf.rdf.vocabulary import OBJECT, PREDICATE, STATEMENT, SUBJECT, argument
from laser_rdf.values import RDF_TYPE, XSD_INTEGER

Row = Sequence[Value]
Batch = tuple[Predicate, Sequence[Row]]
"""Rows of one predicate."""

TripleText = tuple[str, str, str]
"""Subject, predicate and object as N-Triples."""

_TYPE = f"<{RDF_TYPE}>"
_INTEGER_END = f'"^^<{XSD_INTEGER}>'
_REMEMBERED, _LONG = 1 << 14, 256


class AtomTexts:
    """Turns atoms into statements: N-Triples without the dot at the end.

    The texts of the values that come again and again are remembered, up to a limit.

    >>> from laser_rdf.rdf.interner import Interner
    >>> a = Interner().value(ox.NamedNode("http://example.org/a"))
    >>> texts = AtomTexts()
    >>> texts.statements([(Predicate("http://example.org/C", 1), [(a,)])])[0].split()[2]
    '<http://example.org/C>'
    >>> texts.statements([(Predicate("http://example.org/p", 2), [(a, 5)])])[0].split()[2]
    '"5"^^<http://www.w3.org/2001/XMLSchema#integer>'
    """

    def __init__(self) -> None:
        # Plain dictionaries, for speed: what is not in them is seen to apart.
        self._texts: dict[Value, str] = {}
        self._subjects: dict[Value, str] = {}
        self._predicates: dict[str, str] = {}

    def statements(self, batches: Iterable[Batch]) -> list[str]:
        """What the atoms say."""
        texts, subjects, predicates = self._texts, self._subjects, self._predicates
        found: list[str] = []
        for predicate, rows in batches:
            try:
                if predicate.arity == 2:
                    middle = predicates[predicate.name]
                    found += [f"{subjects[x]}{middle}{texts[y]}" for x, y in rows]
                    continue
                if predicate.arity == 1:
                    end = f" {_TYPE}{predicates[predicate.name]}"[:-1]
                    found += [subjects[x] + end for (x,) in rows]
                    continue
            except KeyError:
                self._remember(predicate, rows)
            for row in rows:
                found += atom_statements(predicate, [texts.get(value) or value_text(value) for value in row])
        return found

    def _remember(self, predicate: Predicate, rows: Sequence[Row]) -> None:
        """Remember the texts of these: no long ones, and so many only, as it keeps symbols in use."""
        if len(self._texts) > _REMEMBERED:
            self._texts.clear()
            self._subjects.clear()
        self._predicates[predicate.name] = f" {predicate_text(predicate.name)} "
        for row in rows:
            for value in row:
                if value not in self._texts and len(text := value_text(value)) <= _LONG:
                    self._texts[value] = text
                    if is_iri(text):
                        self._subjects[value] = text


@lru_cache(maxsize=1 << 12)
def predicate_text(name: str) -> str:
    """The IRI of a predicate as N-Triples."""
    return str(named_node(name, "a predicate that leaves as RDF"))


def value_text(value: Value) -> str:
    """A value as N-Triples; a blank node as its IRI.

    >>> value_text(5)
    '"5"^^<http://www.w3.org/2001/XMLSchema#integer>'
    """
    return f'"{value}{_INTEGER_END}' if type(value) is int else term_text(value.term)  # type: ignore[union-attr]


def term_text(term: OxTerm) -> str:
    """A term as N-Triples; a blank node as its IRI, inside triple terms too.

    >>> a = ox.NamedNode("urn:a")
    >>> term_text(ox.Triple(ox.BlankNode("b"), a, ox.Triple(a, a, ox.BlankNode("c"))))
    '<<( <urn:laser:skolem:b> <urn:a> <<( <urn:a> <urn:a> <urn:laser:skolem:c> )>> )>>'
    """
    if type(term) is ox.BlankNode:
        return f"<{skolem_iri(term)}>"
    if type(term) is not ox.Triple:
        return str(term)
    # Triple terms nest in objects only, and may do so deeply: no recursion.
    before: list[str] = []
    inner: OxTerm = term
    while isinstance(inner, ox.Triple):
        before.append(f"<<( {term_text(inner.subject)} {inner.predicate} ")
        inner = inner.object
    return "".join(before) + term_text(inner) + " )>>" * len(before)


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


def is_iri(text: str) -> bool:
    """Whether N-Triples text is an IRI, which is what a subject and a predicate must be.

    >>> is_iri("<urn:a>"), is_iri('"a"'), is_iri("<<( <urn:a> <urn:a> <urn:a> )>>")
    (True, False, False)
    """
    return text[0] == "<" != text[1]


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
