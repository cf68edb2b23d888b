"""Values inside the engine when its facts come from RDF graphs: those of an interner.

All programs of a run share one interner, so that what one derives another takes as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from laser_rdf.check import CheckedProgram
from laser_rdf.codegen.domain import Domain
from laser_rdf.rdf.interner import Interner, Symbol, Value, term_of
from laser_rdf.values import XSD_INTEGER, Literal, Term
from laser_rdf.values.compare import equal_values, ordered_values
from laser_rdf.values.kinds import Kind, Valued, value_of


@lru_cache(maxsize=1 << 14)
def _worth_of_integer(value: int) -> Valued:
    return value_of(Literal(str(value), XSD_INTEGER))


class SymbolDomain(Domain):
    """Symbols, and Python's integers for small canonical ones."""

    def __init__(self, program: CheckedProgram, interner: Interner) -> None:
        super().__init__(program.program.base, program.functions, program.clock)
        self.interner = interner

    def encode(self, term: Term) -> Value:
        """The value that stands for a term."""
        return self.interner.of_term(term)

    def decode(self, value: Value) -> Term:
        """The term a value stands for."""
        return term_of(value)

    def accept(self, value: object) -> Value:
        """The value for what a Python caller passes; values of the interner are taken as they are."""
        if isinstance(value, Symbol):
            return value
        accepted = super().accept(value)
        return self.interner.of_term(super().decode(accepted)) if type(accepted) is str else accepted

    def accept_all(self, rows: list[tuple[object, ...]]) -> list[tuple[Value, ...]]:
        """The rows a Python caller passes, each once."""
        if len(set(map(len, rows))) != 1:
            raise ValueError("rows of different lengths")
        return list(dict.fromkeys(tuple(map(self.accept, row)) for row in rows))

    def give_all(self, rows: Iterable[tuple[Value, ...]]) -> Iterable[tuple[object, ...]]:
        """Rows for a Python caller."""
        return [tuple(map(self.give, row)) for row in rows]

    def give(self, value: Value) -> object:
        """What a Python caller gets: names, numbers and truth values as Python has them, terms otherwise."""
        return super().give(super().encode(term_of(value)))

    def compare(self, op: str, left: Value | None, right: Value | None) -> bool:
        """Whether a comparison holds; what a term is worth was decided when it was first compared."""
        if left is None or right is None:
            return False
        x = _worth_of_integer(left) if type(left) is int else left.worth  # type: ignore[union-attr]
        y = _worth_of_integer(right) if type(right) is int else right.worth  # type: ignore[union-attr]
        if op == "=" or op == "!=":
            same = left is right if x.kind is Kind.OTHER is y.kind else equal_values(x, y)
            return same is (op == "=")
        return ordered_values(op, x, y)


def symbols_of(interner: Interner) -> Callable[[CheckedProgram], SymbolDomain]:
    """The domain of an `Engine` whose values are those of an interner.

    >>> from laser_rdf import Engine, Program
    >>> engine = Engine(Program.parse("#external p/1 . q(X) :- p(X)."), domain=symbols_of(Interner()))
    >>> engine.step(1, [("p", ("a",))]).added
    [('q', ('a',))]
    """
    return lambda program: SymbolDomain(program, interner)
