"""Triples, indexed by predicate and subject and by predicate and object.

    objects[p][s]    →  the objects
    subjects[p][o]   →  the subjects

A leaf is a tuple while it is short, which takes a fifth of the memory of a set, and a set when it is long;
both are looked into and gone through in the same way. Nothing is ever taken out: the tables of one element
are dropped as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator

from laser_rdf.entail.rules import Node

SHORT = 8

Leaf = tuple[Node, ...] | set[Node]
Index = dict[Node, dict[Node, Leaf]]


class Tables:
    """A set of triples.

    >>> triples = Tables()
    >>> triples.add("a", "p", "b"), triples.add("a", "p", "b"), triples.add("a", "p", "c")
    (True, False, True)
    >>> triples.objects["p"]["a"], triples.subjects["p"]["c"], len(triples)
    (('b', 'c'), ('a',), 2)
    """

    __slots__ = ("objects", "size", "subjects")

    def __init__(self) -> None:
        self.objects: Index = {}
        self.subjects: Index = {}
        self.size = 0

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[tuple[Node, Node, Node]]:
        for p, by_subject in self.objects.items():
            for s, leaf in by_subject.items():
                for o in leaf:
                    yield s, p, o

    def has(self, s: Node, p: Node, o: Node) -> bool:
        """Whether the triple is there."""
        by_subject = self.objects.get(p)
        return by_subject is not None and o in by_subject.get(s, ())

    def add(self, s: Node, p: Node, o: Node) -> bool:
        """Add a triple; whether it was not there."""
        by_subject = self.objects.get(p)
        if by_subject is None:
            self.objects[p] = {s: (o,)}
            self.subjects[p] = {o: (s,)}
            self.size += 1
            return True
        leaf = by_subject.get(s)
        if leaf is None:
            by_subject[s] = (o,)
        elif o in leaf:
            return False
        elif type(leaf) is set:
            leaf.add(o)
        elif len(leaf) < SHORT:
            by_subject[s] = (*leaf, o)
        else:
            by_subject[s] = {*leaf, o}
        by_object = self.subjects[p]
        leaf = by_object.get(o)
        if leaf is None:
            by_object[o] = (s,)
        elif type(leaf) is set:
            leaf.add(s)
        elif len(leaf) < SHORT:
            by_object[o] = (*leaf, s)
        else:
            by_object[o] = {*leaf, s}
        self.size += 1
        return True

    def clear(self) -> None:
        """Drop everything."""
        self.objects.clear()
        self.subjects.clear()
        self.size = 0
