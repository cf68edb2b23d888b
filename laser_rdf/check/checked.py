"""A checked program: what the evaluators read.

It says the same as the syntax tree with the spellings worked out: windows in time points, blocks as
atoms, `rdf:type(X, c)` and `triple(X, rdf:type, c)` as `c(X)`, `X = expr` decided to bind or to compare,
bodies in an order in which every item finds its variables bound, rules in strata.

    q(X) :- Y = X + 1, p(X) in [1 min], not r(Y).
      →  body: p(X) SOME in TimeSpan(60), Y := X + 1, not r(Y)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from laser_rdf.errors import NOWHERE, Diagnostic, Span
from laser_rdf.lang.ast import (
    AggregateName,
    Arg,
    Assignment,
    Blank,
    Comparison,
    Expr,
    Program,
    Quantifier,
    Var,
)
from laser_rdf.values import LOCAL_BASE, Clock, FunctionTable, Term


class Predicate(NamedTuple):
    """A predicate of a certain arity: `p/2`. A class is of arity 1, a property of arity 2."""

    name: str
    arity: int


TRIPLE = Predicate(LOCAL_BASE + "triple", 3)
"""Any triple: what `triple(S, P, O)` stands for when the predicate, or the class, is a variable.

As a pattern it matches every atom of arity 1 (`c(x)` is `x rdf:type c`) and of arity 2.
"""

# --- windows in time points --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """From `back` time points before the pivot to `ahead` behind it; the pivot moves in steps."""

    back: int
    ahead: int = 0
    step: int = 1


@dataclass(frozen=True, slots=True)
class Everything:
    """From the start of the stream to the reference time."""


@dataclass(frozen=True, slots=True)
class LastAtoms:
    """The last `count` atoms of the input, or of those of one predicate (of any arity when it is None)."""

    count: int
    name: str | None = None
    arity: int | None = None


@dataclass(frozen=True, slots=True)
class LastPer:
    """The last `count` atoms of the literal's predicate for each value at the argument `positions`."""

    count: int
    positions: tuple[int, ...]


ResolvedWindow = TimeSpan | Everything | LastAtoms | LastPer

# --- rules -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PatternAtom:
    """An atom with variables. The blank nodes of a block are variables named `_:b1`, … here."""

    predicate: Predicate
    args: tuple[Arg, ...]


@dataclass(frozen=True, slots=True)
class CheckedLiteral:
    """One atom, or the atoms of a block, under operators.

    `input_only`: a block, which ranges over streamed and background atoms but not over derived ones.
    `conditions` belong to a block and are tested at the block's time point.
    `binds_time`: `at` is a variable that no argument, assignment or group binds, so matching the literal
    binds it to the time point; every other `at` tests the time point by value.
    """

    atoms: tuple[PatternAtom, ...]
    quantifier: Quantifier
    at: Expr | None = None
    window: ResolvedWindow | None = None
    reference: Expr | None = None
    stream: str | None = None
    negated: bool = False
    input_only: bool = False
    conditions: tuple[Comparison, ...] = ()
    binds_time: bool = False
    span: Span = field(default=NOWHERE, compare=False, repr=False)


# Named here because inside the class `tuple` is the field.
@dataclass(frozen=True, slots=True)
class CheckedAggregate:
    """`target := function { members : body }`, grouped by `groups`, which the rest of the rule binds."""

    target: Var
    function: AggregateName
    members: tuple[Arg, ...]
    body: tuple[BodyStep, ...]
    groups: tuple[str, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


BodyStep = CheckedLiteral | Comparison | Assignment | CheckedAggregate


@dataclass(frozen=True, slots=True)
class HeadAtom:
    """An atom a rule derives; a Blank among its arguments is a fresh resource."""

    predicate: Predicate
    args: tuple[Arg | Blank, ...]


@dataclass(frozen=True, slots=True)
class CheckedRule:
    """A rule that can be evaluated.

    `body` is in an order in which everything an item needs is bound by those before it.
    `text` is the rule printed without prefixes; fresh resources are named after it.
    `limited`: the rule is recursive through arithmetic, so its derivations are counted and limited.
    """

    index: int
    head: tuple[HeadAtom, ...]
    head_at: Expr | None
    head_variables: tuple[str, ...]
    body: tuple[BodyStep, ...]
    text: str = field(repr=False)
    limited: bool = False
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class GroundAtom:
    """An atom without variables."""

    predicate: Predicate
    args: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class CheckedProgram:
    """A program without errors, ready to be evaluated stratum by stratum."""

    program: Program
    clock: Clock
    functions: FunctionTable
    facts: tuple[GroundAtom, ...]
    strata: tuple[tuple[CheckedRule, ...], ...]
    derived: frozenset[Predicate]
    warnings: tuple[Diagnostic, ...]

    @property
    def rules(self) -> tuple[CheckedRule, ...]:
        """All rules, lowest stratum first."""
        return tuple(rule for stratum in self.strata for rule in stratum)

    def is_shown(self, predicate: Predicate) -> bool:
        """Whether atoms of the predicate are output: all derived ones unless `#show` names some."""
        shows = self.program.shows
        return not shows or any(
            ref.predicate == predicate.name and ref.arity in (None, predicate.arity) for ref in shows
        )
