"""The rules of a profile as a program of the engine, for entailment over a window.

All triples are rows of one predicate. What the ontology says is matched beforehand; its matches are
background rows of a predicate for each rule. So the program has as many rules as the profile, however large
the ontology:

    prp-dom: ?p rdfs:domain ?c . ?x ?p ?y => ?x a ?c
      →   <prp-dom>(p, c) for each domain of the ontology
          <triple>(X, rdf:type, C) :- <prp-dom>(P, C), <triple>(X, P, Y) .
          <triple>(S, P, O) :- <said>(S, P, O) in [10] .

The engine then keeps for every triple the latest time point up to which it is known to hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from laser_rdf.check import (
    TRIPLE,
    CheckedAggregate,
    CheckedLiteral,
    CheckedProgram,
    HeadAtom,
    PatternAtom,
    Predicate,
    check,
)
from laser_rdf.entail import rules as tables
from laser_rdf.entail.relevance import Relevance
from laser_rdf.entail.rules import Node, Vocabulary, is_variable, variables
from laser_rdf.lang.ast import (
    Arg,
    Atom,
    Blank,
    BodyItem,
    Call,
    Comparison,
    Const,
    Head,
    Literal,
    PredicateRef,
    Program,
    Quantifier,
    Rule,
    Size,
    TimeWindow,
    Var,
)
from laser_rdf.rdf.interner import Value, term_of
from laser_rdf.reasoning.inputs import Batch
from laser_rdf.values import DEFAULT_FUNCTIONS, IRI, OWL, RDF_TYPE, XSD
from laser_rdf.values import Literal as LiteralTerm

BASE = "urn:laser:scope:"
HOLDS = Predicate(BASE + "triple", 3)
SAID = Predicate(BASE + "said", 3)
IS_KEPT = "is_kept"
"""The function that says of a triple that it is no reflexive owl:sameAs, which nobody keeps."""

Solutions = Callable[[tables.Rule], tuple[tuple[str, ...], Iterable[tuple[Node, ...]]]]

_TRUE = Const(LiteralTerm("true", XSD + "boolean"))
_FUNCTIONS = DEFAULT_FUNCTIONS.with_function(IS_KEPT, lambda s, p, o: True, 3, returns_boolean=True)
_TYPE = Const(IRI(RDF_TYPE))
_SAME = Const(IRI(OWL + "sameAs"))


class NotTranslatable(Exception):
    """A rule that the engine cannot maintain; the message names the form. Caught inside the package."""


@dataclass(frozen=True, slots=True)
class ScopeProgram:
    """A program, the rows that the ontology gives it, and what the rows of its clash predicates stand for."""

    program: CheckedProgram
    rows: list[Batch]
    clashes: dict[Predicate, tuple[tables.Rule, tuple[str, ...]]]


def translate(
    rules: Iterable[tables.Rule],
    solutions: Solutions,
    words: Vocabulary,
    scope: int,
    *,
    own: Program | None = None,
    matters: Relevance | None = None,
    inconsistent: Value | None = None,
) -> ScopeProgram:
    """The program for rules of the tables, whose static atoms have the `solutions`, and a user's `own` rules.

    What does not matter is not derived. `inconsistent` is a class for those who are to blame for a clash.

    >>> from laser_rdf.rdf import Interner
    >>> words = Vocabulary(Interner())
    >>> rule = words.rule("prp-dom", "?p rdfs:domain ?c . ?x ?p ?y => ?x a ?c")
    >>> found = translate([rule], lambda rule: (("?p", "?c"), [("room", "Located")]), words, 10)
    >>> found.rows
    [(Predicate(name='urn:laser:scope:prp-dom', arity=2), [('room', 'Located')])]
    >>> len(found.program.rules)
    2
    """
    work = _Translation(words, solutions, matters, inconsistent)
    work.window(scope)
    for rule in rules:
        work.rule(rule)
    if own is not None:
        work.own(check(own))
    return work.result()


class _Translation:
    def __init__(
        self, words: Vocabulary, solutions: Solutions, matters: Relevance | None, inconsistent: Value | None
    ) -> None:
        self._words = words
        self._solutions = solutions
        self._matters = matters
        self._inconsistent = inconsistent
        self._rules: list[Rule] = []
        self._rows: list[Batch] = []
        self._clashes: dict[Predicate, tuple[tables.Rule, tuple[str, ...]]] = {}

    def result(self) -> ScopeProgram:
        """What was collected."""
        program = Program(
            rules=tuple(self._rules),
            shows=tuple(PredicateRef(name, arity) for name, arity in (HOLDS, *self._clashes)),
            externals=tuple(PredicateRef(name, arity) for name, arity in (SAID, *(p for p, _ in self._rows))),
        )
        return ScopeProgram(check(program, functions=_FUNCTIONS), self._rows, self._clashes)

    def window(self, scope: int) -> None:
        """What is said holds as long as the window shows it."""
        row = (Var("S"), Var("P"), Var("O"))
        seen = Literal(Atom(SAID.name, row), Quantifier.SOME, window=TimeWindow(Size(scope)))
        self._rules.append(Rule(Head(Atom(HOLDS.name, row)), (seen,)))

    # --- rules of the tables ---------------------------------------------------------------------------

    def rule(self, rule: tables.Rule) -> None:
        """One rule of the tables."""
        if len(rule.static) == len(rule.body):
            return  # about the ontology alone, which is closed
        columns, found = self._solutions(rule)
        rows = [row for row in dict.fromkeys(found) if self._is_wanted(rule, columns, row)]
        if rule.static and not rows:
            return
        step = next((s.function for s in rule.steps if not set(s.takes) <= set(columns)), None)
        match step:
            case None:
                self._plain(rule, columns, rows)
            case "chain_ends" | "shares_key" | "has_types":
                self._listed(rule, step, columns, rows)
            case _:
                raise NotTranslatable(f"the rule {rule.name}")

    def _plain(self, rule: tables.Rule, columns: tuple[str, ...], rows: list[tuple[Node, ...]]) -> None:
        used = variables((*(rule.body if rule.is_clash else rule.data_atoms), *rule.head))
        needed = tuple(column for column in columns if column in used)
        body: list[BodyItem] = []
        if needed:
            places = [columns.index(column) for column in needed]
            projected = dict.fromkeys(tuple(row[place] for place in places) for row in rows)
            body.append(self._given(rule.name, list(projected), tuple(map(_arg, needed))))
        body += [self._literal(atom) for atom in rule.data_atoms]
        if rule.is_clash:
            self._clash(rule, body)
        for head in rule.head:
            self._derive(head, body)

    def _clash(self, rule: tables.Rule, body: list[BodyItem]) -> None:
        names = variables(rule.body)
        predicate = Predicate(f"{BASE}clash:{rule.name}", len(names))
        self._clashes[predicate] = rule, names
        self._rules.append(Rule(Head(Atom(predicate.name, tuple(map(_arg, names)))), tuple(body)))
        if self._inconsistent is not None:
            for node in rule.blamed:
                self._derive(tables.Atom(node, self._words.type, self._inconsistent), body)

    def _listed(
        self, rule: tables.Rule, step: str, columns: tuple[str, ...], rows: list[tuple[Node, ...]]
    ) -> None:
        """Rules over lists: one for each length of list."""
        head, members = columns.index(rule.static_atoms[0].subject), columns.index("?k")
        by_length: dict[int, dict[tuple[Node, ...], None]] = {}
        for row in rows:
            by_length.setdefault(len(row[members]), {})[row[head], *row[members]] = None
        form = {"chain_ends": _chain, "shares_key": _key, "has_types": _intersection}[step]
        for length, given in by_length.items():
            if length:
                names = tuple(f"?k{i}" for i in range(length))
                body: list[BodyItem] = [
                    self._given(f"{rule.name}-{length}", list(given), tuple(map(_arg, ("?c", *names))))
                ]
                atoms, derived = form(names, self._words)
                self._derive(derived, body + [self._literal(atom) for atom in atoms])

    def _given(self, name: str, rows: list[tuple[Node, ...]], args: tuple[Arg, ...]) -> Literal:
        self._rows.append((Predicate(BASE + name, len(args)), rows))
        return Literal(Atom(BASE + name, args))

    def _derive(self, head: tables.Atom, body: Sequence[BodyItem]) -> None:
        self._rules.append(_deriving(tuple(map(_arg, head)), body))

    def _literal(self, atom: tables.Atom) -> Literal:
        return Literal(Atom(HOLDS.name, tuple(map(_arg, atom))))

    def _is_wanted(self, rule: tables.Rule, columns: tuple[str, ...], row: tuple[Node, ...]) -> bool:
        if self._matters is None or rule.is_clash:
            return True
        values = dict(zip(columns, row, strict=True))
        return any(self._may_matter(self._matters, atom, values) for atom in rule.head)

    def _may_matter(self, matters: Relevance, atom: tables.Atom, values: dict[str, Node]) -> bool:
        p, o = (values.get(node) if is_variable(node) else node for node in (atom.predicate, atom.object))
        if p is None or (p is self._words.type and o is None):
            return True
        return matters.concerns(p, o)

    # --- rules of users --------------------------------------------------------------------------------

    def own(self, program: CheckedProgram) -> None:
        """The rules of a program, found to be Datalog over triples before; its facts are background."""
        for rule in program.rules:
            body: list[BodyItem] = []
            for item in rule.body:
                assert not isinstance(item, CheckedAggregate), "refused before"
                if isinstance(item, CheckedLiteral):
                    body += [Literal(Atom(HOLDS.name, _triple(atom))) for atom in item.atoms]
                    body += item.conditions
                else:
                    body.append(item)
            for atom in rule.head:
                self._rules.append(_deriving(_triple(atom), body))


def _deriving(triple: tuple[Arg, ...], body: Sequence[BodyItem]) -> Rule:
    """The rule for a triple, which asks whether it is kept where it might not be."""
    s, p, o = triple
    if isinstance(p, Var) or p == _SAME:
        assert isinstance(s, Var | Const)
        assert isinstance(o, Var | Const)
        body = (*body, Comparison("=", Call(IS_KEPT, (s, p, o)), _TRUE))
    return Rule(Head(Atom(HOLDS.name, triple)), tuple(body))


def _triple(atom: PatternAtom | HeadAtom) -> tuple[Arg, ...]:
    """The triple that an atom of a user's rule stands for."""
    args = tuple(map(_renamed, atom.args))
    name, arity = atom.predicate
    if atom.predicate == TRIPLE:
        return args
    if arity == 1:
        return args[0], _TYPE, Const(IRI(name))
    return args[0], Const(IRI(name)), args[1]


def _renamed(arg: Arg | Blank) -> Arg:
    if isinstance(arg, Blank):
        raise NotTranslatable("a rule that makes fresh resources")
    # The blank nodes of a block are variables, but not of a block any more.
    return Var("Blank" + arg.name[2:]) if isinstance(arg, Var) and arg.name.startswith("_:") else arg


def _arg(node: Node) -> Arg:
    return Var(node[1:]) if is_variable(node) else Const(term_of(node))


# --- rules over lists: the atoms of the body, and the head; ?c is the subject of the axiom -----------------

Form = tuple[list[tables.Atom], tables.Atom]


def _chain(names: tuple[str, ...], words: Vocabulary) -> Form:
    del words
    links = [tables.Atom(f"?x{i}", name, f"?x{i + 1}") for i, name in enumerate(names)]
    return links, tables.Atom("?x0", "?c", f"?x{len(names)}")


def _key(names: tuple[str, ...], words: Vocabulary) -> Form:
    values = [tables.Atom(x, name, f"?z{i}") for i, name in enumerate(names) for x in ("?x", "?y")]
    members = [tables.Atom(x, words.type, "?c") for x in ("?x", "?y")]
    return members + values, tables.Atom("?x", words.same, "?y")


def _intersection(names: tuple[str, ...], words: Vocabulary) -> Form:
    return [tables.Atom("?x", words.type, name) for name in names], tables.Atom("?x", words.type, "?c")


def shown_rule(rule: tables.Rule, names: Sequence[str], row: Sequence[Node]) -> Iterator[tuple[Node, ...]]:
    """The triples of a rule's body for one row of its clash predicate."""
    values = dict(zip(names, row, strict=True))
    for atom in rule.body:
        yield tuple(values[node] if is_variable(node) else node for node in atom)
