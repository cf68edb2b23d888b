"""Building atoms, calls, expressions, conditions and blocks of triple patterns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from lark import Token, v_args

from laser_rdf.errors import Span
from laser_rdf.lang import ast
from laser_rdf.lang.build_terms import Name, Part, Terms, negated, span_between, span_of
from laser_rdf.lang.names import BUILT_IN_CONDITIONS, COMPARISON_WORDS
from laser_rdf.values.terms import IRI, RDF_TYPE, XSD_BOOLEAN, XSD_INTEGER, Literal

OPERATORS = {"≠": "!=", "≤": "<=", "≥": ">="}
TRUE = Literal("true", XSD_BOOLEAN)


@dataclass(slots=True)
class PendingCall:
    """`name(arg, …)` before it is known to be an atom or a function call."""

    name: Name
    args: tuple[ast.Expr | ast.Wildcard, ...]
    span: Span


class _Nested(Part):
    """`[ ex:p ?x ]` in a block: its blank node is the value, its patterns stand behind it."""

    patterns: list[ast.Pattern]


@v_args(inline=True)
class Formulas(Terms):
    """Atoms, conditions and blocks."""

    # --- atoms and calls -------------------------------------------------------------------------------

    def atom_bare(self, name: Name) -> ast.Atom:
        return ast.Atom(name.iri, (), name.span)

    def atom_call(self, call: PendingCall) -> ast.Atom | ast.Comparison:
        if call.name.word in BUILT_IN_CONDITIONS:
            return self._built_in(call)
        return ast.Atom(call.name.iri, tuple(self._argument(a) for a in call.args), call.span)

    def call(self, name: Name, *rest: Any) -> PendingCall:
        return PendingCall(name, rest[:-1], span_between(name, rest[-1]))

    def function(self, call: PendingCall) -> ast.Call:
        return ast.Call(call.name.word or call.name.iri, tuple(self._operands(call)), call.span)

    condition_call = atom_call

    def _operands(self, call: PendingCall) -> Iterator[ast.Expr]:
        for arg in call.args:
            if isinstance(arg, ast.Wildcard):
                self.problem("S006", "`_` as an argument of a function", arg.span, "give it a value")
            else:
                yield arg

    def _built_in(self, call: PendingCall) -> ast.Comparison:
        """`lt(X, Y)` and `regex(X, "a")` as the comparisons they stand for."""
        word, operands = call.name.word, tuple(self._operands(call))
        if word in COMPARISON_WORDS or word == "incr":
            if len(operands) != 2:
                self.problem("S013", f"`{word}` takes two arguments", call.span, f"write `{word}(X, Y)`")
                operands = (*operands, ast.Const(TRUE), ast.Const(TRUE))[:2]
            left, right = operands
            if word == "incr":
                one = ast.Const(Literal("1", XSD_INTEGER), call.span)
                return ast.Comparison("=", right, ast.Binary("+", left, one, left.span), call.span)
            return ast.Comparison(cast(ast.CompareOp, COMPARISON_WORDS[word]), left, right, call.span)
        return ast.Comparison("=", ast.Call(word, operands, call.span), ast.Const(TRUE, call.span), call.span)

    def _argument(self, arg: Any) -> ast.Arg:
        if isinstance(arg, ast.Var | ast.Const | ast.Wildcard):
            return arg
        self.problem(
            "S006",
            "an expression as an argument of an atom",
            arg.span,
            "bind it to a variable first, as in `?x := …`, and write the variable here",
        )
        return ast.Wildcard(arg.span)

    # --- conditions ------------------------------------------------------------------------------------

    def comparison(self, left: ast.Expr, op: Token, right: ast.Expr) -> ast.Comparison:
        symbol = cast(ast.CompareOp, OPERATORS.get(op, str(op)))
        return ast.Comparison(symbol, left, right, span_between(left, right))

    def assignment(self, target: ast.Var, value: ast.Expr) -> ast.Assignment:
        return ast.Assignment(target, value, span_between(target, value))

    def binary(self, left: ast.Expr, op: Token, right: ast.Expr) -> ast.Binary:
        return ast.Binary(cast(Any, str(op)), left, right, span_between(left, right))

    def minus(self, sign: Token, operand: ast.Expr) -> ast.Expr:
        span = span_between(sign, operand)
        if isinstance(operand, ast.Const) and (minus := negated(operand.term)):
            return ast.Const(minus, span)
        return ast.Unary("-", operand, span)

    def plus(self, sign: Token, operand: ast.Expr) -> ast.Expr:
        return operand

    # --- blocks ----------------------------------------------------------------------------------------

    def block(self, left: Token, *items: Any) -> ast.Block:
        *inner, right = items
        patterns = [p for part in inner if isinstance(part, Part) for p in part.value]
        conditions = tuple(self._block_condition(c) for c in inner if not isinstance(c, Part))
        return ast.Block(tuple(_relabelled(patterns)), conditions, span_between(left, right))

    def block_empty(self, left: Token, right: Token) -> ast.Block:
        span = span_between(left, right)
        self.problem("S014", "an empty block", span, "write at least one triple pattern between the braces")
        return ast.Block((), (), span)

    def _block_condition(self, condition: Any) -> ast.Comparison:
        if isinstance(condition, ast.Comparison):
            return condition
        self.problem(
            "S014",
            "an atom in a block",
            condition.span,
            "blocks hold triple patterns and conditions; move the atom out",
        )
        return ast.Comparison("=", ast.Const(TRUE), ast.Const(TRUE), condition.span)

    def triples(self, subject: Any, properties: Part | None = None) -> Part:
        node, patterns = self._node(subject)
        out = list(patterns)
        if isinstance(node, ast.Wildcard) and properties and len(properties.value) > 1:
            self.problem(
                "S014",
                "`_` as the subject of several patterns",
                node.span,
                "`_` is another value each time: write `[]`, which is one thing",
            )
        for verb, obj in properties.value if properties else ():
            target, below = self._node(obj)
            out.append(ast.Pattern(node, verb, target, span_between(verb, target)))
            out.extend(below)
        return Part(out, span_between(subject, properties or subject))

    def property_list(self, *properties: Part) -> Part:
        pairs = [pair for part in properties for pair in part.value]
        return Part(pairs, span_between(properties[0], properties[-1]))

    def property(self, verb: ast.Node, *objects: Any) -> Part:
        return Part([(verb, obj) for obj in objects], span_between(verb, objects[-1]))

    def verb_name(self, name: Name) -> ast.Const:
        return ast.Const(IRI(RDF_TYPE), name.span) if name.word == "a" else self.name_constant(name)

    def property_nodes(self, left: Token, properties: Part, right: Token) -> _Nested:
        span = span_between(left, right)
        nested = _Nested(self._fresh_blank(span), span)
        nested.patterns = self.triples(nested.value, properties).value
        return nested

    def blank_label(self, token: Token) -> ast.Blank:
        return ast.Blank(str(token[2:]), span_of(token))

    def blank_fresh(self, left: Token, right: Token) -> ast.Blank:
        return self._fresh_blank(span_between(left, right))

    def _fresh_blank(self, span: Span) -> ast.Blank:
        self._blanks += 1
        return ast.Blank(f"[]{self._blanks}", span)  # no label a user can write, until the block renames it

    def _node(self, item: Any) -> tuple[ast.Node, list[ast.Pattern]]:
        return (item.value, item.patterns) if isinstance(item, _Nested) else (item, [])

    def node_name(self, name: Name) -> ast.Const:
        if name.word == "a":
            self.problem(
                "S014", "`a` is a keyword inside a block", name.span, "write the name `a` as a full IRI there"
            )
        return self.name_constant(name)


def _relabelled(patterns: list[ast.Pattern]) -> Iterator[ast.Pattern]:
    """The patterns with blank nodes named b1, b2, … in order of appearance."""
    labels: dict[str, str] = {}

    def renamed(node: ast.Node) -> ast.Node:
        if not isinstance(node, ast.Blank):
            return node
        return ast.Blank(labels.setdefault(node.label, f"b{len(labels) + 1}"), node.span)

    for p in patterns:
        yield ast.Pattern(renamed(p.subject), renamed(p.predicate), renamed(p.object), p.span)
