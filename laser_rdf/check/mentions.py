"""Which atoms of the input a program can look at: what a source need not deliver, nobody misses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from laser_rdf.check.checked import (
    TRIPLE,
    BodyStep,
    CheckedAggregate,
    CheckedLiteral,
    CheckedProgram,
    LastAtoms,
    LastPer,
    Predicate,
)
from laser_rdf.lang.ast import Const
from laser_rdf.values import IRI, RDF_TYPE


@dataclass(frozen=True, slots=True)
class Mentions:
    """Classes and properties by name; all memberships of classes; or any triple at all.

    `ordered`: a window counts atoms, so the order in which they come matters.

    >>> from laser_rdf.check import check
    >>> from laser_rdf.lang import Program
    >>> mentions_of(check(Program.parse("#external p/1 . q(X) :- p(X)."))).predicates
    frozenset({Predicate(name='urn:laser:local:p', arity=1)})
    """

    predicates: frozenset[Predicate] = frozenset()
    types: bool = False
    everything: bool = False
    ordered: bool = False

    def __or__(self, other: Mentions) -> Mentions:
        return Mentions(
            self.predicates | other.predicates,
            self.types or other.types,
            self.everything or other.everything,
            self.ordered or other.ordered,
        )


def mentions_of(program: CheckedProgram) -> Mentions:
    """What the rules of a program mention in their bodies."""
    found = Mentions()
    for literal in literals_of(step for rule in program.rules for step in rule.body):
        found |= _of_literal(literal)
    return found


def literals_of(steps: Iterable[BodyStep]) -> Iterator[CheckedLiteral]:
    """The literals of a body, those inside aggregates included."""
    for step in steps:
        match step:
            case CheckedLiteral():
                yield step
            case CheckedAggregate(body=body):
                yield from literals_of(body)
            case _:
                pass


def _of_literal(literal: CheckedLiteral) -> Mentions:
    types = everything = False
    ordered = isinstance(literal.window, LastAtoms | LastPer)
    predicates = set()
    for atom in literal.atoms:
        if atom.predicate != TRIPLE:
            predicates.add(atom.predicate)
        elif atom.args[1] == Const(IRI(RDF_TYPE)):
            types = True
        else:
            everything = True
    if isinstance(literal.window, LastAtoms):
        # The window counts atoms that the literal itself may not mention.
        match literal.window:
            case LastAtoms(name=None) | LastAtoms(name=TRIPLE.name):
                everything = True
            case LastAtoms(name=name) if name == RDF_TYPE:
                types = True
            case LastAtoms(name=str(name), arity=arity):
                predicates |= {Predicate(name, n) for n in ((1, 2) if arity is None else (arity,))}
    return Mentions(frozenset(predicates), types, everything, ordered)
