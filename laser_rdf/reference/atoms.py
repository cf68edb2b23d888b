"""Sets of ground atoms, grouped so that a pattern is compared only with atoms it could become.

{c(x), p(x, y), p(z, y)}   →   p/2 sees (x, y) and (z, y); `triple/3` sees all three
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Set

from laser_rdf.check import TRIPLE, GroundAtom, Predicate
from laser_rdf.values import IRI, RDF_TYPE, Term

Row = tuple[Term, ...]
"""The arguments of an atom."""


class Atoms:
    """A set of atoms that grows; asked for the rows that a predicate sees."""

    def __init__(self, atoms: Iterable[GroundAtom] = ()) -> None:
        self._rows: defaultdict[Predicate, set[Row]] = defaultdict(set)
        self._triples: set[Row] | None = None
        for atom in atoms:
            self.add(atom)

    def add(self, atom: GroundAtom) -> None:
        """One atom more."""
        self._rows[atom.predicate].add(atom.args)
        self._triples = None

    def seen_as(self, predicate: Predicate) -> Set[Row]:
        """The rows of the predicate; `triple/3` sees every class and property.

        >>> dog = GroundAtom(Predicate("ex:Dog", 1), (IRI("ex:rex"),))
        >>> [str(term) for term in next(iter(Atoms([dog]).seen_as(TRIPLE)))]
        ['<ex:rex>', '<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>', '<ex:Dog>']
        """
        if predicate != TRIPLE:
            return self._rows.get(predicate, _NOTHING)
        if self._triples is None:
            atoms = (GroundAtom(name, row) for name, rows in self._rows.items() for row in rows)
            self._triples = {row for atom in atoms if (row := arguments(atom, TRIPLE)) is not None}
        return self._triples


_NOTHING: Set[Row] = frozenset()
EMPTY = Atoms()


def arguments(atom: GroundAtom, predicate: Predicate) -> Row | None:
    """The atom's arguments as the predicate sees them; `triple/3` sees every class and property."""
    if atom.predicate == predicate:
        return atom.args
    if predicate != TRIPLE:
        return None
    match atom.args:
        case (subject,):
            return subject, IRI(RDF_TYPE), IRI(atom.predicate.name)
        case (subject, value):
            return subject, IRI(atom.predicate.name), value
        case _:
            return None
