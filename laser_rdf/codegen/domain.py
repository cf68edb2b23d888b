"""Values inside the engine: Python values that are equal exactly when the terms are.

    IRI under the program's base   ↔   str          urn:laser:local:a        ↔  "a"
    small canonical xsd:integer    ↔   int          "5"^^xsd:integer         ↔  5
    every other term               ↔   itself       "05"^^xsd:integer stays a Literal

No bool and no float occurs inside: Python's 1, True and 1.0 are equal, the terms are not. Operations answer
None where the semantics says that there is no value; None as an operand gives None.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import Any

from laser_rdf.check import CheckedProgram
from laser_rdf.errors import UsageError
from laser_rdf.lang.names import local_iri
from laser_rdf.values import (
    IRI,
    XSD_INTEGER,
    BlankNode,
    Clock,
    FunctionTable,
    Literal,
    NoValue,
    Term,
    add,
    compare,
    divide,
    fresh_resource,
    from_term,
    modulo,
    multiply,
    negate,
    subtract,
    time_point_of,
    to_term,
)

Value = Any
"""str, int or Term."""

LIMIT = 10**18
NO_FACT = "a fact is a pair of a predicate and a tuple of arguments, as ('p', ('a', 5))"
_NAME = re.compile(r"\w(?:[\w-]*\w)?")
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}")


_PLAIN = {str, int}


def _is_plain(values: list[Any], types: set[type]) -> bool:
    """Whether a column has only names and small integers; texts are judged all of them put together."""
    if int in types:
        numbers = values if len(types) == 1 else [v for v in values if type(v) is int]
        if not (min(numbers) > -LIMIT and max(numbers) < LIMIT):
            return False
    if str in types:
        texts = values if len(types) == 1 else [v for v in values if type(v) is str]
        return ("_" + "".join(texts)).isidentifier() and "" not in texts
    return True


class Domain:
    """The values of one program: its base decides which IRIs are names."""

    def __init__(self, base: str, functions: FunctionTable, clock: Clock) -> None:
        self.base = base
        self.functions = functions
        self.clock = clock
        self.is_plain = True
        """Whether every value so far is a name or a small integer, which leave the engine as they are."""

    # --- in and out ------------------------------------------------------------------------------------

    def encode(self, term: Term) -> Value:
        """The value that stands for a term."""
        if isinstance(term, IRI):
            if term.value.startswith(self.base):
                name = term.value[len(self.base) :]
                if _NAME.fullmatch(name) and local_iri(name, self.base) == term.value:
                    return name
        elif isinstance(term, Literal) and term.datatype == XSD_INTEGER and _INTEGER.fullmatch(term.lexical):
            return int(term.lexical)
        self.is_plain = False
        return term

    def decode(self, value: Value) -> Term:
        """The term a value stands for."""
        if type(value) is int:
            return Literal(str(value), XSD_INTEGER)
        if type(value) is str:
            return IRI(local_iri(value, self.base))
        return value  # type: ignore[no-any-return]

    def accept(self, value: object) -> Value:
        """The value for what a Python caller passes: a name, a number, a truth value or a term."""
        if type(value) is str:
            if not _NAME.fullmatch(value):
                raise UsageError(
                    f"{value!r} is no name: letters, digits, `_`, inner `-`; a text is Literal({value!r})"
                )
            return value
        if type(value) is int and -LIMIT < value < LIMIT:
            return value
        if isinstance(value, IRI | BlankNode | Literal):
            return self.encode(value)
        return self.encode(to_term(value))

    def accept_all(self, rows: list[tuple[object, ...]]) -> list[tuple[Value, ...]]:
        """The rows a Python caller passes, each once; names and small integers are recognised all at once.

        Rows of different lengths are a ValueError: they belong to different predicates.
        """
        width = len(rows[0])
        columns = [itemgetter(i) for i in range(width)]
        try:
            kinds = [set(map(type, map(column, rows))) for column in columns]
        except IndexError:
            raise ValueError("rows of different lengths") from None
        if all(types <= _PLAIN for types in kinds):
            distinct = list(dict.fromkeys(rows))  # of these types, equal values are one term
            if set(map(len, distinct)) != {width}:
                raise ValueError("rows of different lengths")
            values = (list(map(column, distinct)) for column in columns)
            if set(map(type, distinct)) == {tuple} and all(map(_is_plain, values, kinds)):
                return distinct
        elif set(map(len, rows)) != {width}:
            raise ValueError("rows of different lengths")
        if set(map(type, rows)) != {tuple}:
            raise UsageError(NO_FACT)
        return list(dict.fromkeys(tuple(map(self.accept, row)) for row in rows))

    def give_all(self, rows: Iterable[tuple[Value, ...]]) -> Iterable[tuple[object, ...]]:
        """Rows for a Python caller."""
        if self.is_plain:
            return rows
        return [tuple(map(self.give, row)) for row in rows]

    def give(self, value: Value) -> object:
        """What a Python caller gets: numbers and truth values as Python has them."""
        return from_term(value) if type(value) is Literal else value

    # --- operations ------------------------------------------------------------------------------------

    def compare(self, op: str, left: Value, right: Value) -> bool:
        """Whether a comparison holds; one without a value does not."""
        if left is None or right is None:
            return False
        return compare(op, self.decode(left), self.decode(right))

    def _binary(self, operation: Callable[[Term, Term], Term]) -> Callable[[Value, Value], Value]:
        def apply(left: Value, right: Value) -> Value:
            if left is None or right is None:
                return None
            try:
                return self.encode(operation(self.decode(left), self.decode(right)))
            except NoValue:
                return None

        return apply

    def add(self, left: Value, right: Value) -> Value:
        """Sum."""
        if type(left) is int and type(right) is int and -LIMIT < (total := left + right) < LIMIT:
            return total
        return self._binary(add)(left, right)

    def subtract(self, left: Value, right: Value) -> Value:
        """Difference."""
        if type(left) is int and type(right) is int and -LIMIT < (difference := left - right) < LIMIT:
            return difference
        return self._binary(subtract)(left, right)

    def multiply(self, left: Value, right: Value) -> Value:
        """Product."""
        if type(left) is int and type(right) is int and -LIMIT < (product := left * right) < LIMIT:
            return product
        return self._binary(multiply)(left, right)

    def divide(self, left: Value, right: Value) -> Value:
        """Quotient."""
        return self._binary(divide)(left, right)

    def modulo(self, left: Value, right: Value) -> Value:
        """Remainder, with the sign of the dividend."""
        return self._binary(modulo)(left, right)

    def binary(self, op: str, left: Value, right: Value) -> Value:
        """The operation that an operator of the language stands for."""
        operations = {
            "+": self.add,
            "-": self.subtract,
            "*": self.multiply,
            "/": self.divide,
            "mod": self.modulo,
        }
        return operations[op](left, right)

    def negate(self, value: Value) -> Value:
        """The number with the other sign."""
        if value is None:
            return None
        try:
            return self.encode(negate(self.decode(value)))
        except NoValue:
            return None

    def call(self, function: str, *args: Value) -> Value:
        """The value of a function."""
        if None in args:
            return None
        try:
            return self.encode(self.functions[function].call(tuple(map(self.decode, args)), self.clock))
        except NoValue:
            return None

    def time(self, value: Value) -> int | None:
        """The time point a value names."""
        if type(value) is int:
            return value
        return None if value is None else time_point_of(self.decode(value))

    def fresh(self, rule: str, label: str, values: Sequence[Value], time: int | None) -> Value:
        """The fresh resource of a head block."""
        return self.encode(fresh_resource(rule, label, [self.decode(v) for v in values], time))


def domain_of(program: CheckedProgram) -> Domain:
    """The values of a program that is fed names, numbers and terms."""
    return Domain(program.program.base, program.functions, program.clock)
