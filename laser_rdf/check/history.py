"""Windows and `at` that keep the whole history of an input predicate (W203)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from laser_rdf.check.codes import problem
from laser_rdf.check.context import Context
from laser_rdf.errors import Diagnostic, Span
from laser_rdf.lang.ast import AllWindow, Literal, PartitionWindow, Quantifier, TimeWindow, TupleWindow


def history_is_bounded(context: Context) -> Iterator[Diagnostic]:
    """One warning for each literal that looks back without bound over input."""
    for draft in context.rules:
        for found in draft.literals:
            reach = _reach(found.written)
            inputs = [
                atom.predicate for atom in found.literal.atoms if atom.predicate not in context.graph.derived
            ]
            if reach is None or not inputs:
                continue
            what, span, note = reach
            yield problem(
                "W203", f"{what} keeps every `{context.signature(inputs[0])}` that ever arrives", span, note
            )


def _reach(literal: Literal) -> tuple[str, Span, str] | None:
    """What looks back without bound, where it stands, and what to do; None when the literal does not."""
    if literal.reference is not None:
        return (
            "`from`",
            literal.reference.span,
            "if the reference is never far back, a larger window without `from` will do",
        )
    match literal.window:
        case AllWindow(span=span):
            what = "`always` without a window" if span == literal.span else "`[all]`"
            return what, span, "a time window bounds the memory: `[1 d]`"
        case None if literal.quantifier is Quantifier.AT:
            assert literal.at is not None
            return "`at` without a window", literal.at.span, "a window bounds the memory: `at T in [1 d]`"
        case None | TimeWindow() | TupleWindow() | PartitionWindow():
            return None
        case _:
            assert_never(literal.window)
