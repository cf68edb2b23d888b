"""Terms as N-Triples, the way they leave: blank nodes as IRIs."""

from __future__ import annotations

import pyoxigraph as ox

from laser_rdf.rdf.naming import skolem_iri

OxTerm = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple


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


def is_iri(text: str) -> bool:
    """Whether N-Triples text is an IRI, which is what a subject and a predicate must be.

    >>> is_iri("<urn:a>"), is_iri('"a"'), is_iri("<<( <urn:a> <urn:a> <urn:a> )>>")
    (True, False, False)
    """
    return text[0] == "<" != text[1]
