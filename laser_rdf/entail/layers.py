"""Two layers of triples seen as one: what lies below is only read, what is found goes on top.

The background's closure lies below and one element with its entailments on top; while the background itself
is closed, nothing lies below.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from laser_rdf.entail.rules import Node
from laser_rdf.entail.tables import Leaf, Tables

Triple = tuple[Node, Node, Node]


class Layers:
    """How rules look at the triples.

    >>> below, top = Tables(), Tables()
    >>> _ = below.add("a", "p", "b"), top.add("a", "p", "c")
    >>> layers = Layers(below, top)
    >>> layers.objects("p", "a"), layers.has("a", "p", "b"), list(layers.pairs("p"))
    (('b', 'c'), True, [('a', 'b'), ('a', 'c')])
    """

    __slots__ = ("_hidden", "below", "top")

    def __init__(self, below: Tables, top: Tables, hidden: frozenset[Node] = frozenset()) -> None:
        self.below = below
        self.top = top
        self._hidden = hidden

    def has(self, s: Node, p: Node, o: Node) -> bool:
        """Whether there is such a triple."""
        index = self.below.objects.get(p)
        if index is not None and o in index.get(s, ()):
            return True
        index = self.top.objects.get(p)
        return index is not None and o in index.get(s, ())

    def objects(self, p: Node, s: Node) -> Leaf:
        """The objects of a subject."""
        index = self.below.objects.get(p)
        below = index.get(s, ()) if index is not None else ()
        index = self.top.objects.get(p)
        if index is None or (top := index.get(s)) is None:
            return below
        return (*below, *top) if below else top

    def subjects(self, p: Node, o: Node) -> Leaf:
        """The subjects of an object."""
        index = self.below.subjects.get(p)
        below = index.get(o, ()) if index is not None else ()
        index = self.top.subjects.get(p)
        if index is None or (top := index.get(o)) is None:
            return below
        return (*below, *top) if below else top

    def pairs(self, p: Node) -> Iterator[tuple[Node, Node]]:
        """Subjects and objects of a predicate."""
        for tables in (self.below, self.top):
            for s, leaf in tables.objects.get(p, {}).items():
                for o in leaf:
                    yield s, o

    def predicates(self) -> Iterable[Node]:
        """All predicates but the hidden ones."""
        return ({*self.below.objects} | {*self.top.objects}) - self._hidden

    def match(self, s: Node | None, p: Node | None, o: Node | None) -> Iterator[Triple]:
        """The triples with what is given; None stands for anything."""
        for q in self.predicates() if p is None else (p,):
            if s is not None:
                if o is not None:
                    if self.has(s, q, o):
                        yield s, q, o
                    continue
                for found in self.objects(q, s):
                    yield s, q, found
            elif o is not None:
                for found in self.subjects(q, o):
                    yield found, q, o
            else:
                for pair in self.pairs(q):
                    yield pair[0], q, pair[1]
