"""A user's program as rules between triples.

    ex:isInRoom(?o, ?room) :- ex:observedBy(?o, ?s), ex:isIn(?s, ?room), ?room != ex:hall .
      →  ?o ex:observedBy ?s . ?s ex:isIn ?room => ?o ex:isInRoom ?room, with a step for the comparison

Entailment happens at one time point over triples: windows, `at`, negation, aggregates and predicates of other
arities than 1 and 2 are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, assert_never

from laser_rdf.check import (
    TRIPLE,
    CheckedAggregate,
    CheckedLiteral,
    CheckedProgram,
    CheckedRule,
    HeadAtom,
    PatternAtom,
    Predicate,
    check,
)
from laser_rdf.entail.rules import Atom, Node, Rule, Step, Vocabulary
from laser_rdf.errors import Diagnostic, ProgramError, Span
from laser_rdf.lang.ast import (
    Assignment,
    Binary,
    Blank,
    Call,
    Comparison,
    Const,
    Expr,
    Program,
    Quantifier,
    Unary,
    Var,
    Wildcard,
)
from laser_rdf.rdf.symbol_domain import SymbolDomain
from laser_rdf.values import IRI

CODE = "E136"
NOTE = "entailment rules are plain Datalog over triples; put this rule into a program instead"

Triple = tuple[Node, Node, Node]


def user_rules(program: Program, words: Vocabulary) -> tuple[list[Rule], list[Triple]]:
    """The rules of a program, and its facts as triples; a ProgramError if it says more than rules can.

    >>> from laser_rdf.rdf import Interner
    >>> program = Program.parse("q(X, Y) :- p(X, Y), Y > 5 . p(a, b).")
    >>> rules, facts = user_rules(program, Vocabulary(Interner()))
    >>> rules[0].name, len(facts)
    ('<urn:laser:local:q>(X, Y) :- <urn:laser:local:p>(X, Y), Y > 5 .', 1)
    """
    checked = check(program)
    problems = [problem for rule in checked.rules for problem in _problems(rule)]
    problems += [
        _problem(f"`{fact.predicate.name}` has {fact.predicate.arity} arguments", Span(1, 1, 1, 1))
        for fact in checked.facts
        if not _is_triple(fact.predicate)
    ]
    if problems:
        raise ProgramError(program.source, tuple(problems))
    translation = _Translation(checked, words)
    facts = [translation.triple(fact.predicate, tuple(map(Const, fact.args))) for fact in checked.facts]
    return [translation.rule(rule) for rule in checked.rules], facts


def _is_triple(predicate: Predicate) -> bool:
    return predicate.arity in (1, 2) or predicate == TRIPLE


def _problem(message: str, span: Span) -> Diagnostic:
    return Diagnostic(CODE, f"{message}: not in a rule for entailment", span, NOTE)


def _problems(rule: CheckedRule) -> Iterator[Diagnostic]:
    if rule.head_at is not None:
        yield _problem("`at` in the head", rule.span)
    for atom in rule.head:
        if not _is_triple(atom.predicate):
            yield _problem(f"`{atom.predicate.name}` has {atom.predicate.arity} arguments", rule.span)
    for item in rule.body:
        if isinstance(item, CheckedAggregate):
            yield _problem("an aggregate", item.span)
        elif isinstance(item, CheckedLiteral):
            yield from _literal_problems(item)


def _literal_problems(literal: CheckedLiteral) -> Iterator[Diagnostic]:
    if literal.negated:
        yield _problem("`not`", literal.span)
    if literal.window is not None or literal.quantifier is not Quantifier.NOW:
        yield _problem("a window or time operator", literal.span)
    if literal.stream is not None:
        yield _problem("`on` a stream", literal.span)
    for atom in literal.atoms:
        if not _is_triple(atom.predicate):
            yield _problem(f"`{atom.predicate.name}` has {atom.predicate.arity} arguments", literal.span)


class _Translation:
    def __init__(self, checked: CheckedProgram, words: Vocabulary) -> None:
        self._words = words
        self._domain = SymbolDomain(checked, words.interner)
        self._anonymous = 0

    def rule(self, rule: CheckedRule) -> Rule:
        """One rule."""
        atoms: list[Atom] = []
        steps: list[Step] = []
        for item in rule.body:
            match item:
                case CheckedLiteral():
                    atoms += [self._atom(atom) for atom in item.atoms]
                    steps += [self._test(condition) for condition in item.conditions]
                case Comparison():
                    steps.append(self._test(item))
                case Assignment(target=target, value=value):
                    names = tuple(_variables(value))
                    steps.append(Step(self._function(value, names), names, ("?" + target.name,)))
                case CheckedAggregate():
                    raise AssertionError("refused before")
                case _:
                    assert_never(item)
        steps += self._fresh(rule)
        heads = tuple(self._atom(atom) for atom in rule.head)
        return Rule(rule.text, tuple(atoms), heads, tuple(steps))

    def _fresh(self, rule: CheckedRule) -> Iterator[Step]:
        """A step for each fresh resource of the head."""
        names = tuple("?" + name for name in rule.head_variables)
        labels = {arg.label for atom in rule.head for arg in atom.args if isinstance(arg, Blank)}
        for label in sorted(labels):

            def name(*values: Node, label: str = label) -> Node:
                return self._domain.fresh(rule.text, label, values, None)

            yield Step(name, names, (f"?_:{label}",))

    # --- atoms -----------------------------------------------------------------------------------------

    def _atom(self, atom: PatternAtom | HeadAtom) -> Atom:
        return Atom(*self.triple(atom.predicate, atom.args))

    def triple(self, predicate: Predicate, args: tuple[Any, ...]) -> Triple:
        """The triple that an atom stands for."""
        nodes = [self._node(arg) for arg in args]
        if predicate == TRIPLE:
            return nodes[0], nodes[1], nodes[2]
        name = self._words.interner.of_term(IRI(predicate.name))
        if predicate.arity == 1:
            return nodes[0], self._words.type, name
        return nodes[0], name, nodes[1]

    def _node(self, arg: Var | Const | Wildcard | Blank) -> Node:
        match arg:
            case Var(name=name):
                return "?" + name
            case Const(term=term):
                return self._words.interner.of_term(term)
            case Blank(label=label):
                return f"?_:{label}"
            case Wildcard():
                self._anonymous += 1
                return f"?_{self._anonymous}"
            case _:
                assert_never(arg)

    # --- expressions -----------------------------------------------------------------------------------

    def _test(self, comparison: Comparison) -> Step:
        names = tuple(dict.fromkeys((*_variables(comparison.left), *_variables(comparison.right))))
        left, right = self._function(comparison.left, names), self._function(comparison.right, names)
        op, compare = comparison.op, self._domain.compare

        def test(*values: Node) -> bool:
            return compare(op, left(*values), right(*values))

        return Step(test, names)

    def _function(self, expr: Expr, names: tuple[str, ...]) -> Callable[..., Node]:
        """The expression as a function of the variables named."""
        domain = self._domain
        match expr:
            case Var(name=name):
                place = names.index("?" + name)
                return lambda *values: values[place]
            case Const(term=term):
                constant = domain.encode(term)
                return lambda *_: constant
            case Unary(operand=operand):
                inner = self._function(operand, names)
                return lambda *values: domain.negate(inner(*values))
            case Binary(op=op, left=left, right=right):
                first, second = self._function(left, names), self._function(right, names)
                return lambda *values: domain.binary(op, first(*values), second(*values))
            case Call(function=function, args=args):
                parts = [self._function(arg, names) for arg in args]
                return lambda *values: domain.call(function, *(part(*values) for part in parts))
            case _:
                assert_never(expr)


def _variables(expr: Expr) -> Iterator[str]:
    match expr:
        case Var(name=name):
            yield "?" + name
        case Unary(operand=operand):
            yield from _variables(operand)
        case Binary(left=left, right=right):
            yield from _variables(left)
            yield from _variables(right)
        case Call(args=args):
            for arg in args:
                yield from _variables(arg)
        case Const():
            return
