"""What all parts of a join share: where in the nest of loops they write, and how names are made."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from laser_rdf.codegen.writer import Constants, Lines
from laser_rdf.plan.core import (
    Relation,
    Slot,
    V,
)
from laser_rdf.values import Term


class Mode(enum.Enum):
    """What a join is for."""

    ADD = "add"
    WITHDRAW = "withdraw"
    REDERIVE = "rederive"


@dataclass
class Names:
    """What the generated code calls things, and what it turned out to need."""

    numbers: Mapping[Relation, int]
    constants: Constants
    encode: Callable[[Term], object]
    functions: list[Lines] = field(default_factory=list)
    indexes: dict[Relation, dict[tuple[int, ...], None]] = field(default_factory=dict)
    lookups: set[Relation] = field(default_factory=set)
    delayed: set[Relation] = field(default_factory=set)
    zero_groups: frozenset[int] = frozenset()

    def constant(self, term: Term) -> str:
        """The name of a term of the program."""
        return self.constants.name(self.encode(term))

    def index(self, relation: Relation, columns: tuple[int, ...]) -> str:
        """The name of an index, which is noted to be made."""
        self.indexes.setdefault(relation, {})[columns] = None
        return f"x{self.numbers[relation]}_{'_'.join(map(str, columns))}"


@dataclass(frozen=True)
class Place:
    """Where in the nest of loops the fold is."""

    indent: int
    env: Mapping[str, str]
    horizon: str | None
    """The name that holds the horizon so far; None while nothing limits it."""

    row: tuple[int, str] | None = None
    """A row of the join, by relation number and name: what is looked at again when a window opens later."""

    loops: int = 0
    count: int = 0
    """How many names have been used up."""


class Piece:
    """A piece of source under construction."""

    def __init__(self, names: Names, mode: Mode, title: str) -> None:
        self.names = names
        self.mode = mode
        self.title = title
        self.parts = 0
        self.inside_part = False
        self.integers: dict[str, None] = {}
        """Columns of the row the join starts from that are tested to be integers, once for all joins."""

        self.shares_columns = False
        self.first_row: tuple[Slot, ...] = ()
        """The row the join starts from; a head that repeats it takes it as it is."""

        self.collected: dict[tuple[int, str], None] = {}
        """Tables whose rows are collected in a list of the function, because all have one horizon."""

        self.out = Lines()

    def condition(self, condition: str, place: Place) -> Place:
        """A condition around all that follows."""
        return self._if(condition, place)

    def _if(self, condition: str, place: Place) -> Place:
        self.out.add(place.indent, f"if {condition}:")
        return replace(place, indent=place.indent + 1)

    def _name(self, place: Place, letter: str = "t") -> tuple[str, Place]:
        return f"{letter}{place.count}", replace(place, count=place.count + 1)

    def _least(self, own: str, place: Place) -> Place:
        if place.horizon is None:
            return replace(place, horizon=own)
        both, place = self._name(place, "g")
        self.out.add(place.indent, f"{both} = {own} if {own} < {place.horizon} else {place.horizon}")
        return replace(place, horizon=both)

    def _bind(self, target: V, value: str, place: Place) -> Place:
        """The variable gets the value; if it has one already, the two must be the same."""
        if target.name in place.env:
            return self._if(f"{place.env[target.name]} == {value}", place)
        return replace(place, env={**place.env, target.name: value})

    def _later(self, time: str, place: Place) -> None:
        """Look at a row of the join again when the time has come."""
        if self.mode is Mode.ADD and place.row is not None:
            number, key = place.row
            self.names.delayed.add(_relation(self.names, number))
            self.out.add(place.indent, f"later({time}, {number}, {key})")


def _relation(names: Names, number: int) -> Relation:
    return next(relation for relation, n in names.numbers.items() if n == number)
