"""Blank nodes get names that are unique in a run and the same in every run.

`_:b` of one file is not `_:b` of another, and in message logs not even that of the next message. pyoxigraph
keeps labels and gives random ones to `[]`. Here a label gets its scope in front, and a node without one is
numbered by the place of the text it stands in:

    _:b   in file 3f9a…            →  f3f9a…_b
    []    in the text at byte 120  →  f3f9a…-120-0
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable

import pyoxigraph as ox

from laser_rdf.rdf.timed_graph import GraphName

_LABEL = re.compile(rb"_:([^\s<>\"'(){}\[\],;]+)")
_TRIPLE_TERM = re.compile(rb"<<")

_NOTHING_INSIDE = frozenset({ox.NamedNode, ox.Literal})

Rename = Callable[[ox.BlankNode], ox.BlankNode]


def scope_of(name: str) -> str:
    """The scope of a source's blank nodes: two sources of one name share it.

    >>> scope_of("log.trig") == scope_of("log.trig") != scope_of("other.trig")
    True
    """
    return "f" + hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def may_have_blank_nodes(text: bytes) -> bool:
    """Whether the text can hold a blank node at all; most of a stream cannot, and is then left alone."""
    return (
        may_have_labels(text)
        or b"[" in text
        or b"(" in text
        or b"~" in text
        or (b"|" in text and b"{|" in text)
        or may_have_triple_terms(text)
    )


def may_have_labels(text: bytes) -> bool:
    """Whether the text can hold labels of blank nodes, which in N-Triples and N-Quads all of them have."""
    # A single byte is looked for many times as fast as two; `_` and `|` are rare, `:` and `{` are not.
    return b"_" in text and b"_:" in text


def may_have_triple_terms(text: bytes) -> bool:
    """Whether the text can hold triple terms."""
    # `<` is everywhere: there a regular expression is faster than `in`.
    return _TRIPLE_TERM.search(text) is not None


def has_one_label(text: bytes) -> bool:
    """Whether there is one label in a text at most; a text without brackets then has one blank node at most.

    >>> has_one_label(b"_:b <urn:p> 1 ."), has_one_label(b"_:b <urn:p> _:b .")
    (True, False)
    """
    return text.count(b"_") <= 1 or text.count(b"_:") <= 1


def renaming(text: bytes, scope: str, place: int) -> Rename:
    """The names for the blank nodes of a text at a place.

    >>> rename = renaming(b"_:b <http://example.org/p> [] .", "f0", 120)
    >>> rename(ox.BlankNode("b")).value, rename(ox.BlankNode("c5d31d13")).value
    ('f0_b', 'f0-120-0')
    """
    # A label may be followed by the dot that ends its statement; both readings are kept.
    labels = {found.decode("utf-8", "replace") for found in _LABEL.findall(text)}
    labels |= {label.rstrip(".") for label in labels}
    names: dict[str, ox.BlankNode] = {}
    unnamed = 0

    def rename(node: ox.BlankNode) -> ox.BlankNode:
        nonlocal unnamed
        label = node.value
        if (found := names.get(label)) is None:
            if label in labels:
                found = ox.BlankNode(f"{scope}_{label}")
            else:
                found = ox.BlankNode(f"{scope}-{place}-{unnamed}")
                unnamed += 1
            names[label] = found
        return found

    return rename


def rename_triple(triple: ox.Triple, rename: Rename) -> ox.Triple:
    """The triple with its blank nodes renamed, those inside triple terms too."""
    subject, predicate, object_ = triple.subject, triple.predicate, triple.object
    new_subject = rename(subject) if isinstance(subject, ox.BlankNode) else subject
    match object_:
        case ox.BlankNode():
            return ox.Triple(new_subject, predicate, rename(object_))
        case ox.Triple():
            return ox.Triple(new_subject, predicate, rename_triple(object_, rename))
        case _:
            return triple if new_subject is subject else ox.Triple(new_subject, predicate, object_)


def rename_triples(triples: list[ox.Triple], rename: Rename) -> list[ox.Triple]:
    """The triples with their blank nodes renamed; those without one, which most are, stay what they are."""
    return [
        triple
        if type(triple.subject) is ox.NamedNode and type(triple.object) in _NOTHING_INSIDE
        else rename_triple(triple, rename)
        for triple in triples
    ]


def rename_graph(name: GraphName, rename: Rename) -> GraphName:
    """The graph name, renamed if it is a blank node."""
    return rename(name) if isinstance(name, ox.BlankNode) else name
