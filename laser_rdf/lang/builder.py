"""From what the grammar recognises to the syntax tree, bottom up, while the parser runs.

One method per rule (or alias) of `grammar.lark`, of the same name. The builder is called at every
reduction of the LALR parser, so there is no parse tree and no recursion, however deep the input nests.
Statements are collected as they are completed; problems that are not of the grammar (an unknown prefix, a
bad escape) are collected too and parsing goes on.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, cast, get_args

from lark import Token, v_args

from laser_rdf.errors import Span
from laser_rdf.lang import ast
from laser_rdf.lang.build_formulas import Formulas
from laser_rdf.lang.build_terms import MAX_DIGITS, Name, Part, span_between, span_of
from laser_rdf.lang.depth import MAX_DEPTH, too_deep
from laser_rdf.values import milliseconds
from laser_rdf.values.terms import LOCAL_BASE, XSD_INTEGER, Literal

UNITS: dict[str, ast.Unit] = {
    "ms": "ms",
    "msec": "ms",
    "s": "s",
    "sec": "s",
    "min": "min",
    "h": "h",
    "d": "d",
}
UNIT_MS: dict[ast.Unit, int] = {"ms": 1, "s": 1000, "min": 60_000, "h": 3_600_000, "d": 86_400_000}


class _Window(Part):
    pass


class _From(Part):
    pass


class _On(Part):
    pass


class _Step(Part):
    pass


@v_args(inline=True)
class Builder(Formulas):
    """Collects one program; `reset` makes it ready for the next."""

    # --- statements ------------------------------------------------------------------------------------

    def start(self, *_: None) -> None:
        """Nothing left to do: statements were collected on the way."""

    def prefix(self, name: Token, iri: Token) -> None:
        span = span_between(name, iri)
        self.prefixes[name[:-1]] = ast.Prefix(str(name[:-1]), self._iri(iri), span)

    def base(self, iri: Token) -> None:
        self.base_iri = self._iri(iri)

    def show(self, *refs: ast.PredicateRef) -> None:
        self.shows.extend(refs)

    def external(self, *refs: ast.PredicateRef) -> None:
        self.externals.extend(refs)

    def const(self, name: Token, value: ast.Const) -> None:
        span = span_between(name, value)
        if name in self.constants:
            self.problem("S010", f"`#const {name}` is defined twice", span, "remove one of the definitions")
        elif name in self._plain_names:
            self.problem(
                "S010",
                f"`{name}` was already used as a name before `#const {name}`",
                span,
                "move the definition before the first use, so that every use means the same",
            )
        self.constants[str(name)] = ast.Constant(str(name), value.term, span)

    def predicate_ref(self, name: Name, arity: Token | None = None) -> ast.PredicateRef:
        end: Any = name if arity is None else arity
        return ast.PredicateRef(
            name.iri, None if arity is None else self._integer(arity), span_between(name, end)
        )

    def rule(self, head: ast.Head, body: Part | None = None) -> None:
        items: tuple[ast.BodyItem, ...] = body.value if body else ()
        rule = ast.Rule(head, items, span_between(head, body or head))
        if self._words and self._symbols:
            self.problem(
                "S004",
                "one rule mixes operators in words and in symbols",
                self._symbols,
                "write the whole rule in words (`p at T in [5]`) or in symbols (`⊞[5] @T p`)",
            )
        for expr in too_deep(rule):
            self.problem(
                "S007",
                f"an expression nested deeper than {MAX_DEPTH} levels",
                expr.span,
                "split it with `:=` into several steps",
            )
        self.rules.append(rule)
        self.drop_statement()

    def head_now(self, unit: Any) -> ast.Head:
        return ast.Head(self._head_formula(unit), None, unit.span)

    def head_at(self, unit: Any, at: ast.Expr) -> ast.Head:
        self._words = self._words or at.span
        return ast.Head(self._head_formula(unit), at, span_between(unit, at))

    def head_at_symbol(self, at: ast.Expr, unit: Any) -> ast.Head:
        self._symbols = self._symbols or at.span
        return ast.Head(self._head_formula(unit), at, span_between(at, unit))

    def _head_formula(self, unit: Any) -> ast.Atom | ast.Block:
        formula = unit
        if isinstance(unit, ast.Comparison):
            self.problem(
                "S013",
                "a built-in condition cannot be derived",
                unit.span,
                "choose another predicate name, or write this one as a full IRI",
            )
            return ast.Atom(LOCAL_BASE + "error", (), unit.span)
        if isinstance(unit, ast.Block) and unit.conditions:
            self.problem(
                "S014", "a condition in a head block", unit.conditions[0].span, "move it into the rule's body"
            )
        return cast("ast.Atom | ast.Block", formula)

    def body(self, *items: ast.BodyItem) -> Part:
        return Part(items, span_between(items[0], items[-1]))

    # --- literals --------------------------------------------------------------------------------------

    def plain(self, unit: Any, *parts: Part) -> ast.Literal | ast.Comparison:
        if isinstance(unit, ast.Comparison) and not parts:
            return unit
        return self._literal(unit, ast.Quantifier.NOW, parts)

    def now_words(self, unit: Any, *parts: Part) -> ast.Literal:
        return self._literal(unit, ast.Quantifier.NOW, parts, words=True)

    def some_words(self, unit: Any, *parts: Part) -> ast.Literal:
        return self._literal(unit, ast.Quantifier.SOME, parts, words=True)

    def always_words(self, unit: Any, *parts: Part) -> ast.Literal:
        return self._literal(unit, ast.Quantifier.ALWAYS, parts, words=True)

    def at_words(self, unit: Any, at: ast.Expr, *parts: Part) -> ast.Literal:
        return self._literal(unit, ast.Quantifier.AT, parts, at, words=True)

    def now_symbols(self, *parts: Any) -> ast.Literal:
        return self._symbol_literal(ast.Quantifier.NOW, parts)

    def some_symbols(self, *parts: Any) -> ast.Literal:
        return self._symbol_literal(ast.Quantifier.SOME, parts)

    def always_symbols(self, *parts: Any) -> ast.Literal:
        return self._symbol_literal(ast.Quantifier.ALWAYS, parts)

    def at_symbols(self, *parts: Any) -> ast.Literal:
        return self._symbol_literal(ast.Quantifier.AT, parts)

    at_symbols_bare = at_symbols

    def _symbol_literal(self, quantifier: ast.Quantifier, parts: tuple[Any, ...]) -> ast.Literal:
        optional = tuple(p for p in parts if isinstance(p, Part))
        *at, unit = (p for p in parts if not isinstance(p, Part))
        return self._literal(
            unit, quantifier, optional, at[0] if at else None, symbols=span_between(parts[0], unit)
        )

    def _literal(
        self,
        unit: Any,
        quantifier: ast.Quantifier,
        parts: Iterable[Part],
        at: ast.Expr | None = None,
        *,
        words: bool = False,
        symbols: Span | None = None,
    ) -> ast.Literal:
        window: ast.Window | None = None
        reference: ast.Expr | None = None
        stream: str | None = None
        last: Any = at or unit
        for part in parts:
            match part:
                case _Window():
                    window = part.value
                case _From():
                    reference = part.value
                case _On():
                    stream = part.value
            last = last if symbols else part
        span = symbols or span_between(unit, last)
        if symbols:
            self._symbols = self._symbols or span
        elif words:
            self._words = self._words or span
        if isinstance(unit, ast.Comparison):
            self.problem(
                "S013",
                "an operator on a built-in condition",
                span,
                "a condition has no time: remove the operator",
            )
            unit = ast.Atom(LOCAL_BASE + "error", (), span)
        if window is None and quantifier in (ast.Quantifier.SOME, ast.Quantifier.ALWAYS):
            window = ast.AllWindow(span)
        if reference is not None and window is None:
            self.problem(
                "S011",
                "`from` without a window",
                span,
                "add the window that is taken at that time point, as in `p in [5] from R`",
            )
            reference = None
        return ast.Literal(unit, quantifier, at, window, reference, stream, False, span)

    def negation(self, literal: ast.Literal | ast.Comparison) -> ast.Literal | ast.Comparison:
        if isinstance(literal, ast.Comparison):
            self.problem(
                "S013",
                "`not` before a condition",
                literal.span,
                "write the opposite condition, as `X >= Y` for `X < Y`",
            )
            return literal
        return ast.Literal(
            literal.formula,
            literal.quantifier,
            literal.at,
            literal.window,
            literal.reference,
            literal.stream,
            True,
            literal.span,
        )

    def in_window(self, left: Token, window: ast.Window, right: Token) -> _Window:
        return _Window(window, span_between(left, right))

    window_sign = in_window

    def from_(self, expr: ast.Expr) -> _From:
        return _From(expr, expr.span)

    def reference(self, expr: ast.Expr) -> _From:
        return _From(expr, expr.span)

    def on(self, name: Token) -> _On:
        return _On(str(name) if name.type == "NAME" else self._string(name), span_of(name))

    # --- windows ---------------------------------------------------------------------------------------

    def window_all(self, word: Token) -> ast.AllWindow:
        return ast.AllWindow(span_of(word))

    def window_back(self, back: ast.Size, step: _Step | None = None) -> ast.TimeWindow:
        return self._time_window(back, ast.ZERO, step, back)

    def window_ahead(self, ahead: ast.Size, step: _Step | None = None) -> ast.TimeWindow:
        return self._time_window(ast.ZERO, ahead, step, ahead)

    def window_both(self, back: ast.Size, ahead: ast.Size, step: _Step | None = None) -> ast.TimeWindow:
        return self._time_window(back, ahead, step, back)

    def _time_window(
        self, back: ast.Size, ahead: ast.Size, step: _Step | None, first: ast.Size
    ) -> ast.TimeWindow:
        last = step or (ahead if ahead is not ast.ZERO else back)
        return ast.TimeWindow(back, ahead, step.value if step else None, span_between(first, last))

    def step(self, size: ast.Size) -> _Step:
        return _Step(size, size.span)

    def window_tuple(self, rows: Part, of: ast.PredicateRef | None = None) -> ast.TupleWindow:
        return ast.TupleWindow(rows.value, of, span_between(rows, of or rows))

    def window_per(self, rows: Part, *per: ast.Var) -> ast.PartitionWindow:
        return ast.PartitionWindow(rows.value, per, span_between(rows, per[-1]))

    def row_count(self, token: Token) -> Part:
        value = self._integer(token) if token.type == "INTEGER" else self._constant_size(token)
        return Part(value, span_of(token))

    def size_number(self, number: Token, unit: Token | None = None) -> ast.Size:
        span = span_between(number, unit or number)
        if number.type == "INTEGER":
            return ast.Size(self._integer(number), UNITS[unit] if unit else None, span)
        assert unit is not None  # the grammar wants a unit behind a decimal
        return self._size(
            Fraction(number) * UNIT_MS[UNITS[unit]] if len(number) <= MAX_DIGITS else None, span
        )

    def size_const(self, name: Token, unit: Token | None = None) -> ast.Size:
        span = span_between(name, unit or name)
        return ast.Size(self._constant_size(name), UNITS[unit] if unit else None, span)

    def size_iso(self, token: Token) -> ast.Size:
        amount = milliseconds(token) if len(token) <= 4 * MAX_DIGITS else None
        return self._size(None if amount is None else Fraction(amount), span_of(token))

    def _size(self, amount: Fraction | None, span: Span) -> ast.Size:
        """A size given in milliseconds, in the largest unit that takes it whole."""
        if amount is None or amount.denominator != 1:
            self.problem(
                "S012",
                "a window size that is no whole number of milliseconds",
                span,
                "use whole milliseconds",
            )
            return ast.Size(0, None, span)
        units: list[ast.Unit] = ["d", "h", "min", "s", "ms"]
        unit = next(u for u in units if amount % UNIT_MS[u] == 0)
        return ast.Size(int(amount / UNIT_MS[unit]), unit, span)

    def _constant_size(self, name: Token) -> int:
        constant = self.constants.get(name)
        if constant is None:
            self.problem(
                "S010",
                f"`{name}` is no number and no `#const`",
                span_of(name),
                f"define it before: `#const {name} = 5 .`",
            )
            return 1
        term = constant.term
        if isinstance(term, Literal) and term.datatype == XSD_INTEGER and term.lexical.isdecimal():
            return self._checked_integer(term.lexical, span_of(name))
        self.problem(
            "S010",
            f"the constant `{name}` is no window size",
            span_of(name),
            "a size is a whole number, as `5`",
        )
        return 1

    # --- aggregates ------------------------------------------------------------------------------------

    def aggregate(self, target: ast.Var, function: Token, *rest: Any) -> ast.Aggregate:
        *distinct, members, body, brace = rest
        name = str(function)
        if name not in get_args(ast.AggregateName):
            self.problem(
                "S008",
                f"unknown aggregate `{name}`",
                span_of(function),
                "known are count, sum, avg, min, max",
            )
            name = "count"
        if distinct and (distinct[0] != "distinct" or name != "count"):
            self.problem(
                "S008",
                f"`{distinct[0]}` between the aggregate and its braces",
                span_of(distinct[0]),
                "only `count distinct { … }` is allowed there (and means `count { … }`)",
            )
        return ast.Aggregate(
            target, cast(ast.AggregateName, name), members.value, body.value, span_between(target, brace)
        )

    def aggregate_tuple(self, *members: Any) -> Part:
        for member in members:
            if isinstance(member, ast.Wildcard):
                self.problem(
                    "S006", "`_` left of an aggregate's colon", member.span, "name the variable to collect"
                )
        return Part(tuple(map(self._argument, members)), span_between(members[0], members[-1]))

    def aggregate_body(self, *items: Any) -> Part:
        return self.body(*items)


# `from` is a word of Python, so the method for the grammar's rule of that name is attached here.
setattr(Builder, "from", Builder.from_)
