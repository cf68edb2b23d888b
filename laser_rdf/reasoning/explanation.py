"""Why an atom holds, and why another does not, read off the tables when somebody asks.

q(a)  now to 9
  by q(X) :- p(X) in [5], r(X), not s(X) .      X = a
    p(a)  arrived at 4, counts to 9
    r(a)  background
    no s(a)
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from laser_rdf.check import Predicate, TimeSpan
from laser_rdf.engine.annotations import FOREVER
from laser_rdf.lang.ast import Block, Quantifier, Rule
from laser_rdf.lang.printer import shortener, show_atom, show_rule, show_term
from laser_rdf.plan.core import (
    Absent,
    Background,
    C,
    CoreRule,
    Counted,
    Covering,
    Floating,
    Group,
    HeadRow,
    Helper,
    Item,
    Match,
    Output,
    Pinned,
    Relation,
    Streamed,
    V,
)
from laser_rdf.plan.show import show_core_item, show_slot, show_window
from laser_rdf.reasoning.incremental import Incremental
from laser_rdf.reasoning.inputs import Facts
from laser_rdf.reasoning.interpreting import Found, Interpreter
from laser_rdf.values import Term

MAX_DEPTH = 60
MAX_WAYS = 100


@dataclass(frozen=True)
class Explanation:
    """A fact, what is known of it, the rule that gives it, and the facts the rule used."""

    fact: str
    holds: bool
    note: str = ""
    rule: str = ""
    line: int = 0
    bindings: dict[str, str] = field(default_factory=dict, hash=False)
    reasons: tuple[Explanation, ...] = ()

    def __str__(self) -> str:
        return "\n".join(self._lines(0))

    def _lines(self, depth: int) -> Iterator[str]:
        pad = "  " * depth
        yield f"{pad}{self.fact}{f'  {self.note}' if self.note else ''}"
        if self.rule:
            bound = ", ".join(f"{name} = {value}" for name, value in self.bindings.items())
            yield f"{pad}  by line {self.line}: {self.rule}{f'   with {bound}' if bound else ''}"
        for reason in self.reasons:
            yield from reason._lines(depth + (2 if self.rule else 1))

    def as_json(self) -> dict[str, object]:
        """The tree for machines."""
        return {
            "fact": self.fact,
            "holds": self.holds,
            "note": self.note,
            "rule": self.rule,
            "line": self.line,
            "bindings": self.bindings,
            "reasons": [reason.as_json() for reason in self.reasons],
        }


def explain(work: Incremental, name: object, args: tuple[object, ...]) -> Explanation:
    """Why the atom holds now, or what is missing."""
    return _Explainer(work).about(*Facts(work.domain).one((name, args)))


class _Explainer:
    def __init__(self, work: Incremental) -> None:
        self.work = work
        self.program = work.program
        self.tables = work.built.tables
        self.now = work.built.machine.now
        self.short = shortener(work.program.program)
        self.interpreter = Interpreter(work)

    def about(self, predicate: Predicate, row: tuple[Any, ...]) -> Explanation:
        text = self._atom(predicate, row)
        candidates: list[tuple[Relation, tuple[Any, ...]]] = [
            (Floating(predicate), row),
            (Pinned(predicate), (*row, self.now)),
        ]
        for relation, key in candidates:
            if self.interpreter.horizon(relation, key) >= self.now:
                return self._derived(relation, key, ())
        if predicate not in self.program.derived:
            return Explanation(text, False, self._not_derived(predicate))
        attempts = tuple(
            self._attempt(self._source(rule, relation), rule, head, key)
            for relation, key in candidates
            for rule in self.work.plan.rules
            for head in rule.heads
            if head.relation == self.work.plan.twins.get(relation, relation) and rule.sources
        )
        return Explanation(
            text, False, f"does not hold at {self.now}", reasons=tuple(dict.fromkeys(attempts))
        )

    def _not_derived(self, predicate: Predicate) -> str:
        """What to say of a predicate that no rule derives."""
        names = {f"{self.short.predicate(p.name)}/{p.arity}": p for p in sorted(self.program.derived)}
        asked = f"{self.short.predicate(predicate.name)}/{predicate.arity}"
        close = difflib.get_close_matches(asked, names, n=1, cutoff=0.6)
        hint = (
            f"; did you mean `{close[0]}`?" if close else "; streamed and background atoms are not explained"
        )
        return f"no rule derives `{asked}`{hint}"

    # --- what holds ------------------------------------------------------------------------------------

    def _derived(
        self, relation: Relation, key: tuple[Any, ...], path: tuple[tuple[Relation, tuple[Any, ...]], ...]
    ) -> Explanation:
        horizon = self.interpreter.horizon(relation, key)
        note = f"{self._place(relation, key)}{self._until(horizon)}"
        text = self._row(relation, key)
        if len(path) > MAX_DEPTH:
            return Explanation(text, True, f"{note} (and so on)")
        path = (*path, (relation, key))
        stored = self.work.plan.twins.get(relation, relation)
        ways = (
            (rule, found)
            for rule in self.work.plan.rules
            for head in rule.heads
            if head.relation == stored
            for found in self.interpreter.solutions(rule, head, key)
            if not _used(found) & set(path)
        )
        # Of several ways the one that holds longest is the one by which the atom counts so long.
        best = max(islice(ways, MAX_WAYS), key=lambda way: _lasts(way[1]), default=None)
        if best is None:
            return Explanation(text, True, note)
        rule, found = best
        return self._by(self._source(rule, relation), rule, found, text, note, path)

    def _source(self, rule: CoreRule, relation: Relation) -> Rule | None:
        """The rule of the program that a core rule stands for where it derives a relation."""
        rules = [self.program.program.rules[i] for i in rule.sources]
        fitting = [r for r in rules if not isinstance(relation, Helper) and _derives(r, relation.predicate)]
        return next(iter(fitting or rules), None)

    def _by(
        self,
        source: Rule | None,
        rule: CoreRule,
        found: Found,
        text: str,
        note: str,
        path: tuple[tuple[Relation, tuple[Any, ...]], ...],
    ) -> Explanation:
        reasons = tuple(self._reason(item, row, horizon, path) for item, row, horizon in found.rows)
        bindings = {
            written: self._value(found.bindings[core])
            for core, written in rule.names
            if core in found.bindings
        }
        if source is None:
            return Explanation(text, True, note, reasons=reasons)
        shown = show_rule(source, self.short)
        return Explanation(text, True, note, shown, source.span.line, bindings, reasons)

    def _reason(
        self,
        item: Match | Absent | Group,
        row: tuple[Any, ...],
        horizon: int,
        path: tuple[tuple[Relation, tuple[Any, ...]], ...],
    ) -> Explanation:
        match item:
            case Group():
                return Explanation(
                    f"aggregate over ({self._values(row[:-1])}) is {self._value(row[-1])}", True
                )
            case Absent(relation=Helper() as helper):
                return Explanation(f"no {self._asked_for(helper, row)}", True)
            case Absent(relation=relation):
                return Explanation(f"no {self._row(relation, row)}", True)
            case Match(relation=(Floating() | Pinned() | Helper() | Output()) as relation):
                return self._derived(relation, row, path)
            case Match(relation=relation):
                return Explanation(self._row(relation, row), True, self._given(relation, row, horizon))

    def _asked_for(self, helper: Helper, row: tuple[Any, ...]) -> str:
        """What a relation that the planner invented stands for, with the values of a row put in."""
        for rule in self.work.plan.rules:
            for head in rule.heads:
                if head.relation == self.work.plan.twins.get(helper, helper):
                    values = zip(head.row, row, strict=True)
                    known = {
                        slot.name: self.work.domain.decode(v) for slot, v in values if isinstance(slot, V)
                    }
                    return ", ".join(self._literal(_bound(item, known)) for item in rule.body)
        return self._row(helper, row)

    def _given(self, relation: Relation, row: tuple[Any, ...], horizon: int) -> str:
        """What is known of an input atom."""
        until = self._until(horizon)
        match relation:
            case Background():
                return "background"
            case Covering():
                return "at every time point of its window"
            case Counted():
                return "among the last atoms that arrived"
            case Streamed(quantifier=Quantifier.AT):
                return f"arrived at {row[-1]}{until}"
            case Streamed(quantifier=Quantifier.NOW):
                return "background" if horizon == FOREVER else f"arrived at {self.now}"
            case Streamed(window=TimeSpan(back=back, step=1)) if horizon < FOREVER:
                return f"arrived at {horizon - back}{until}"
            case _:
                return f"arrived{until}" if horizon < FOREVER else "arrived, or background; counts for good"

    def _until(self, horizon: int) -> str:
        return "" if horizon >= FOREVER else f", counts to {horizon}"

    # --- what does not hold ----------------------------------------------------------------------------

    def _attempt(
        self, source: Rule | None, rule: CoreRule, head: HeadRow, key: tuple[Any, ...]
    ) -> Explanation:
        assert source is not None
        failing = self.interpreter.first_failure(rule, head, key)
        shown = show_rule(source, self.short)
        if failing is None:
            return Explanation(f"line {source.span.line}: {shown}", False, "its head does not fit")
        names = dict(rule.names)
        text = self._literal(failing.item)
        bound = ", ".join(
            f"{names[core]} = {self._value(value)}"
            for core, value in failing.bindings.items()
            if core in names
        )
        for core, written in names.items():
            text = _with_name(text, core, written)
        note = f"fails first at: {text}{f'   with {bound}' if bound else ''}"
        return Explanation(f"line {source.span.line}: {shown}", False, note)

    def _literal(self, item: Item) -> str:
        """An item as a rule says it, as far as it does."""
        match item:
            case Match(relation=relation, row=row) | Absent(relation=relation, row=row):
                if isinstance(relation, Helper):
                    return show_core_item(item, self.program)
                width = relation.predicate.arity
                inside = ", ".join(show_slot(slot, self.short) for slot in row[:width])
                name = relation.predicate.name
                text = f"{name if ' ' in name else self.short.predicate(name)}({inside})"
                if len(row) > width:
                    text += f" at {show_slot(row[-1], self.short)}"
                window = getattr(relation, "window", None)
                if isinstance(relation, Covering):
                    text += " always"
                if window is not None:
                    text += f" in {show_window(window)}"
                return f"not {text}" if isinstance(item, Absent) else text
            case _:
                return show_core_item(item, self.program)

    # --- texts -----------------------------------------------------------------------------------------

    def _atom(self, predicate: Predicate, row: tuple[Any, ...]) -> str:
        terms = [self.work.domain.decode(value) for value in row]
        return show_atom(predicate.name, terms, self.short, ", ")

    def _row(self, relation: Relation, row: tuple[Any, ...]) -> str:
        if isinstance(relation, Helper):
            return f"helper {relation.number}({self._values(row)})"
        return self._atom(relation.predicate, row[: relation.predicate.arity])

    def _place(self, relation: Relation, key: tuple[Any, ...]) -> str:
        return f"at {key[-1]}" if isinstance(relation, Pinned) else "now"

    def _values(self, values: tuple[Any, ...]) -> str:
        return ", ".join(map(self._value, values))

    def _value(self, value: Any) -> str:
        return "_" if value is None else show_term(self.work.domain.decode(value), self.short)


def _bound(item: Item, known: dict[str, Term]) -> Item:
    """A literal with the values of variables put in; the others are anything."""
    if not isinstance(item, Match | Absent):
        return item

    def put(slot: V | C | None) -> V | C:
        if isinstance(slot, C):
            return slot
        return C(known[slot.name]) if slot is not None and slot.name in known else V("_")

    row = tuple(map(put, item.row))
    return replace(item, row=row)


def _used(found: Found) -> set[tuple[Relation, tuple[Any, ...]]]:
    return {(item.relation, row) for item, row, _ in found.rows if isinstance(item, Match)}


def _lasts(found: Found) -> int:
    """Until when everything that was used holds."""
    return min((horizon for item, _, horizon in found.rows if isinstance(item, Match)), default=FOREVER)


def _derives(rule: Rule, predicate: Predicate) -> bool:
    formula = rule.head.formula
    return isinstance(formula, Block) or formula.predicate == predicate.name


def _with_name(text: str, core: str, written: str) -> str:
    return re.sub(rf"\b{core}\b", written, text)


__all__ = ["Explanation", "explain"]
