"""Functions that store rows, drop them, and join those that only expire."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

from laser_rdf.check import TimeSpan
from laser_rdf.codegen.joins import Join, Mode, Names, Place
from laser_rdf.codegen.writer import Constants, Lines, comment
from laser_rdf.lang.ast import Quantifier
from laser_rdf.plan.core import (
    Absent,
    C,
    CoreRule,
    Covering,
    Floating,
    HeadRow,
    Match,
    Output,
    Pinned,
    Relation,
    Streamed,
    Test,
    Ticking,
    V,
    arity,
)
from laser_rdf.plan.order import HORIZONS, join_order
from laser_rdf.plan.planning import Plan
from laser_rdf.plan.show import show_core_rule, show_relation
from laser_rdf.values import Term


@dataclass(frozen=True)
class Joins:
    """The joins that a row of a relation starts, and the tables for which they collect rows in a list."""

    pieces: list[Lines]
    collected: tuple[tuple[int, str], ...]
    integers: tuple[str, ...]
    """Columns of the row that some join wants to know to be integers."""


def unpacking(width: int) -> str:
    """The statement that names the columns of the row a join starts from.

    >>> unpacking(2), unpacking(1), unpacking(0)
    ('c0, c1 = key', 'c0, = key', 'pass')
    """
    columns = ", ".join(f"c{i}" for i in range(width))
    return f"{columns}{',' if width == 1 else ''} = key" if width else "pass"


class Storing:
    """Writes the functions of relations."""

    def __init__(self, plan: Plan, encode: Callable[[Term], object]) -> None:
        self.plan = plan
        self.numbers = {relation: i for i, relation in enumerate(plan.relations)}
        self.component = {r: i for i, c in enumerate(plan.components) for r in c.relations}
        self.volatile = plan.volatile
        zero = frozenset(g.number for g in plan.groups if g.function in ("count", "sum"))
        self.names = Names(self.numbers, Constants(), encode, zero_groups=zero)
        for relation in plan.relations:
            if isinstance(relation, Covering) and Pinned(relation.predicate) in self.numbers:
                # `always` asks which rows are pinned at the current time point.
                self.names.index(Pinned(relation.predicate), (relation.predicate.arity,))
        self.watched = self._find_watched()
        self.out = Lines()
        self.variants: dict[Relation, list[tuple[CoreRule, int]]] = defaultdict(list)

    def _find_watched(self) -> set[Relation]:
        """Relations of which somebody wants to know which rows are new: outputs, negations, aggregates."""
        watched: set[Relation] = {r for r in self.plan.relations if isinstance(r, Floating | Output)}
        watched |= {group.relation for group in self.plan.groups}
        for rule in self.plan.rules:
            watched |= {item.relation for item in rule.body if isinstance(item, Absent)}
        return watched

    def _is_stored(self, relation: Relation) -> bool:
        """Input passes through without being kept when nothing looks it up and the heads show it whole."""
        if not isinstance(relation, Streamed) or relation in self.names.lookups | self.names.delayed:
            return True
        return not all(self._shows(rule, i) for rule, i in self.variants[relation])

    def _shows(self, rule: CoreRule, i: int) -> bool:
        """Whether every head has all the values of the row it comes from, and comes from nothing else."""
        item = rule.body[i]
        assert isinstance(item, Match)
        values = {slot for slot in item.row if not isinstance(slot, C)}
        heads = {head.relation for head in rule.heads}
        others = [r for r in self.plan.rules if r is not rule and heads & {head.relation for head in r.heads}]
        return None not in values and not others and all(values <= set(head.row) for head in rule.heads)

    def _variants(self, relation: Relation, *, again: bool = False) -> Joins:
        """The joins that a new row of the relation starts, for rules that lose nothing.

        Only rules with a window that can open later are carried out `again` for a row that is there already.
        """
        pieces: list[Lines] = []
        collected: dict[tuple[int, str], None] = {}
        integers: dict[str, None] = {}
        for n, (rule, i) in enumerate(self.variants[relation]):
            if again and not any(isinstance(item, (*HORIZONS, Ticking)) for item in rule.body):
                continue
            title = f"{'again' if again else 'insert'}_{self.numbers[relation]}_{n}"
            join = Join(self.names, Mode.ADD, title)
            join.shares_columns = True
            place = Place(indent=2, env={}, horizon="h", row=(self.numbers[relation], "key"))
            join.out.add(2, f"# {comment(show_core_rule(rule, self.plan.program))}")
            self._from_row(join, rule, i, place, self._emit_pending(join, rule))
            pieces.append(join.out)
            collected.update(join.collected)
            integers.update(join.integers)
        return Joins(pieces, tuple(collected), tuple(integers))

    def _insert(self, relation: Relation, joins: Joins, stored: bool) -> None:
        number = self.numbers[relation]
        out = self.out
        out.add(0, f"def insert_{number}(keys, h, now):")
        out.add(1, f"# {comment(show_relation(relation, self.plan.program))}")
        if not stored:
            copied = self._copies(relation)
            if copied is not None:
                for target in copied:
                    out.add(1, f"add_all(p{target}, h, keys)")
                out.add(1, "return keys")
                out.add(0, "")
                return
            self._loop(relation, joins)
            out.add(1, "return keys")
            out.add(0, "")
            return
        out.add(1, "new = []")
        self._open_lists(joins.collected)
        out.add(1, "for key in keys:")
        self._look_up(relation)
        out.add(2, f"r{number}[key] = h")
        out.add(2, "new.append(key)")
        if joins.pieces:
            self._unpack(2, arity(relation), joins.integers)
        for piece in joins.pieces:
            out.extend(piece)
        self._close_lists(joins.collected)
        out.add(1, f"expires(b{number}, {number}, h, new)")
        out.add(1, "return new")
        out.add(0, "")
        self._drop(relation)

    def _look_up(self, relation: Relation) -> None:
        """Whether a row is new, holds longer than it did, or is known to hold as long already."""
        number, out = self.numbers[relation], self.out
        indexes = self.names.indexes.get(relation, {})
        if not indexes and relation not in self.watched:
            out.add(2, f"if r{number}.get(key, -1) >= h:")
            out.add(3, "continue")
            return
        out.add(2, f"old = r{number}.get(key)")
        out.add(2, "if old is None:")
        if relation in self.watched:
            out.add(3, f"born_{number}.append(key)")
        for columns in indexes:
            index, part = self._index_part(relation, columns)
            out.add(3, f"entry = {index}.get({part})")
            out.add(3, "if entry is None:")
            out.add(4, f"{index}[{part}] = {{key}}")
            out.add(3, "else:")
            out.add(4, "entry.add(key)")
        out.add(2, "elif old >= h:")
        out.add(3, "continue")

    def _never_prolonged(self, relation: Relation) -> bool:
        """Whether a row always gets the same horizon: pinned where one input atom was, for one window."""
        rules = [(rule, head) for rule in self.plan.rules for head in rule.heads if head.relation == relation]
        reaches = {_reach(rule, head) for rule, head in rules}
        return isinstance(relation, Pinned) and len(reaches) == 1 and None not in reaches

    def _copies(self, relation: Relation) -> list[int] | None:
        """The heads that take every row as it is, when all rules of the relation only do that."""
        targets: list[int] = []
        for rule, i in self.variants[relation]:
            item = rule.body[i]
            assert isinstance(item, Match)
            distinct = len(set(item.row)) == len(item.row) and all(isinstance(s, V) for s in item.row)
            if len(rule.body) != 1 or not distinct or any(head.row != item.row for head in rule.heads):
                return None
            targets += [self.numbers[head.relation] for head in rule.heads]
        return targets

    def _index_part(self, relation: Relation, columns: tuple[int, ...]) -> tuple[str, str]:
        index = f"x{self.numbers[relation]}_{'_'.join(map(str, columns))}"
        parts = [f"key[{c}]" for c in columns]
        return index, parts[0] if len(parts) == 1 else f"({', '.join(parts)})"

    def _drop(self, relation: Relation) -> None:
        """Rows whose horizon has passed, or that were withdrawn, leave the relation."""
        number = self.numbers[relation]
        out = self.out
        out.add(0, f"def drop_{number}(keys, h):")
        if self._never_prolonged(relation) and relation not in self.watched | self.names.indexes.keys():
            out.add(1, f"pop = r{number}.pop")
            out.add(1, "for key in keys:")
            out.add(2, "pop(key, None)")
            out.add(1, "return NONE")
            out.add(0, "")
            return
        out.add(1, "gone = []")
        out.add(1, "for key in keys:")
        out.add(2, f"if r{number}.get(key) == h:")
        out.add(3, f"del r{number}[key]")
        for columns in self.names.indexes.get(relation, ()):
            index, part = self._index_part(relation, columns)
            out.add(3, f"entry = {index}[{part}]")
            out.add(3, "entry.discard(key)")
            out.add(3, "if not entry:")
            out.add(4, f"del {index}[{part}]")
        if relation in self.watched:
            out.add(3, "gone.append(key)")
        out.add(1, "return gone")
        out.add(0, "")

    def _open_lists(self, collected: tuple[tuple[int, str], ...]) -> None:
        for number, horizon in collected:
            self.out.add(1, f"o{number}_{horizon} = []")
            self.out.add(1, f"z{number}_{horizon} = None")

    def _close_lists(self, collected: tuple[tuple[int, str], ...]) -> None:
        for number, horizon in collected:
            self.out.add(1, f"if o{number}_{horizon}:")
            self.out.add(2, f"add_all(p{number}, {horizon}, o{number}_{horizon})")

    def _again(self, relation: Relation, joins: Joins) -> None:
        """The joins of a row that is in the relation already."""
        self.out.add(0, f"def again_{self.numbers[relation]}(keys, h, now):")
        self._loop(relation, joins)
        self.out.add(0, "")

    def _loop(self, relation: Relation, joins: Joins) -> None:
        """All joins for every row, one row after the other."""
        if not joins.pieces:
            self.out.add(1, "pass")
            return
        self._open_lists(joins.collected)
        self.out.add(1, "for key in keys:")
        self._unpack(2, arity(relation), joins.integers)
        for piece in joins.pieces:
            self.out.extend(piece)
        self._close_lists(joins.collected)

    def _from_row(
        self, join: Join, rule: CoreRule, i: int, place: Place, finish: Callable[[Place], None]
    ) -> None:
        """The join that starts with a row of the i-th item."""
        item = rule.body[i]
        assert isinstance(item, Match)
        if all(isinstance(s, V) for s in item.row) and len(set(item.row)) == len(item.row):
            join.first_row = item.row
        place = join.unpack(item.row, "key", (), place, unpacked=True)
        rest = [*rule.body[:i], *rule.body[i + 1 :]]
        join.write(join_order(rest, place.env), place, finish)

    def _unpack(self, indent: int, width: int, integers: tuple[str, ...]) -> None:
        self.out.add(indent, unpacking(width))
        for column in integers:
            self.out.add(indent, f"i{column} = type({column}) is int")

    def _emit_pending(self, join: Join, rule: CoreRule) -> Callable[[Place], None]:
        def finish(place: Place) -> None:
            for head in rule.heads:
                row, place = join.head(head, place)
                number = self.numbers[head.relation]
                horizon = place.horizon or "FOREVER"
                if horizon in ("h", "now") and not join.inside_part:
                    self._collect(join, number, horizon, row, place)
                    continue
                join.out.add(place.indent, f"if {horizon} in p{number}:")
                join.out.add(place.indent + 1, f"p{number}[{horizon}].append({row})")
                join.out.add(place.indent, "else:")
                join.out.add(place.indent + 1, f"p{number}[{horizon}] = [{row}]")

        return finish

    def _collect(self, join: Join, number: int, horizon: str, row: str, place: Place) -> None:
        """Rows whose horizon is the same for all go into a list of the function.

        A row of few columns often comes many times in a row (a projection): it is compared with the last one.
        """
        name = f"o{number}_{horizon}"
        join.collected[number, horizon] = None
        indent = place.indent
        if row == "()":
            join.out.add(indent, f"if not {name}:")
            indent += 1
        elif row.endswith(",)") and place.loops == 0:
            last = f"z{number}_{horizon}"
            join.out.add(indent, f"if {row[1:-2]} != {last}:")
            indent += 1
            join.out.add(indent, f"{last} = {row[1:-2]}")
        join.out.add(indent, f"{name}.append({row})")


def _reach(rule: CoreRule, head: HeadRow) -> int | None:
    """How long behind its time point a row of the head holds, if that is the same for all."""
    rows = [item for item in rule.body if isinstance(item, Match)]
    if len(rows) != 1 or not all(isinstance(item, Match | Test) for item in rule.body):
        return None
    match rows[0]:
        case Match(relation=Streamed(quantifier=Quantifier.AT, window=TimeSpan(back=back, step=1)), row=row):
            return back if row[-1] == head.row[-1] else None
    return None
