"""What the engine runs: relations and rules between them, all operators worked out.

A *relation* is a set of ground tuples, each with a horizon: the last evaluation time at which it is known
to hold. Windows, operators and the kinds of facts of the semantics (streamed, pinned, floating,
background) become relations and a few items that limit a horizon, so that a rule is a plain join:

    q(X) :- p(X) in [5], r(X) at T in [3].        with p streamed and r derived by an `at` head
      →  floating q(X)  ←  streamed p(X) some [5],  pinned r(X, T),  T within [3]
"""

from __future__ import annotations

from dataclasses import dataclass, field

from laser_rdf.check import Everything, LastAtoms, LastPer, Predicate, ResolvedWindow, TimeSpan
from laser_rdf.lang.ast import AggregateName, Comparison, Expr, Quantifier
from laser_rdf.values import Term

# --- relations ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Streamed:
    """Input atoms under a time window, by `now`, `some` or `at`; rows of `at` end with the time point."""

    predicate: Predicate
    quantifier: Quantifier
    window: TimeSpan | Everything | None
    stream: str | None = None
    without_background: bool = False


@dataclass(frozen=True, slots=True)
class Counted:
    """Input atoms under a tuple or partition window, by `some` or `at`."""

    predicate: Predicate
    quantifier: Quantifier
    window: LastAtoms | LastPer
    stream: str | None = None


@dataclass(frozen=True, slots=True)
class Background:
    """Atoms that hold at every time point."""

    predicate: Predicate


@dataclass(frozen=True, slots=True)
class Floating:
    """Atoms that rules derive for the evaluation time, whatever it is."""

    predicate: Predicate


@dataclass(frozen=True, slots=True)
class Pinned:
    """Atoms that rules derive at a time point, which ends the row."""

    predicate: Predicate


@dataclass(frozen=True, slots=True)
class Covering:
    """Atoms that hold at every point of a window (`always`); holds for the current time point only."""

    predicate: Predicate
    window: TimeSpan | Everything
    stream: str | None = None
    input_only: bool = False


@dataclass(frozen=True, slots=True)
class Arriving:
    """Matches of a block among the atoms of the current time point; they arrive like atoms."""

    predicate: Predicate


@dataclass(frozen=True, slots=True)
class Helper:
    """A relation the planner invents: what a negation or an aggregate asks for."""

    number: int
    arity: int


@dataclass(frozen=True, slots=True)
class Output:
    """What holds now of a predicate that has derivations with an `at` head."""

    predicate: Predicate


BLOCK = "block "
"""How the names of predicates begin that stand for blocks; no IRI has a blank."""


def is_block(predicate: Predicate) -> bool:
    """Whether the predicate stands for a block of triple patterns."""
    return predicate.name.startswith(BLOCK)


Relation = Streamed | Counted | Background | Floating | Pinned | Covering | Arriving | Helper | Output


def arity(relation: Relation) -> int:
    """How long the relation's rows are."""
    match relation:
        case Helper(arity=count):
            return count
        case Pinned(predicate=predicate):
            return predicate.arity + 1
        case Streamed(predicate=predicate, quantifier=q) | Counted(predicate=predicate, quantifier=q):
            return predicate.arity + (q is Quantifier.AT)
        case _:
            return relation.predicate.arity


# --- rows in rules -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class V:
    """A variable."""

    name: str


@dataclass(frozen=True, slots=True)
class C:
    """A constant."""

    term: Term


@dataclass(frozen=True, slots=True)
class Fresh:
    """A fresh resource of a head block, named after the rule and the head's variables."""

    rule: str
    label: str
    variables: tuple[str, ...]
    time: str | None


ANY = None
"""A place whose value does not matter."""

Slot = V | C | None

# --- body items --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Match:
    """A row of a relation."""

    relation: Relation
    row: tuple[Slot, ...]


@dataclass(frozen=True, slots=True)
class Absent:
    """No such row in a relation."""

    relation: Relation
    row: tuple[V | C, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """The value of an aggregate for a group."""

    number: int
    groups: tuple[V, ...]
    target: V


@dataclass(frozen=True, slots=True)
class Let:
    """A variable computed from others."""

    target: V
    value: Expr


@dataclass(frozen=True, slots=True)
class Test:
    """A comparison."""

    comparison: Comparison


@dataclass(frozen=True, slots=True)
class TimeOf:
    """The time point that an expression names; when it names none, the item fails.

    `lenient`: the target becomes a time point no row has instead, for looking under a negation.
    """

    target: V
    value: Expr
    lenient: bool = False


@dataclass(frozen=True, slots=True)
class Within:
    """The time point lies in the window taken now (no window: it is now). Limits the horizon."""

    time: V
    window: TimeSpan | Everything | None
    past: bool = False
    """The time point is known not to lie in the future."""


@dataclass(frozen=True, slots=True)
class WithinAt:
    """The time point lies in the window taken at a reference time point."""

    time: V
    reference: V
    window: TimeSpan | Everything


@dataclass(frozen=True, slots=True)
class NowWithinAt:
    """Now lies in the window taken at a reference time point. Limits the horizon."""

    reference: V
    window: TimeSpan | Everything


@dataclass(frozen=True, slots=True)
class NotEmptyAt:
    """The window taken at a reference time point has a point."""

    reference: V
    window: TimeSpan | Everything


@dataclass(frozen=True, slots=True)
class Ticking:
    """The time point is now, and another one at the next evaluation time."""

    time: V


@dataclass(frozen=True, slots=True)
class InPhase:
    """Now lies in its own window, which moves in steps. Limits the horizon."""

    window: TimeSpan


@dataclass(frozen=True, slots=True)
class Opened:
    """The window taken now has a point: one that moves in steps can be empty early on. Limits the horizon."""

    window: TimeSpan


@dataclass(frozen=True, slots=True)
class PointInPhase:
    """The time point lies in the window taken at itself."""

    time: V
    window: TimeSpan


@dataclass(frozen=True, slots=True)
class Started:
    """The time point is not before the start of the stream."""

    time: V


Item = (
    Match
    | Absent
    | Group
    | Let
    | Test
    | TimeOf
    | Within
    | WithinAt
    | NowWithinAt
    | NotEmptyAt
    | Ticking
    | InPhase
    | Opened
    | PointInPhase
    | Started
)


@dataclass(frozen=True, slots=True)
class HeadRow:
    """What a rule adds: a row of a relation."""

    relation: Relation
    row: tuple[V | C | Fresh, ...]


@dataclass(frozen=True, slots=True)
class CoreRule:
    """A join and what it adds; rules of the program with the same body share one."""

    heads: tuple[HeadRow, ...]
    body: tuple[Item, ...]
    sources: tuple[int, ...]
    """Which rules of the program it stands for."""

    limited: bool = False
    names: tuple[tuple[str, str], ...] = field(default=(), compare=False)
    """The variables as the program's (first) rule calls them."""


@dataclass(frozen=True, slots=True)
class GroupOf:
    """An aggregate: its groups are the first columns of a helper relation, its tuples the rest."""

    number: int
    function: AggregateName
    relation: Helper
    width: int


__all__ = [
    "ANY",
    "BLOCK",
    "Absent",
    "Arriving",
    "Background",
    "C",
    "CoreRule",
    "Counted",
    "Covering",
    "Floating",
    "Fresh",
    "Group",
    "GroupOf",
    "HeadRow",
    "Helper",
    "InPhase",
    "Item",
    "Let",
    "Match",
    "NotEmptyAt",
    "NowWithinAt",
    "Opened",
    "Output",
    "Pinned",
    "PointInPhase",
    "Relation",
    "ResolvedWindow",
    "Slot",
    "Started",
    "Streamed",
    "Test",
    "Ticking",
    "TimeOf",
    "V",
    "Within",
    "WithinAt",
    "arity",
    "is_block",
]
