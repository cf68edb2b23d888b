"""SPARQL expressions → conditions and expressions of rules.

A condition of SPARQL is true, false, or an error, and `||` and `&&` can recover from an error. A rule's body
is a conjunction of conditions that hold or not. So a filter becomes its alternatives: the conjunctions of
which at least one must hold for it to be true.

    ?v > 60 || ?w = 1     →   V > 60   or   W = 1
    !(?v < 60 || ?w = 1)  →   sparql_less(V, 60) = false, sparql_equal(W, 1) = false

`true_when` and `false_when` give these; an expression that is an error for certain has neither.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from typing import Any

from laser_rdf.lang.ast import Call, Comparison, Const, Expr, Var
from laser_rdf.rdf.event_text import term_of
from laser_rdf.values import RDF, Literal, NoValue
from laser_rdf.values.functions_sparql import negate
from laser_rdf.values.kinds import Kind, value_of
from laser_rdf.values.native import FALSE, TRUE

MAX_ALTERNATIVES = 64

Conjunction = tuple[Comparison, ...]
Alternatives = list[Conjunction]

_YES, _NO = Const(TRUE), Const(FALSE)
_ALWAYS: Alternatives = [()]
_NEVER: Alternatives = []
_NIL = RDF + "nil"
_MIRRORED = {">": "<", ">=": "<="}
_ORDERS = {"<": "sparql_less", "<=": "sparql_at_most"}
_ARITHMETIC = {"+": "sparql_add", "-": "sparql_subtract", "*": "sparql_multiply", "/": "sparql_divide"}

_SAME = {
    "STR": "str",
    "LANG": "lang",
    "DATATYPE": "datatype",
    "STRLEN": "strlen",
    "LCASE": "lcase",
    "UCASE": "ucase",
    "CONTAINS": "contains",
    "STRSTARTS": "strstarts",
    "STRENDS": "strends",
    "YEAR": "year",
    "MONTH": "month",
    "DAY": "day",
    "HOURS": "hours",
    "MINUTES": "minutes",
    "isIRI": "sparql_is_iri",
    "isURI": "sparql_is_iri",
    "isBLANK": "sparql_is_blank",
    "isLITERAL": "sparql_is_literal",
    "isNUMERIC": "sparql_is_numeric",
    "sameTerm": "sparql_same_term",
    "LANGMATCHES": "sparql_lang_matches",
}
"""Functions of SPARQL and those of a rule that mean the same."""
_BY_CAPITALS = {name.upper(): function for name, function in _SAME.items()}
_NUMBERS = {"ABS": "abs", "CEIL": "ceil", "FLOOR": "floor", "ROUND": "round", "SECONDS": "seconds"}

# What RE2 and pyoxigraph's engine read alike: no classes by letter, no counts, no flags inside.
_PLAIN_REGEX = re.compile(
    r"\^?(?:(?:[\w ,;:=@#%\"'!<>/~-]|\.|\[\^?[A-Za-z0-9_ ]+(?:-[A-Za-z0-9])?\]|\((?!\?)|\))[*+?]?\|?)*\$?",
    re.ASCII,
)


class Leave(Exception):
    """Something that rules cannot say, or not exactly: it is left to pyoxigraph. Carries what it is."""


class Unbound(Exception):
    """An expression that is an error for certain: a variable in it has no value here."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The variables a part of a query binds: to what, and whether they may be left without a value."""

    terms: dict[str, Var | Const]
    maybe: frozenset[str]

    def of(self, name: str) -> Var | Const:
        """What a variable stands for."""
        try:
            return self.terms[name]
        except KeyError:
            raise Unbound from None


# --- conditions ------------------------------------------------------------------------------------------


def true_when(node: Any, scope: Scope) -> Alternatives:
    """The alternatives of which one must hold for the expression to be true."""
    return _when(node, scope, True)


def false_when(node: Any, scope: Scope) -> Alternatives:
    """The alternatives of which one must hold for the expression to be false, and not an error."""
    return _when(node, scope, False)


def _when(node: Any, scope: Scope, wanted: bool) -> Alternatives:
    name = getattr(node, "name", None)
    try:
        match name:
            case "ConditionalOrExpression" | "ConditionalAndExpression":
                parts = [_when(part, scope, wanted) for part in (node.expr, *node.other)]
                return any_of(parts) if (name == "ConditionalOrExpression") == wanted else all_of(parts)
            case "UnaryNot":
                return _when(node.expr, scope, not wanted)
            case "RelationalExpression":
                return _comparison(node, scope, wanted)
            case "Builtin_BOUND":
                return _bound(str(node.arg), scope, wanted)
            case _:
                return _tested(node, scope, wanted)
    except Unbound:
        return _NEVER


def any_of(parts: Iterable[Alternatives]) -> Alternatives:
    """One of the parts holds."""
    return _limited(list(dict.fromkeys(conjunction for part in parts for conjunction in part)))


def all_of(parts: Iterable[Alternatives]) -> Alternatives:
    """All parts hold."""
    found = _ALWAYS
    for part in parts:
        found = _limited([tuple(dict.fromkeys(a + b)) for a, b in product(found, part)])
    return found


def _limited(found: Alternatives) -> Alternatives:
    if len(found) > MAX_ALTERNATIVES:
        raise Leave(f"a filter of over {MAX_ALTERNATIVES} alternatives")
    return found


def _bound(name: str, scope: Scope, wanted: bool) -> Alternatives:
    if name not in scope.terms:
        return _NEVER if wanted else _ALWAYS
    if name not in scope.maybe:
        return _ALWAYS if wanted else _NEVER
    if not wanted:
        raise Leave("BOUND of a variable that BIND may leave without a value")
    variable = scope.of(name)
    return [(Comparison("=", Call("sparql_same_term", (variable, variable)), _YES),)]


def _tested(node: Any, scope: Scope, wanted: bool) -> Alternatives:
    """A value taken for true or false."""
    expr = value(node, scope)
    if isinstance(expr, Const) and value_of(expr.term).kind is Kind.BOOLEAN:
        return _ALWAYS if value_of(expr.term).key is wanted else _NEVER
    if not (isinstance(expr, Call) and expr.function in _BOOLEAN):
        expr = Call("sparql_true", (expr,))
    return [(Comparison("=", expr, _YES if wanted else _NO),)]


_BOOLEAN = frozenset(
    {
        *("contains", "strstarts", "strends", "regex", "sparql_lang_matches", "sparql_same_term"),
        *("sparql_equal", "sparql_less", "sparql_at_most", "sparql_in", "sparql_not"),
        *("sparql_is_iri", "sparql_is_blank", "sparql_is_literal", "sparql_is_numeric"),
    }
)


def _comparison(node: Any, scope: Scope, wanted: bool) -> Alternatives:
    op = str(node.op)
    if op in ("IN", "NOT IN"):
        return _membership(node, scope, wanted if op == "IN" else not wanted)
    left, right = value(node.expr, scope), value(node.other, scope)
    if op in ("=", "!="):
        return [(_equality(left, right, wanted if op == "=" else not wanted),)]
    return [(_order(op, left, right, wanted),)]


def _equality(left: Expr, right: Expr, wanted: bool) -> Comparison:
    """The language's own `=` where one side is of a kind for which both mean the same: it is faster."""
    for side in (left, right):
        if isinstance(side, Const):
            kind = value_of(side.term).kind
            if not isinstance(side.term, Literal) or side.term.language:
                return Comparison("=" if wanted else "!=", left, right)
            if wanted and kind in (Kind.NUMBER, Kind.STRING, Kind.BOOLEAN):
                return Comparison("=", left, right)
    return Comparison("=", Call("sparql_equal", (left, right)), _YES if wanted else _NO)


def _order(op: str, left: Expr, right: Expr, wanted: bool) -> Comparison:
    if wanted and any(_has_own_order(side) for side in (left, right)):
        return Comparison(op, left, right)  # type: ignore[arg-type]
    if op in _MIRRORED:
        op, left, right = _MIRRORED[op], right, left
    return Comparison("=", Call(_ORDERS[op], (left, right)), _YES if wanted else _NO)


def _has_own_order(side: Expr) -> bool:
    if not isinstance(side, Const):
        return False
    worth = value_of(side.term)
    # pyoxigraph puts NaN in its own place, although it does not equal itself.
    return worth.kind is Kind.STRING or (worth.kind is Kind.NUMBER and worth.key.value == worth.key.value)


def _items(node: Any) -> list[Any]:
    # rdflib reads `()` as the empty list of RDF.
    return (
        list(node.other) if isinstance(node.other, list) else [] if str(node.other) == _NIL else [node.other]
    )


def _membership(node: Any, scope: Scope, wanted: bool) -> Alternatives:
    items = _items(node)
    subject = value(node.expr, scope)
    try:
        members = [value(item, scope) for item in items]
    except Unbound:
        members = []
    if len(members) == len(items) and all(map(_never_fails(scope), members)):
        if len(members) == 1:
            return [(_equality(subject, members[0], wanted),)]
        return [(Comparison("=", Call("sparql_in", (subject, *members)), _YES if wanted else _NO),)]
    parts: list[Alternatives] = []
    for item in items:
        try:
            parts.append([(_equality(subject, value(item, scope), wanted),)])
        except Unbound:
            parts.append(_NEVER)
    return any_of(parts) if wanted else all_of(parts)


def _never_fails(scope: Scope) -> Any:
    def check(expr: Expr) -> bool:
        return isinstance(expr, Const) or (isinstance(expr, Var) and expr.name not in scope.maybe)

    return check


# --- values ----------------------------------------------------------------------------------------------


def value(node: Any, scope: Scope) -> Expr:
    """The expression as rules compute it."""
    import rdflib

    if isinstance(node, rdflib.Variable):
        return scope.of(str(node))
    if isinstance(node, rdflib.URIRef | rdflib.Literal):
        return Const(term_of(node))
    name = str(getattr(node, "name", type(node).__name__))
    match name:
        case "AdditiveExpression" | "MultiplicativeExpression":
            return _chain(node, scope)
        case "UnaryMinus":
            return _minus(value(node.expr, scope))
        case "UnaryNot":
            return Call("sparql_not", (value(node.expr, scope),))
        case "RelationalExpression":
            return _truth_value(node, scope)
        case _ if name.startswith("Builtin_"):
            return _function(name.removeprefix("Builtin_"), node, scope)
        case "Function":
            raise Leave(f"the function <{node.iri}>")
        case "ConditionalOrExpression" | "ConditionalAndExpression":
            raise Leave("`||` or `&&` outside a filter")
        case _:
            raise Leave(f"{name} in an expression")


def _minus(operand: Expr) -> Expr:
    if isinstance(operand, Const):
        try:
            return Const(negate(operand.term))  # `-20` is a constant, and compared like one
        except NoValue:
            raise Unbound from None
    return Call("sparql_minus", (operand,))


def _chain(node: Any, scope: Scope) -> Expr:
    found = value(node.expr, scope)
    for op, other in zip(node.op, node.other, strict=True):
        found = Call(_ARITHMETIC[str(op)], (found, value(other, scope)))
    return found


def _truth_value(node: Any, scope: Scope) -> Expr:
    """A comparison whose result is used as a value."""
    op = str(node.op)
    if op in ("IN", "NOT IN"):
        members = [value(item, scope) for item in _items(node)]
        if not all(map(_never_fails(scope), members)):
            raise Leave("IN with members that may have no value, outside a filter")
        found = Call("sparql_in", (value(node.expr, scope), *members))
        return found if op == "IN" else Call("sparql_not", (found,))
    left, right = value(node.expr, scope), value(node.other, scope)
    if op in ("=", "!="):
        found = Call("sparql_equal", (left, right))
        return found if op == "=" else Call("sparql_not", (found,))
    if op in _MIRRORED:
        op, left, right = _MIRRORED[op], right, left
    return Call(_ORDERS[op], (left, right))


def _arguments(node: Any) -> list[Any]:
    """The arguments of a function in their order, whatever rdflib calls them."""
    found: list[Any] = []
    for key, item in node.items():
        if not str(key).startswith("_"):
            found += item if isinstance(item, list) else [item]
    return [item for item in found if item is not None]


def _function(name: str, node: Any, scope: Scope) -> Expr:
    upper = name.upper()
    if upper == "BOUND":
        alternatives = _bound(str(node.arg), scope, True)
        if alternatives in (_ALWAYS, _NEVER):
            return _YES if alternatives else _NO
        raise Leave("BOUND of a variable that BIND may leave without a value")
    if upper not in _BY_CAPITALS and upper not in _NUMBERS and upper not in ("CONCAT", "REGEX"):
        raise Leave("EXISTS" if "EXISTS" in upper else f"the function {upper}")
    args = tuple(value(arg, scope) for arg in _arguments(node))
    if upper in _BY_CAPITALS:
        return Call(_BY_CAPITALS[upper], args)
    if upper in _NUMBERS:
        return Call("sparql_number", (Call(_NUMBERS[upper], args),))
    if upper == "CONCAT":
        return Call("concat", args) if args else Const(Literal(""))
    return _regex(args)


def _regex(args: tuple[Expr, ...]) -> Expr:
    if len(args) > 2:
        raise Leave("REGEX with flags")
    pattern = args[1]
    if not (isinstance(pattern, Const) and isinstance(pattern.term, Literal)):
        raise Leave("REGEX with a pattern that is computed")
    if not _PLAIN_REGEX.fullmatch(pattern.term.lexical):
        raise Leave("REGEX with a pattern that two engines may read differently")
    return Call("regex", args)
