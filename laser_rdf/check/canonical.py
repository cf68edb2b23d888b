"""One form for each atom: `triple(S, rdf:type, c)`, `rdf:type(S, c)` and `c(S)` are the same.

| written                                  | canonical                        |
|------------------------------------------|----------------------------------|
| `triple(s, p, o)`, p an IRI              | `p(s, o)`                        |
| `rdf:type(s, c)`, c an IRI               | `c(s)`                           |
| `rdf:type(s, o)`, o a variable           | `triple(s, rdf:type, o)`         |
| `rdf:type(s, o)`, o anything else        | `rdf:type(s, o)`                 |
| `triple(s, p, o)`, p anything else       | `triple(s, p, o)`                |

Patterns and ground atoms go through the same table, so that what matches by meaning matches by form.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from laser_rdf.check.checked import TRIPLE, GroundAtom, HeadAtom, PatternAtom, Predicate
from laser_rdf.lang.ast import Arg, Blank, Const
from laser_rdf.values import IRI, RDF_TYPE, Term

T = TypeVar("T")
TYPE = IRI(RDF_TYPE)


def canonical_pattern(name: str, args: tuple[Arg, ...]) -> PatternAtom:
    """A body atom in canonical form.

    >>> from laser_rdf.lang.ast import Var
    >>> canonical_pattern(RDF_TYPE, (Var("X"), Const(IRI("ex:Dog")))).predicate
    Predicate(name='ex:Dog', arity=1)
    >>> canonical_pattern(RDF_TYPE, (Var("X"), Var("C"))).predicate == TRIPLE
    True
    """
    predicate, places = _canonical(name, args, [_constant(arg) for arg in args], Const(TYPE))
    return PatternAtom(predicate, places)


def canonical_head(name: str, args: tuple[Arg | Blank, ...]) -> HeadAtom:
    """A head atom in canonical form; a fresh resource as a class leaves the atom generic."""
    predicate, places = _canonical(name, args, [_constant(arg) for arg in args], Const(TYPE))
    return HeadAtom(predicate, places)


def canonical_ground(name: str, args: tuple[Term, ...]) -> GroundAtom:
    """A streamed, background or derived atom in canonical form.

    >>> canonical_ground(TRIPLE.name, (IRI("ex:a"), IRI("ex:knows"), IRI("ex:b"))).predicate
    Predicate(name='ex:knows', arity=2)
    """
    predicate, places = _canonical(name, args, args, TYPE)
    return GroundAtom(predicate, places)


def _constant(arg: Arg | Blank) -> Term | None:
    return arg.term if isinstance(arg, Const) else None


def _canonical(
    name: str, args: tuple[T, ...], terms: Sequence[Term | None], rdf_type: T
) -> tuple[Predicate, tuple[T, ...]]:
    """The canonical predicate and arguments; `terms` are the arguments that are known, None the others."""
    if name == TRIPLE.name and len(args) == TRIPLE.arity and isinstance(terms[1], IRI):
        name, args, terms = terms[1].value, (args[0], args[2]), (terms[0], terms[2])
    if name != RDF_TYPE or len(args) != 2:
        return Predicate(name, len(args)), args
    match terms[1]:
        case IRI(value):
            return Predicate(value, 1), args[:1]
        case None:
            return TRIPLE, (args[0], rdf_type, args[1])
        case _:
            return Predicate(RDF_TYPE, 2), args
