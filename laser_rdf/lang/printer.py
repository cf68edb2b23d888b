"""Syntax tree to text, in words or in symbols; `parse(show(p)) == p` for both.

Literal(p(X), AT, at=T, window=[5])   →   p(X) at T in [5]     or     ⊞[5] @T p(X)
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import assert_never

from laser_rdf.lang.ast import (
    Aggregate,
    AllWindow,
    Arg,
    Assignment,
    Atom,
    Binary,
    Blank,
    Block,
    BodyItem,
    Call,
    Comparison,
    Const,
    Expr,
    Head,
    Literal,
    Node,
    PartitionWindow,
    Pattern,
    PredicateRef,
    Program,
    Quantifier,
    Rule,
    Size,
    TimeWindow,
    TupleWindow,
    Unary,
    Var,
    Wildcard,
    Window,
)
from laser_rdf.lang.names import UNPREFIXED, Shortener, is_name
from laser_rdf.lang.text import angled, quote
from laser_rdf.values import terms
from laser_rdf.values.terms import IRI, BlankNode, Term

_SHORTHAND = {
    terms.XSD_INTEGER: re.compile(r"-?[0-9]+"),
    terms.XSD_DECIMAL: re.compile(r"-?[0-9]+\.[0-9]+"),
    terms.XSD_DOUBLE: re.compile(r"-?[0-9]+(?:\.[0-9]+)?[eE][+-]?[0-9]+"),
    terms.XSD_BOOLEAN: re.compile(r"true|false"),
}
_UPPER = re.compile(r"[A-Z]\w*")
_PRECEDENCE = {"+": 1, "-": 1, "*": 2, "/": 2, "mod": 2}


def show(program: Program, *, symbols: bool = False) -> str:
    """The whole program.

    >>> print(show(Program.parse("q(X)<-p(X)[5 sec].")), end="")
    q(X) :- p(X) in [5 s] .
    """
    short = shortener(program)
    return "".join(
        line + "\n" for line in [*_preamble(program, short), *_rules(program.rules, short, symbols)]
    )


def shortener(program: Program) -> Shortener:
    """How the program spells IRIs."""
    taken = (constant.name for constant in program.constants)
    return Shortener(((p.name, p.iri) for p in program.prefixes), program.base, taken)


def show_rule(rule: Rule, short: Shortener = UNPREFIXED, *, symbols: bool = False) -> str:
    """One rule; without a shortener, with all IRIs spelled out: the text fresh resources are named after."""
    printer = _Printer(short, symbols)
    head = printer.head(rule.head)  # before the body, so that its blank nodes have the first numbers
    if not rule.body:
        return f"{head} ."
    return f"{head} {'←' if symbols else ':-'} {', '.join(map(printer.item, rule.body))} ."


def show_item(item: BodyItem, short: Shortener) -> str:
    """One item of a body, in words."""
    return _Printer(short, symbols=False).item(item)


def show_predicate(name: str, program: Program) -> str:
    """A predicate as the program writes it."""
    return shortener(program).predicate(name)


def show_preamble(program: Program) -> list[str]:
    """The lines before the rules: base, prefixes, directives."""
    return _preamble(program, shortener(program))


def show_atom(predicate: str, args: Iterable[Term], short: Shortener, separator: str = ",") -> str:
    """A ground atom; JSON output wants no blanks inside, text output has one behind each comma.

    >>> short = Shortener((), terms.LOCAL_BASE)
    >>> show_atom("urn:laser:local:q", [IRI("urn:laser:local:a"), terms.Literal("b")], short)
    'q(a,"b")'
    """
    inside = separator.join(show_term(arg, short) for arg in args)
    name = short.predicate(predicate)
    return f"{name}({inside})" if inside else name


def show_term(term: Term, short: Shortener) -> str:
    """A term as Turtle and the rule language write it."""
    match term:
        case IRI(value=value):
            return short(value)
        case BlankNode(label=label):
            return f"_:{label}"
        case terms.Literal(lexical=lexical, datatype=datatype, language=language):
            shorthand = _SHORTHAND.get(datatype)
            if shorthand is not None and shorthand.fullmatch(lexical):
                return lexical
            if language:
                return f"{quote(lexical)}@{language}"
            if datatype == terms.XSD_STRING:
                return quote(lexical)
            return f"{quote(lexical)}^^{short(datatype)}"
        case _:
            assert_never(term)


def _preamble(program: Program, short: Shortener) -> list[str]:
    printer = _Printer(short, symbols=False)
    lines = [f"BASE {angled(program.base)}"] if program.base != terms.LOCAL_BASE else []
    lines += [f"PREFIX {prefix.name}: {angled(prefix.iri)}" for prefix in program.prefixes]
    lines += [
        f"#const {constant.name} = {show_term(constant.term, UNPREFIXED)} ." for constant in program.constants
    ]
    lines += [f"#external {printer.references(program.externals)} ."] if program.externals else []
    lines += [f"#show {printer.references(program.shows)} ."] if program.shows else []
    return [*lines, ""] if lines else []


def _rules(rules: Iterable[Rule], short: Shortener, symbols: bool) -> Iterable[str]:
    return (show_rule(rule, short, symbols=symbols) for rule in rules)


class _Printer:
    """The spelling of everything inside a rule."""

    def __init__(self, short: Shortener, symbols: bool) -> None:
        self.short = short
        self.symbols = symbols
        self._blanks = 0
        self._labels: dict[str, str] = {}

    # --- heads and body items --------------------------------------------------------------------------

    def head(self, head: Head) -> str:
        formula = self.formula(head.formula)
        if head.at is None:
            return formula
        return f"{self.instant(head.at)} {formula}" if self.symbols else f"{formula} at {self.expr(head.at)}"

    def item(self, item: BodyItem) -> str:
        match item:
            case Literal():
                return self.literal(item)
            case Comparison():
                return self.comparison(item)
            case Assignment(target=target, value=value):
                return f"{self.var(target)} := {self.expr(value)}"
            case Aggregate(target=target, function=function, members=members, body=body):
                inside = ", ".join(map(self.arg, members)) + " : " + ", ".join(map(self.item, body))
                return f"{self.var(target)} := {function} {{ {inside} }}"
            case _:
                assert_never(item)

    def literal(self, literal: Literal) -> str:
        parts = self._in_symbols(literal) if self.symbols else self._in_words(literal)
        if literal.negated:
            parts = ["¬" if self.symbols else "not", *parts]
        if literal.stream is not None:
            parts += ["on", literal.stream if is_name(literal.stream) else quote(literal.stream)]
        return " ".join(parts)

    def _in_words(self, literal: Literal) -> list[str]:
        parts = [self.formula(literal.formula)]
        match literal.quantifier:
            case Quantifier.ALWAYS:
                parts.append("always")
            case Quantifier.AT:
                assert literal.at is not None
                parts.append(f"at {self.expr(literal.at)}")
            case Quantifier.NOW if literal.window is not None:
                parts.append("now")
            case _:
                pass
        if literal.window is not None:
            parts.append(f"in {self.window(literal.window)}")
        if literal.reference is not None:
            parts.append(f"from {self.expr(literal.reference)}")
        return parts

    def _in_symbols(self, literal: Literal) -> list[str]:
        parts = [] if literal.reference is None else [self.instant(literal.reference)]
        if literal.window is not None:
            parts.append(f"⊞{self.window(literal.window)}")
        match literal.quantifier:
            case Quantifier.SOME:
                parts.append("◇")
            case Quantifier.ALWAYS:
                parts.append("□")
            case Quantifier.AT:
                assert literal.at is not None
                parts.append(self.instant(literal.at))
            case Quantifier.NOW:
                pass
        return [*parts, self.formula(literal.formula)]

    def comparison(self, comparison: Comparison) -> str:
        return f"{self.expr(comparison.left)} {comparison.op} {self.expr(comparison.right)}"

    # --- atoms and blocks ------------------------------------------------------------------------------

    def formula(self, formula: Atom | Block) -> str:
        match formula:
            case Atom(predicate=predicate, args=args):
                name = self.short.predicate(predicate)
                return f"{name}({', '.join(map(self.arg, args))})" if args else name
            case Block(patterns=patterns, conditions=conditions):
                self._labels = {}  # a blank node is known in its block only
                inside = [*map(self.pattern, patterns), *map(self.comparison, conditions)]
                return "{ " + " . ".join(inside) + " }"
            case _:
                assert_never(formula)

    def pattern(self, pattern: Pattern) -> str:
        verb = pattern.predicate
        is_type = isinstance(verb, Const) and verb.term == IRI(terms.RDF_TYPE)
        middle = "a" if is_type else self.node(verb)
        return f"{self.node(pattern.subject)} {middle} {self.node(pattern.object)}"

    def node(self, node: Node) -> str:
        match node:
            case Blank(label=label):
                return self.blank(label)
            case Const(term=IRI(value=value)):
                return self.short.in_block(value)
            case Var() | Const() | Wildcard():
                return self.arg(node)
            case _:
                assert_never(node)

    def blank(self, label: str) -> str:
        """Numbered through the rule: two blocks that both had a `_:b1` would look like a join."""
        if label not in self._labels:
            self._blanks += 1
            self._labels[label] = f"_:b{self._blanks}"
        return self._labels[label]

    def arg(self, arg: Arg) -> str:
        match arg:
            case Var():
                return self.var(arg)
            case Const(term=term):
                return show_term(term, self.short)
            case Wildcard():
                return "_"
            case _:
                assert_never(arg)

    def var(self, var: Var) -> str:
        return var.name if _UPPER.fullmatch(var.name) else f"?{var.name}"

    # --- windows ---------------------------------------------------------------------------------------

    def window(self, window: Window) -> str:
        match window:
            case AllWindow():
                return "[all]"
            case TimeWindow(back=back, ahead=ahead, step=step):
                reach = [_size(back)] if back.value or not ahead.value or back.unit else []
                reach += [f"+{_size(ahead)}"] if ahead.value or ahead.unit else []
                return f"[{', '.join(reach)}{f' step {_size(step)}' if step is not None else ''}]"
            case TupleWindow(count=count, of=of):
                return f"[#{count}]" if of is None else f"[#{count} of {self.references([of])}]"
            case PartitionWindow(count=count, per=per):
                return f"[#{count} per {', '.join(map(self.var, per))}]"
            case _:
                assert_never(window)

    def references(self, refs: Iterable[PredicateRef]) -> str:
        return ", ".join(self.short(r.predicate) + ("" if r.arity is None else f"/{r.arity}") for r in refs)

    # --- expressions -----------------------------------------------------------------------------------

    def instant(self, expr: Expr) -> str:
        """What stands behind `@`: brackets around everything but a variable or a plain constant."""
        text = self.expr(expr)
        simple = isinstance(expr, Var) or (
            isinstance(expr, Const) and (isinstance(expr.term, IRI) or text[0].isdigit())
        )
        return f"@{text}" if simple else f"@({text})"

    def expr(self, expr: Expr, level: int = 0) -> str:
        match expr:
            case Var():
                return self.var(expr)
            case Const(term=term):
                return show_term(term, self.short)
            case Call(function=function, args=args):
                name = function if is_name(function) else angled(function)
                return f"{name}({', '.join(map(self.expr, args))})"
            case Unary(operand=operand):
                return (
                    f"-{self.expr(operand, 3)}"
                    if isinstance(operand, Var | Call)
                    else f"-({self.expr(operand)})"
                )
            case Binary(op=op, left=left, right=right):
                own = _PRECEDENCE[op]
                text = f"{self.expr(left, own)} {op} {self.expr(right, own + 1)}"
                return f"({text})" if own < level else text
            case _:
                assert_never(expr)


def _size(size: Size) -> str:
    return str(size.value) if size.unit is None else f"{size.value} {size.unit}"


__all__ = ["shortener", "show", "show_atom", "show_preamble", "show_predicate", "show_rule", "show_term"]
