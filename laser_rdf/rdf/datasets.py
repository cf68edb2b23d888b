"""Messages and JSON-LD documents as elements: which triples are the graph, which say its name and time.

default graph              named graphs        element
g prov:generatedAtTime t   only g              the graph g, named so
[] prov:generatedAtTime t  none, or one        the other triples; `[]` occurs nowhere else
anything else              any                 all triples together, without a name
"""

from __future__ import annotations

from collections import Counter

import pyoxigraph as ox

from laser_rdf.rdf.elements import Runs, Stamp
from laser_rdf.rdf.stamps import Path
from laser_rdf.rdf.timed_graph import GraphName

Content = tuple[GraphName | None, list[ox.Triple], list[Stamp]]


def content(
    runs: Runs, paths: tuple[Path, ...], ranks: dict[object, int], carrier: ox.Triple | None = None
) -> Content:
    """The name, the triples and the stamps of a message; `ranks` are those of the paths of one step.

    A `carrier` is a stamp that is known to be about a blank node of which nothing else is said.

    >>> at, g = ox.NamedNode("http://example.org/at"), ox.NamedNode("http://example.org/g")
    >>> runs = [(None, [ox.Triple(g, at, ox.Literal(5))]), (g, [ox.Triple(g, g, g)])]
    >>> content(runs, ((at,),), {at: 0})[0].value
    'http://example.org/g'
    """
    names = {name for name, _ in runs if name is not None}
    default = [t for name, triples in runs if name is None for t in triples] if names else runs[0][1]
    name = next(iter(names)) if len(names) == 1 else None
    if carrier is not None:
        rest = [t for _, triples in runs for t in triples if t is not carrier]
        return name if len(default) == 1 else None, rest, [(ranks[carrier.predicate], carrier.object)]
    # A comprehension, because every triple of every message comes by here.
    stamped = [triple for triple in default if triple.predicate in ranks]
    if carriers := _carriers(stamped, runs):
        rest = [t for _, triples in runs for t in triples if t not in carriers]
        alone = name if len(default) == len(carriers) else None
        return alone, rest, [(ranks[t.predicate], t.object) for t in carriers]
    if (
        name is not None
        and stamped
        and len(stamped) == len(default)
        and all(t.subject == name for t in stamped)
    ):
        triples = [t for graph, found in runs if graph is not None for t in found]
        inside = [t for t in triples if t.predicate in ranks and t.subject == name]
        return name, triples, [(ranks[t.predicate], t.object) for t in (*stamped, *inside)]
    if not names and len(ranks) == len(paths):
        stamps: list[Stamp] = [(ranks[t.predicate], t.object) for t in stamped]
        if len(stamps) > 1:
            best = min(rank for rank, _ in stamps)
            stamps = [stamp for stamp in stamps if stamp[0] == best]
        return None, default, stamps
    triples = list(dict.fromkeys(t for _, found in runs for t in found)) if names else default
    return (None if default else name), triples, stamps_along(triples, paths)


def lone_carrier(runs: Runs, ranks: dict[object, int]) -> ox.Triple | None:
    """The stamp about a blank node, of a message in which a blank node occurs once at most.

    >>> at, a = ox.NamedNode("http://example.org/at"), ox.NamedNode("http://example.org/a")
    >>> stamp = ox.Triple(ox.BlankNode("b"), at, ox.Literal(5))
    >>> lone_carrier([(None, [stamp, ox.Triple(a, a, a)])], {at: 0}) is stamp
    True
    """
    for name, triples in runs:
        if name is None:
            for triple in triples:
                if type(triple.subject) is ox.BlankNode:
                    return triple if triple.predicate in ranks else None
    return None


def _carriers(stamped: list[ox.Triple], runs: Runs) -> set[ox.Triple]:
    """The stamps about blank nodes of which nothing else is said."""
    found = {triple for triple in stamped if type(triple.subject) is ox.BlankNode}
    if not found:
        return found
    terms: list[object] = [name for name, _ in runs]
    for _, triples in runs:
        terms += [triple.subject for triple in triples]
        terms += [triple.object for triple in triples]
    uses: Counter[object] = Counter([term for term in terms if type(term) is ox.BlankNode])
    for term in terms:
        if isinstance(term, ox.Triple):
            uses.update(_inside(term))
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
