"""Values in generated code: expressions, comparisons, assignments.

V >= 100   →   if (v0 >= k0) if type(v0) is int else compare('>=', v0, k0):
"""

from __future__ import annotations

from typing import assert_never

from laser_rdf.codegen.places import Piece, Place
from laser_rdf.lang.ast import Binary, Call, Comparison, Const, Expr, Unary, Var
from laser_rdf.plan.core import (
    TimeOf,
    V,
)

_OPERATIONS = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide", "mod": "modulo"}


class Values(Piece):
    """Writes what is computed and compared."""

    def _let(self, target: V, value: Expr, place: Place) -> Place:
        source, place = self._expression(value, place)
        name, place = self._name(place)
        self.out.add(place.indent, f"{name} = {source}")
        if isinstance(value, Unary | Binary | Call):
            place = self._if(f"{name} is not None", place)
        return self._bind(target, name, place)

    def _time_of(self, step: TimeOf, place: Place) -> Place:
        source, place = self._expression(step.value, place)
        name, place = self._name(place)
        self.out.add(place.indent, f"{name} = time_of({source})")
        if not step.lenient:
            place = self._if(f"{name} is not None", place)
        return self._bind(step.target, name, place)

    def _test(self, comparison: Comparison, place: Place) -> Place:
        left, place = self._expression(comparison.left, place)
        right, place = self._expression(comparison.right, place)
        op = "==" if comparison.op == "=" else comparison.op
        sides = {left: comparison.left, right: comparison.right}
        unsure = [self._is_int(name) for name, expr in sides.items() if not self._is_integer(expr)]
        fast, slow = f"{left} {op} {right}", f"compare({comparison.op!r}, {left}, {right})"
        return self._if(f"({fast}) if {' and '.join(unsure)} else {slow}" if unsure else fast, place)

    def _is_int(self, name: str) -> str:
        """The test whether a value is a Python integer; for a column of the first row, made once."""
        if self.shares_columns and not self.inside_part and name[0] == "c":
            self.integers[name] = None
            return f"i{name}"
        return f"type({name}) is int"

    def _is_integer(self, expr: Expr) -> bool:
        return isinstance(expr, Const) and type(self.names.encode(expr.term)) is int

    def _expression(self, expr: Expr, place: Place) -> tuple[str, Place]:
        """A name that holds the value of an expression."""
        match expr:
            case Var(name=name):
                return place.env[name], place
            case Const(term=term):
                return self.names.constant(term), place
            case Unary(operand=operand):
                inner, place = self._expression(operand, place)
                source = f"negate({inner})"
            case Binary(op=op, left=left, right=right):
                first, place = self._expression(left, place)
                second, place = self._expression(right, place)
                source = f"{_OPERATIONS[op]}({first}, {second})"
            case Call(function=function, args=args):
                values = [self.names.constants.name(function)]
                for arg in args:
                    value, place = self._expression(arg, place)
                    values.append(value)
                source = f"call({', '.join(values)})"
            case _:
                assert_never(expr)
        name, place = self._name(place)
        self.out.add(place.indent, f"{name} = {source}")
        return name, place
