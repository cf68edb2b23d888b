"""The syntax tree of a program: frozen values that say what was written, with where.

Every node has a `span` that does not take part in comparison, so two programs that differ in layout
only are equal. Names are resolved: a predicate or an IRI is its full text, never a prefixed name.

    p(X) at T in [5 s]   →   Literal(Atom("urn:laser:local:p", (Var("X"),)), AT, at=Var("T"),
                                     window=TimeWindow(back=Size(5, "s")))
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal as OneOf

from laser_rdf.errors import NOWHERE, Source, Span
from laser_rdf.values.terms import LOCAL_BASE, Term


def _span() -> Span:
    return field(default=NOWHERE, compare=False, repr=False)


# --- terms and expressions -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Var:
    """`?x` or `X`; the name is without the question mark."""

    name: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Wildcard:
    """`_`: any value, a different one at each place."""

    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Blank:
    """`[]` or `_:b` in a block: existential in a body, a fresh resource in a head.

    Labels are renamed to b1, b2, … in the order of their first appearance in the block.
    """

    label: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Const:
    """An IRI or a literal, as written."""

    term: Term
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Unary:
    """`-X`."""

    op: OneOf["-"]
    operand: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Binary:
    """`X + Y` and its kin."""

    op: OneOf["+", "-", "*", "/", "mod"]
    left: Expr
    right: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Call:
    """`abs(X)`."""

    function: str
    args: tuple[Expr, ...]
    span: Span = _span()


Expr = Var | Const | Unary | Binary | Call
Arg = Var | Const | Wildcard
Node = Var | Const | Wildcard | Blank

# --- atoms and blocks ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Atom:
    """`p(X, a)`; the predicate is an IRI."""

    predicate: str
    args: tuple[Arg, ...] = ()
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Pattern:
    """One triple pattern of a block."""

    subject: Node
    predicate: Node
    object: Node
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Block:
    """`{ ?r a ex:Temp ; ex:val ?v . ?v > 60 }`: patterns that match at one time point, conditions behind."""

    patterns: tuple[Pattern, ...]
    conditions: tuple[Comparison, ...] = ()
    span: Span = _span()


# --- windows ---------------------------------------------------------------------------------------

Unit = OneOf["ms", "s", "min", "h", "d"]


@dataclass(frozen=True, slots=True)
class Size:
    """A window size: a number of time points, or of a unit of time."""

    value: int
    unit: Unit | None = None
    span: Span = _span()


ZERO = Size(0)


@dataclass(frozen=True, slots=True)
class TimeWindow:
    """`[5 min, +1 min step 1 min]`."""

    back: Size = ZERO
    ahead: Size = ZERO
    step: Size | None = None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class AllWindow:
    """`[all]`: everything from the start of the stream to now."""

    span: Span = _span()


@dataclass(frozen=True, slots=True)
class PredicateRef:
    """`p` or `p/2` in a directive or a window."""

    predicate: str
    arity: int | None = None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class TupleWindow:
    """`[#3]` or `[#3 of p]`: the last atoms that arrived."""

    count: int
    of: PredicateRef | None = None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class PartitionWindow:
    """`[#1 per ?room]`: the last atoms for each value."""

    count: int
    per: tuple[Var, ...]
    span: Span = _span()


Window = TimeWindow | AllWindow | TupleWindow | PartitionWindow

# --- rules -----------------------------------------------------------------------------------------


class Quantifier(enum.Enum):
    """When, inside its window, an atom must hold."""

    NOW = "now"
    SOME = "some"
    ALWAYS = "always"
    AT = "at"


@dataclass(frozen=True, slots=True)
class Literal:
    """An atom or block under operators, perhaps negated.

    `at` is there exactly when the quantifier is AT. `reference` is the R of `from R` and needs a window.
    SOME and ALWAYS always have a window (`always p` is read as `p always in [all]`).
    """

    formula: Atom | Block
    quantifier: Quantifier = Quantifier.NOW
    at: Expr | None = None
    window: Window | None = None
    reference: Expr | None = None
    stream: str | None = None
    negated: bool = False
    span: Span = _span()


CompareOp = OneOf["=", "!=", "<", "<=", ">", ">="]


@dataclass(frozen=True, slots=True)
class Comparison:
    """`X < 5`; `X = 5` binds X when nothing else does (see check.binding)."""

    op: CompareOp
    left: Expr
    right: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Assignment:
    """`X := Y + 1`."""

    target: Var
    value: Expr
    span: Span = _span()


AggregateName = OneOf["count", "sum", "avg", "min", "max"]


@dataclass(frozen=True, slots=True)
class Aggregate:
    """`N := count { O : obs(S, O) in [3 s] }`."""

    target: Var
    function: AggregateName
    members: tuple[Arg, ...]
    body: tuple[Literal | Comparison | Assignment, ...]
    span: Span = _span()


BodyItem = Literal | Comparison | Assignment | Aggregate


@dataclass(frozen=True, slots=True)
class Head:
    """What a rule derives, now or `at` a time point."""

    formula: Atom | Block
    at: Expr | None = None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Rule:
    """`head :- body .`; without a body it is a fact."""

    head: Head
    body: tuple[BodyItem, ...] = ()
    span: Span = _span()

    @property
    def is_fact(self) -> bool:
        """Background: no body, and not tied to a time point."""
        return not self.body and self.head.at is None


# --- programs --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Prefix:
    """`PREFIX ex: <http://example.org/>`."""

    name: str
    iri: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Constant:
    """`#const n = 5 .`; uses of the name are already replaced by the term."""

    name: str
    term: Term
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Program:
    """A whole program, names resolved."""

    rules: tuple[Rule, ...] = ()
    prefixes: tuple[Prefix, ...] = ()
    base: str = LOCAL_BASE
    shows: tuple[PredicateRef, ...] = ()
    externals: tuple[PredicateRef, ...] = ()
    constants: tuple[Constant, ...] = ()
    source: Source = field(default=Source("<program>", ""), compare=False, repr=False)

    @classmethod
    def parse(cls, text: str, name: str = "<program>") -> Program:
        """The program written in `text`; a ProgramError with every syntax problem if it is not one.

        >>> Program.parse("q(X) :- p(X) in [5].").rules[0].head.formula.predicate
        'urn:laser:local:q'
        """
        from laser_rdf.lang.parser import parse  # the parser builds these nodes, so it imports this module

        return parse(text, name)

    @classmethod
    def read(cls, path: str | Path) -> Program:
        """The program in a UTF-8 file."""
        from laser_rdf.lang.parser import read

        return read(path)

    def __str__(self) -> str:
        from laser_rdf.lang.printer import show

        return show(self)
