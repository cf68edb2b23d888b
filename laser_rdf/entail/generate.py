"""Rules → Python source: what to do when a triple that fits an atom of the body is new.

For an atom about data there are two functions. `rows_…` matches the static atoms, once per predicate or
class; `found_…` runs for each new triple with these rows and matches what is left:

    cls-svf1: ?r owl:someValuesFrom ?c . ?r owl:onProperty ?p . ?x ?p ?y . ?y a ?c => ?x a ?r

    def found_5(s, o, rows):
        # cls-svf1 when ?x ?p ?y is new
        for v_p, v_r, v_c in rows:
            if has(o, k0, v_c):
                put((s, k0, v_r, 'cls-svf1'))

For a static atom, and for an atom with a variable predicate that no static atom binds, `found_…` matches the
whole rest of the body. Rules of users go the same way: all their atoms are about data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import CodeType
from typing import Any

from laser_rdf.entail.rules import Atom, Node, Rule, Step, is_variable, variables

MAX_LOOPS = 12
"""CPython refuses more than 20 nested loops: a longer join goes on in a function of its own."""


@dataclass(frozen=True, slots=True)
class Trigger:
    """Which new triples concern a rule, and the functions to call for them.

    A trigger is for one predicate or class, or, without a key, for every one that static atoms allow.
    """

    rule: Rule
    place: int
    by_class: bool
    """Whether the key is a class, that of a triple with rdf:type; else it is a predicate."""
    key: Node
    """The predicate or class; a variable of the static atoms; or None: any triple."""
    is_static: bool
    found: str
    rows: str
    columns: tuple[str, ...]
    """Which variables the rows give."""


@dataclass(slots=True)
class Source:
    """The functions for a set of rules, and the values that their text refers to by name."""

    triggers: list[Trigger] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    names: dict[str, Any] = field(default_factory=dict)
    schema: dict[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    """For each rule's name the function that lists all matches of its static atoms, and their variables."""

    @property
    def text(self) -> str:
        """The source text."""
        return "\n".join(self.lines) + "\n"

    def functions(self, environment: dict[str, Any]) -> dict[str, Callable[..., Any]]:
        """The functions, bound to what `environment` says of `has`, `objects`, `put` and so on."""
        namespace = {**self.names, **environment}
        exec(_compiled(self.text), namespace)  # noqa: S102 - text made here; names of users are values in it
        return namespace


@lru_cache(maxsize=64)
def _compiled(text: str) -> CodeType:
    return compile(text, "<laser-rdf entailment rules>", "exec")


def generate(rules: Sequence[Rule], rdf_type: Node, reflexive: Node | None) -> Source:
    """The source for rules. Of the predicate `reflexive` no triples between equal terms are put.

    >>> from laser_rdf.rdf import Interner
    >>> from laser_rdf.entail.rules import Vocabulary
    >>> words = Vocabulary(Interner())
    >>> rule = words.rule("prp-dom", "?p rdfs:domain ?c . ?x ?p ?y => ?x a ?c")
    >>> print("\\n".join(generate([rule], words.type, None).lines[-5:]))
    <BLANKLINE>
    def found_9(s, o, rows):
        # prp-dom when ?x ?p ?y is new
        for v_p, v_c in rows:
            put((s, k1, v_c, 'prp-dom'))
    """
    writer = _Writer(rdf_type, reflexive)
    for rule in rules:
        writer.rule(rule)
    writer.source.lines = [line for function in writer.functions for line in function]
    return writer.source


class _Writer:
    def __init__(self, rdf_type: Node, reflexive: Node | None) -> None:
        self.source = Source()
        self.type = rdf_type
        self.reflexive = reflexive
        self.functions: list[list[str]] = []
        self.lines: list[str] = []
        """Those of the function that is being written."""
        self._constants: dict[Node, str] = {}
        self._count = 0

    # --- one rule --------------------------------------------------------------------------------------

    def rule(self, rule: Rule) -> None:
        """The functions of a rule."""
        static = variables(rule.static_atoms)
        listing = self._name("schema")
        self._start(listing, "", f"{rule.name}: the static atoms")
        self.lines.append("    out = []")
        steps = _ready(rule.steps, static)
        self._join(rule.static_atoms, steps, {}, self._row(static))
        self.lines.append("    return out")
        self.source.schema[rule.name] = (listing, static)
        for place, atom in enumerate(rule.body):
            if place in rule.static:
                self._static_trigger(rule, place, atom)
            else:
                self._data_trigger(rule, place, atom, static)

    def _static_trigger(self, rule: Rule, place: int, atom: Atom) -> None:
        by_class = atom.predicate is self.type
        name = self._name("found")
        self._start(name, "s, o, rows", f"{rule.name} when {_text(atom)} is new")
        rest = [a for i, a in enumerate(rule.body) if i != place]
        self._match({"s": atom.subject, "o": atom.object}, rest, rule.steps, {}, self._head(rule))
        key = atom.object if by_class else atom.predicate
        self.source.triggers.append(Trigger(rule, place, by_class, key, True, name, "", ()))

    def _data_trigger(self, rule: Rule, place: int, atom: Atom, static: tuple[str, ...]) -> None:
        by_class = atom.predicate is self.type and (not is_variable(atom.object) or atom.object in static)
        key: Node = atom.object if by_class else atom.predicate
        if is_variable(key) and key not in static:
            self._any_trigger(rule, place, atom)
            return
        rows = self._name("rows")
        self._start(rows, "key", f"{rule.name}: the static atoms for one {_text(atom)}")
        self.lines.append("    out = []")
        steps = _ready(rule.steps, static)
        bound = {key: "key"} if is_variable(key) else {}
        self._join(rule.static_atoms, steps, bound, self._row(static))
        self.lines.append("    return dict.fromkeys(out)")
        name = self._name("found")
        self._start(name, "s, o, rows", f"{rule.name} when {_text(atom)} is new")
        depth, given = 1, {}
        if static:
            given = {variable: _local(variable) for variable in static}
            self.lines.append(f"    for {', '.join(given.values())}{',' * (len(given) == 1)} in rows:")
            depth = 2
        rest = [a for i, a in enumerate(rule.body) if i != place and i not in rule.static]
        left = [step for step in rule.steps if step not in steps]
        places = {"s": atom.subject} if by_class else {"s": atom.subject, "o": atom.object}
        self._match(places, rest, left, given, self._head(rule), depth)
        self.source.triggers.append(Trigger(rule, place, by_class, key, False, name, rows, static))

    def _any_trigger(self, rule: Rule, place: int, atom: Atom) -> None:
        name = self._name("found")
        self._start(name, "s, p, o", f"{rule.name} when {_text(atom)} is new")
        rest = [a for i, a in enumerate(rule.body) if i != place]
        places = {"s": atom.subject, "p": atom.predicate, "o": atom.object}
        self._match(places, rest, rule.steps, {}, self._head(rule))
        self.source.triggers.append(Trigger(rule, place, False, None, False, name, "", ()))

    # --- joins -----------------------------------------------------------------------------------------

    def _match(
        self,
        places: dict[str, Node],
        rest: Iterable[Atom],
        steps: Sequence[Step],
        given: dict[str, str],
        finish: Callable[[dict[str, str], str], None],
        depth: int = 1,
    ) -> None:
        """Bind the atom of the trigger, whose values have the names `places` gives, then join the rest."""
        bound = dict(given)
        for name, node in places.items():
            known = self._known(node, bound)
            if known is None:
                bound[node] = name
            else:
                self.lines.append("    " * depth + f"if {name} == {known}:")
                depth += 1
        self._join(rest, steps, bound, finish, depth)

    def _join(
        self,
        atoms: Iterable[Atom],
        steps: Sequence[Step],
        bound: dict[str, str],
        finish: Callable[[dict[str, str], str], None],
        depth: int = 1,
        loops: int = 0,
    ) -> None:
        """Match atoms, next always the one with most places bound; take steps as soon as they can be."""
        left = list(atoms)
        waiting = list(steps)
        bound = dict(bound)
        while left or waiting:
            if loops >= MAX_LOOPS:
                self._go_on(left, waiting, bound, finish, depth)
                return
            step = next((s for s in waiting if all(self._known(n, bound) for n in s.takes)), None)
            if step is not None:
                waiting.remove(step)
                depth, looped = self._step(step, bound, depth)
                loops += looped
                continue
            atom = max(
                left, key=lambda a: (sum(self._known(n, bound) is not None for n in a), -left.index(a))
            )
            left.remove(atom)
            depth, looped = self._atom(atom, bound, depth)
            loops += looped
        finish(bound, "    " * depth)

    def _go_on(
        self,
        atoms: list[Atom],
        steps: list[Step],
        bound: dict[str, str],
        finish: Callable[[dict[str, str], str], None],
        depth: int,
    ) -> None:
        name = self._name("part")
        values = list(dict.fromkeys(bound.values()))
        self.lines.append("    " * depth + f"{name}({', '.join(values)})")
        open_function = self.lines
        self._start(name, ", ".join(values), "the rest of a long body")
        self._join(atoms, steps, bound, finish)
        self.lines = open_function

    def _atom(self, atom: Atom, bound: dict[str, str], depth: int) -> tuple[int, int]:
        s, p, o = (self._known(node, bound) for node in atom)
        indent = "    " * depth
        if p is None:
            names = [self._fresh(node, known) for node, known in zip(atom, (s, p, o), strict=True)]
            line = f"for {', '.join(names)} in match({s}, {p}, {o}):"
        elif s is not None and o is not None:
            self.lines.append(f"{indent}if has({s}, {p}, {o}):")
            return depth + 1, 0
        elif s is not None:
            names = [self._fresh(atom.object, None)]
            line = f"for {names[0]} in objects({p}, {s}):"
        elif o is not None:
            names = [self._fresh(atom.subject, None)]
            line = f"for {names[0]} in subjects({p}, {o}):"
        else:
            names = [self._fresh(atom.subject, None), self._fresh(atom.object, None)]
            line = f"for {names[0]}, {names[1]} in pairs({p}):"
        self.lines.append(indent + line)
        depth += 1
        unknown = [node for node, known in zip(atom, (s, p, o), strict=True) if known is None]
        fresh = names if p is not None else [n for n, k in zip(names, (s, p, o), strict=True) if k is None]
        for node, name in zip(unknown, fresh, strict=True):
            if node in bound:  # the same variable twice in one atom
                self.lines.append("    " * depth + f"if {name} == {bound[node]}:")
                depth += 1
            else:
                bound[node] = name
        return depth, 1

    def _step(self, step: Step, bound: dict[str, str], depth: int) -> tuple[int, int]:
        values = ", ".join(str(self._known(node, bound)) for node in step.takes)
        function = step.function if isinstance(step.function, str) else self._constant(step.function)
        indent = "    " * depth
        if not step.gives:
            self.lines.append(f"{indent}if {function}({values}):")
            return depth + 1, 0
        names = [self._fresh(node, None) for node in step.gives]
        if len(names) > 1:
            self.lines.append(f"{indent}for {', '.join(names)} in {function}({values}):")
        else:
            self.lines.append(f"{indent}{names[0]} = {function}({values})")
            self.lines.append(f"{indent}if {names[0]} is not None:")
        depth += 1
        for node, name in zip(step.gives, names, strict=True):
            if node in bound:
                self.lines.append("    " * depth + f"if {name} == {bound[node]}:")
                depth += 1
            else:
                bound[node] = name
        return depth, int(len(names) > 1)

    # --- what is done with a match ---------------------------------------------------------------------

    def _row(self, static: tuple[str, ...]) -> Callable[[dict[str, str], str], None]:
        def finish(bound: dict[str, str], indent: str) -> None:
            self.lines.append(f"{indent}out.append(({''.join(bound[v] + ', ' for v in static)}))")

        return finish

    def _head(self, rule: Rule) -> Callable[[dict[str, str], str], None]:
        def finish(bound: dict[str, str], indent: str) -> None:
            if rule.is_clash:
                blamed = "".join(f"{self._known(node, bound)}, " for node in rule.blamed)
                triples = "".join(f"{self._triple(atom, bound)}, " for atom in rule.body)
                self.lines.append(f"{indent}clash({rule.name!r}, ({blamed}), ({triples}))")
            for atom in rule.head:
                s, p, o = (self._known(node, bound) for node in atom)
                where = indent
                if atom.predicate is self.reflexive and self.reflexive is not None:
                    self.lines.append(f"{indent}if {s} != {o}:")
                    where += "    "
                self.lines.append(f"{where}put(({s}, {p}, {o}, {rule.name!r}))")

        return finish

    def _triple(self, atom: Atom, bound: dict[str, str]) -> str:
        return f"({', '.join(str(self._known(node, bound)) for node in atom)})"

    # --- names -----------------------------------------------------------------------------------------

    def _start(self, name: str, parameters: str, comment: str) -> None:
        self.lines = ["", f"def {name}({parameters}):", f"    # {_one_line(comment)}"]
        self.functions.append(self.lines)

    def _name(self, kind: str) -> str:
        self._count += 1
        return f"{kind}_{self._count}"

    def _known(self, node: Node, bound: dict[str, str]) -> str | None:
        """The name of a node that has a value here."""
        return bound.get(node) if is_variable(node) else self._constant(node)

    def _constant(self, value: Any) -> str:
        name = self._constants.get(value)
        if name is None:
            name = self._constants[value] = f"k{len(self._constants)}"
            self.source.names[name] = value
        return name

    def _fresh(self, node: Node, known: str | None) -> str:
        self._count += 1
        return f"x{self._count}"


def _ready(steps: Sequence[Step], known: Sequence[str]) -> list[Step]:
    """The steps that need nothing but what is known."""
    return [s for s in steps if all(not is_variable(node) or node in known for node in s.takes)]


def _local(variable: str) -> str:
    return "v_" + variable[1:]


def _text(atom: Atom) -> str:
    return " ".join(node if is_variable(node) else "…" for node in atom)


def _one_line(text: str) -> str:
    if text.isprintable() and text.isascii():
        return text
    return "".join(c if c.isprintable() and c.isascii() else " " for c in text)
