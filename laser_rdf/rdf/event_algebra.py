"""SPARQL's algebra → rules: a query becomes its branches, and each branch a rule with one block.

    { ?r a ex:Smoke . { ?r ex:in ?x } UNION { ?x ex:has ?r } FILTER(?x != ex:attic) }
      →  smoke(R, X) :- { ?r a ex:Smoke . ?r ex:in ?x . ?x != ex:attic }.
         smoke(R, X) :- { ?r a ex:Smoke . ?x ex:has ?r . ?x != ex:attic }.

Solutions are taken as a set. A variable of a BIND has no value when its expression is an error; the solution
stays. So the assignment is only part of a rule that needs the variable, in its head or in a condition.
Whatever cannot be said exactly raises `Leave`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, product
from typing import Any

from laser_rdf.check.variables import names
from laser_rdf.lang.ast import (
    Assignment,
    Atom,
    Block,
    BodyItem,
    Call,
    Comparison,
    Const,
    Expr,
    Head,
    Literal,
    Pattern,
    Rule,
    Var,
    Wildcard,
)
from laser_rdf.rdf.event_expressions import MAX_ALTERNATIVES, Leave, Scope, Unbound, true_when, value
from laser_rdf.rdf.event_text import term_of
from laser_rdf.values import IRI
from laser_rdf.values import Literal as LiteralTerm

_LEFT = {
    "LeftJoin": "OPTIONAL",
    "Minus": "MINUS",
    "Slice": "LIMIT or OFFSET",
    "Group": "GROUP BY or an aggregate",
    "AggregateJoin": "GROUP BY or an aggregate",
}

Place = Var | Const


@dataclass(frozen=True, slots=True)
class Branch:
    """One way in which a part of a query can have solutions.

    `same`: variables that stand for a constant or another variable, from VALUES and from BIND of such.
    `values`: variables whose expression may be an error.
    """

    patterns: tuple[Pattern, ...] = ()
    same: dict[str, Place] = field(default_factory=dict)
    values: dict[str, Expr] = field(default_factory=dict)
    conditions: tuple[Comparison, ...] = ()

    @property
    def matched(self) -> set[str]:
        """The variables that the patterns bind."""
        return {node.name for p in self.patterns for node in _nodes(p) if isinstance(node, Var)}

    @property
    def scope(self) -> Scope:
        """All variables that have a value, or may have one."""
        bound = {name: Var(name) for name in (*self.matched, *self.values)}
        return Scope({**bound, **self.same}, frozenset(self.values))


def rules_of(algebra: Any, variables: Sequence[str], predicate: str) -> tuple[Rule, ...]:
    """The rules that derive the solutions of a query; Leave if there are none that do exactly that."""
    work = _Compiling(algebra)
    branches = work.branches(algebra.p)
    rules = [_rule(branch, variables, predicate) for branch in branches]
    return tuple(dict.fromkeys(rule for rule in rules if rule is not None))


def _nodes(pattern: Pattern) -> tuple[Any, Any, Any]:
    return pattern.subject, pattern.predicate, pattern.object


class _Compiling:
    """Works out the branches of one query; knows which names are free for variables of its own."""

    def __init__(self, algebra: Any) -> None:
        used = set(map(str, _variables(algebra)))
        self._fresh = (name for n in count(1) if (name := f"_{n}") not in used)
        self._blanks: dict[str, Var] = {}

    def branches(self, node: Any) -> list[Branch]:
        """The branches of a part of the algebra."""
        match node.name:
            case "Project" | "Distinct" | "Reduced" | "OrderBy":
                return self.branches(node.p)
            case "BGP":
                return self._joined([self._triple(*triple) for triple in node.triples])
            case "Join":
                return self._joined([self.branches(node.p1), self.branches(node.p2)])
            case "Union":
                return _limited([*self.branches(node.p1), *self.branches(node.p2)])
            case "Filter":
                return self._filtered(node)
            case "Extend":
                return [_extended(branch, str(node.var), node.expr) for branch in self.branches(node.p)]
            case "ToMultiSet":
                return _rows(node.p)
            case other:
                raise Leave(_LEFT.get(other, other))

    def _joined(self, parts: Sequence[list[Branch]]) -> list[Branch]:
        found = [Branch()]
        for part in parts:
            found = _limited([b for pair in product(found, part) if (b := _join(*pair)) is not None])
        return found

    def _filtered(self, node: Any) -> list[Branch]:
        return _limited(
            [
                replace(branch, conditions=tuple(dict.fromkeys(branch.conditions + conjunction)))
                for branch in self.branches(node.p)
                for conjunction in true_when(node.expr, branch.scope)
            ]
        )

    # --- triple patterns and paths -----------------------------------------------------------------------

    def _triple(self, subject: Any, predicate: Any, value: Any) -> list[Branch]:
        return self._path(self._place(subject), predicate, self._place(value))

    def _place(self, node: Any) -> Place:
        import rdflib

        if isinstance(node, rdflib.Variable):
            return Var(str(node))
        if isinstance(node, rdflib.BNode):  # in a query it is a variable that cannot be named
            label = str(node)
            if label not in self._blanks:
                self._blanks[label] = Var(next(self._fresh))
            return self._blanks[label]
        return Const(term_of(node))

    def _path(self, start: Place, path: Any, end: Place) -> list[Branch]:
        from rdflib.paths import AlternativePath, InvPath, MulPath, NegatedPath, Path, SequencePath

        match path:
            case SequencePath():
                inner = [Var(next(self._fresh)) for _ in path.args[1:]]
                ends = zip([start, *inner], path.args, [*inner, end], strict=True)
                return self._joined([self._path(*step) for step in ends])
            case AlternativePath():
                return _limited([branch for part in path.args for branch in self._path(start, part, end)])
            case InvPath():
                return self._path(end, path.arg, start)
            case NegatedPath():
                return self._negated(start, path.args, end)
            case MulPath():
                raise Leave(f"a path with `{path.mod}`")
            case Path():
                raise Leave("a path of an unknown kind")
        pattern = _pattern(start, self._place(path), end)
        return [] if pattern is None else [Branch((pattern,))]

    def _negated(self, start: Place, excluded: Sequence[Any], end: Place) -> list[Branch]:
        import rdflib

        if not all(isinstance(each, rdflib.URIRef) for each in excluded):
            raise Leave("a negated path with `^`")  # rdflib 7 loses what stands behind it
        verb = Var(next(self._fresh))
        pattern = _pattern(start, verb, end)
        conditions = tuple(Comparison("!=", verb, Const(term_of(each))) for each in excluded)
        return [] if pattern is None else [Branch((pattern,), conditions=conditions)]


def _variables(node: Any) -> Iterator[Any]:
    """Every variable of the algebra; those of paths are none."""
    import rdflib

    if isinstance(node, rdflib.Variable):
        yield node
    elif isinstance(node, dict):
        for key, item in node.items():
            yield from _variables(key)
            yield from _variables(item)
    elif isinstance(node, list | tuple | set):
        for item in node:
            yield from _variables(item)


def _pattern(subject: Place, predicate: Place, value: Place) -> Pattern | None:
    """The pattern; None if no triple has a constant like that in its place."""
    for place, kinds in ((subject, (LiteralTerm,)), (predicate, (LiteralTerm,))):
        if isinstance(place, Const) and isinstance(place.term, kinds):
            return None
    if isinstance(predicate, Const) and not isinstance(predicate.term, IRI):
        return None
    return Pattern(subject, predicate, value)


def _limited(found: list[Branch]) -> list[Branch]:
    if len(found) > MAX_ALTERNATIVES:
        raise Leave(f"over {MAX_ALTERNATIVES} alternatives of UNION, VALUES, `|` and `||`")
    return found


# --- joining ---------------------------------------------------------------------------------------------


def _join(left: Branch, right: Branch) -> Branch | None:
    """The solutions of both that fit together; None if there are none."""
    for one, other in ((left, right), (right, left)):
        if one.values.keys() & (other.matched | other.same.keys() | other.values.keys()):
            # A BIND that fails leaves its variable to the other side.
            raise Leave("BIND of a variable that is joined with another part of the query")
    found: Branch | None = Branch(
        tuple(dict.fromkeys(left.patterns + right.patterns)),
        dict(left.same),
        {**left.values, **right.values},
        tuple(dict.fromkeys(left.conditions + right.conditions)),
    )
    # What stands for something else in one part is that in the other part too.
    for name, place in (*left.same.items(), *right.same.items()):
        if found is not None:
            found = _unified(found, name, place)
    return found


def _unified(branch: Branch, name: str, place: Place) -> Branch | None:
    """The branch in which a variable stands for something; None if it stands for something else."""
    mine: Place = branch.same.get(name, Var(name))
    while isinstance(mine, Var) and mine.name in branch.same:
        mine = branch.same[mine.name]
    while isinstance(place, Var) and place.name in branch.same:
        place = branch.same[place.name]
    if mine == place:
        return _replaced(branch, name, place)
    if isinstance(mine, Const) and isinstance(place, Const):
        return None
    old, new = (mine, place) if isinstance(mine, Var) else (place, mine)
    assert isinstance(old, Var)
    changed = _replaced(branch, old.name, new)
    return None if changed is None else _replaced(changed, name, new)


def _replaced(branch: Branch, name: str, place: Place) -> Branch | None:
    """The branch with a variable replaced; None if no triple has the constant in its place."""
    if place == Var(name):
        return branch
    one = {name: place}
    patterns = []
    for pattern in branch.patterns:
        made = _pattern(*(one.get(n.name, n) if isinstance(n, Var) else n for n in _nodes(pattern)))
        if made is None:
            return None
        patterns.append(made)
    return Branch(
        tuple(dict.fromkeys(patterns)),
        {key: one.get(p.name, p) if isinstance(p, Var) else p for key, p in branch.same.items()} | one,
        {key: _substituted(expr, one) for key, expr in branch.values.items()},
        tuple(
            Comparison(c.op, _substituted(c.left, one), _substituted(c.right, one)) for c in branch.conditions
        ),
    )


def _substituted(expr: Expr, places: dict[str, Place]) -> Expr:
    match expr:
        case Var(name=name):
            return places.get(name, expr)
        case Call(function=function, args=args):
            return Call(function, tuple(_substituted(arg, places) for arg in args))
        case _:
            return expr


def _extended(branch: Branch, name: str, node: Any) -> Branch:
    try:
        expr = value(node, branch.scope)
    except Unbound:
        return branch  # an error for certain: the variable has no value
    if isinstance(expr, Const) or (isinstance(expr, Var) and expr.name not in branch.values):
        return replace(branch, same={**branch.same, name: expr})
    return replace(branch, values={**branch.values, name: expr})


def _rows(node: Any) -> list[Branch]:
    """VALUES: a branch for each row; UNDEF binds nothing."""
    import rdflib

    if isinstance(node, list):
        raise Leave("VALUES without variables or rows")  # rdflib does not tell the two apart
    if node.name != "values":
        raise Leave("a subquery")
    # UNDEF is a plain text among terms.
    rows: list[dict[str, Place]] = [
        {str(name): Const(term_of(item)) for name, item in row.items() if isinstance(item, rdflib.term.Node)}
        for row in node.res
    ]
    return _limited([Branch(same=row) for row in rows])


# --- rules -----------------------------------------------------------------------------------------------


def _rule(branch: Branch, variables: Sequence[str], predicate: str) -> Rule | None:
    """The rule of a branch; None if it leaves a variable of the head without a value."""
    scope = branch.scope
    if any(name not in scope.terms for name in variables):
        return None
    if not branch.patterns:
        raise Leave("no triple pattern")
    args = tuple(scope.terms[name] for name in variables)
    needed = {arg.name for arg in args if isinstance(arg, Var)}
    needed.update(*(names(side) for c in branch.conditions for side in (c.left, c.right)))
    assignments: list[BodyItem] = []
    for name in reversed(branch.values):  # a value uses only those before it
        if name in needed:
            assignments.insert(0, Assignment(Var(name), branch.values[name]))
            needed |= names(branch.values[name])
    matched = branch.matched
    inside = tuple(c for c in branch.conditions if names(c.left) | names(c.right) <= matched)
    outside = [c for c in branch.conditions if c not in inside]
    block = Block(_with_wildcards(branch.patterns, needed), inside)
    return Rule(Head(Atom(predicate, args)), (Literal(block), *assignments, *outside))


def _with_wildcards(patterns: tuple[Pattern, ...], needed: set[str]) -> tuple[Pattern, ...]:
    """The patterns with `_` for variables that occur nowhere else."""
    places = [node.name for p in patterns for node in _nodes(p) if isinstance(node, Var)]

    def shown(node: Any) -> Any:
        once = isinstance(node, Var) and node.name not in needed and places.count(node.name) == 1
        return Wildcard() if once else node

    return tuple(dict.fromkeys(Pattern(*map(shown, _nodes(p))) for p in patterns))
