"""Messages and JSON-LD documents as elements: which triples are the graph, which say its name and time.

default graph              named graphs        element
g prov:generatedAtTime t   only g              the graph g, named so
[] prov:generatedAtTime t  none, or one        the other triples; `[]` occurs nowhere else
anything else              any                 all triples together, without a name
"""

from __future__ import annotations

import pyoxigraph as ox

from laser_rdf.rdf.elements import Quads, Stamp
from laser_rdf.rdf.stamps import Path
from laser_rdf.rdf.timed_graph import GraphName

Content = tuple[GraphName | None, list[ox.Triple], list[Stamp]]


def content(quads: Quads, paths: tuple[Path, ...], ranks: dict[object, int]) -> Content:
    """The name, the triples and the stamps of a message; `ranks` are those of the paths of one step.

    >>> at, g = ox.NamedNode("http://example.org/at"), ox.NamedNode("http://example.org/g")
    >>> quads = [(None, ox.Triple(g, at, ox.Literal(5))), (g, ox.Triple(g, g, g))]
    >>> content(quads, ((at,),), {at: 0})[0].value
    'http://example.org/g'
    """
    default = [triple for name, triple in quads if name is None]
    names = set() if len(default) == len(quads) else {name for name, _ in quads if name is not None}
    # A comprehension, because every triple of every message comes by here.
    stamped = [triple for triple in default if triple.predicate in ranks]
    name = next(iter(names)) if len(names) == 1 else None
    if carriers := _carriers(stamped, quads):
        rest = [triple for _, triple in quads if triple not in carriers]
        alone = name if len(rest) + len(carriers) == len(quads) and len(default) == len(carriers) else None
        return alone, rest, [(ranks[t.predicate], t.object) for t in carriers]
    if stamped and len(stamped) == len(default) and len(subjects := {t.subject for t in stamped}) == 1:
        subject = subjects.pop()
        if isinstance(subject, GraphName) and names == {subject}:
            triples = [triple for graph, triple in quads if graph is not None]
            inside = [t for t in triples if t.subject == subject and t.predicate in ranks]
            return subject, triples, [(ranks[t.predicate], t.object) for t in (*stamped, *inside)]
    if not names and len(ranks) == len(paths):
        stamps: list[Stamp] = [(ranks[t.predicate], t.object) for t in stamped]
        if len(stamps) > 1:
            best = min(rank for rank, _ in stamps)
            stamps = [stamp for stamp in stamps if stamp[0] == best]
        return None, default, stamps
    triples = list(dict.fromkeys(triple for _, triple in quads)) if names else default
    return (None if default else name), triples, stamps_along(triples, paths)


def _carriers(stamped: list[ox.Triple], quads: Quads) -> set[ox.Triple]:
    """The stamps about blank nodes of which nothing else is said."""
    found = {triple for triple in stamped if isinstance(triple.subject, ox.BlankNode)}
    if not found:
        return found
    uses: dict[object, int] = {}
    for name, triple in quads:
        for term in (name, triple.subject, triple.object):
            if isinstance(term, ox.BlankNode):
                uses[term] = uses.get(term, 0) + 1
            elif isinstance(term, ox.Triple):
                for node in _inside(term):
                    uses[node] = uses.get(node, 0) + 1
    return {triple for triple in found if uses[triple.subject] == 1}


def _inside(triple: ox.Triple) -> list[ox.BlankNode]:
    nodes = [triple.subject] if isinstance(triple.subject, ox.BlankNode) else []
    if isinstance(triple.object, ox.BlankNode):
        nodes.append(triple.object)
    return nodes + (_inside(triple.object) if isinstance(triple.object, ox.Triple) else [])


def stamps_along(triples: list[ox.Triple], paths: tuple[Path, ...]) -> list[Stamp]:
    """The terms at the ends of the paths, each with the rank of its path.

    >>> header, at, a = (ox.NamedNode("http://example.org/" + n) for n in ("header", "at", "a"))
    >>> triples = [ox.Triple(a, header, ox.BlankNode("h")), ox.Triple(ox.BlankNode("h"), at, ox.Literal(5))]
    >>> [(rank, term.value) for rank, term in stamps_along(triples, ((a,), (header, at)))]
    [(1, '5')]
    """
    found: list[Stamp] = []
    for rank, path in enumerate(paths):
        ends: list[object] = [t.object for t in triples if t.predicate == path[0]]
        for predicate in path[1:]:
            ends = [t.object for t in triples if t.predicate == predicate and t.subject in ends]
        found += [(rank, end) for end in ends]
        if found:
            break
    return found
