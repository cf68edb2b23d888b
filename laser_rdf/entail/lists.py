"""Lists of an ontology: from cells of `rdf:first` and `rdf:rest` to what rules can match.

    ex:Parent owl:intersectionOf ( ex:Person ex:Ancestor )
      →  list list:member ex:Person, list list:member ex:Ancestor,
         list list:path (ex:Person, ex:Ancestor), and of that tuple list:of both

Only lists that an axiom takes are followed, and only complete ones, which end in `rdf:nil`. A cell may have
several values when `owl:sameAs` makes them equal: then there is a path for each combination, as the tables
have it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from laser_rdf.entail.layers import Layers
from laser_rdf.entail.rules import Node, Vocabulary

ORDERED = ("owl:propertyChainAxiom", "owl:intersectionOf", "owl:hasKey")
UNORDERED = ("owl:unionOf", "owl:oneOf", "owl:members", "owl:distinctMembers")


class Lists:
    """Follows lists over layers of triples and puts what they say."""

    def __init__(
        self, layers: Layers, words: Vocabulary, put: Callable[[tuple[Node, Node, Node, str]], None]
    ) -> None:
        self._layers = layers
        self._words = words
        self._put = put
        self._ordered = frozenset(map(words.value, ORDERED))
        self.takers = self._ordered | frozenset(map(words.value, UNORDERED))

    def taken(self, predicate: Node) -> Callable[[Node, Node, object], None]:
        """What to do when an axiom with this predicate takes a list."""
        ordered = predicate in self._ordered

        def found(_: Node, head: Node, __: object) -> None:
            self._show(head, ordered)

        return found

    def cell(self, node: Node, _: Node, __: object) -> None:
        """What to do when a cell has got a value or a rest: lists that it completes are shown."""
        for head in self._heads(node):
            takers = [p for p in self.takers if self._layers.subjects(p, head)]
            if takers:
                self._show(head, not self._ordered.isdisjoint(takers))

    def is_cell_of_axiom(self, node: Node) -> bool:
        """Whether some axiom takes a list that the cell belongs to."""
        return any(self._layers.subjects(p, head) for head in self._heads(node) for p in self.takers)

    def _heads(self, node: Node) -> list[Node]:
        """The cell and all cells before it."""
        found = [node]
        for cell in found:
            found += [
                before for before in self._layers.subjects(self._words.rest, cell) if before not in found
            ]
        return found

    def _show(self, head: Node, ordered: bool) -> None:
        words, put = self._words, self._put
        for path in self._paths(head):
            for member in path:
                put((head, words.member, member, "list"))
            if ordered:
                put((head, words.path, path, "list"))
                for member in path:
                    put((path, words.of, member, "list"))

    def _paths(self, head: Node) -> Iterator[tuple[Node, ...]]:
        """The members of every complete list that begins at the cell."""
        first, rest, nil = self._words.first, self._words.rest, self._words.nil
        open_paths: list[tuple[Node, tuple[Node, ...], tuple[Node, ...]]] = [(head, (), ())]
        while open_paths:
            cell, cells, members = open_paths.pop()
            if cell is nil:
                yield members
                continue
            if cell in cells:  # a list that bites its tail never ends
                continue
            for member in self._layers.objects(first, cell):
                for tail in self._layers.objects(rest, cell):
                    open_paths.append((tail, (*cells, cell), (*members, member)))
