"""Windows that make no sense (E120 to E128).

Every window of a program enters, also those inside aggregates.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import assert_never

from laser_rdf.check.checked import Predicate
from laser_rdf.check.codes import problem
from laser_rdf.check.context import Context
from laser_rdf.check.drafts import DraftLiteral
from laser_rdf.check.sizes import duration, fitting_clock, is_whole, points, sizes
from laser_rdf.check.variables import among, written
from laser_rdf.errors import Diagnostic, Span
from laser_rdf.lang.ast import (
    AllWindow,
    Block,
    PartitionWindow,
    PredicateRef,
    Quantifier,
    Size,
    TimeWindow,
    TupleWindow,
)

MAX_SIZE = 10**15


def sensible_windows(context: Context) -> Iterator[Diagnostic]:
    """The windows that cannot be taken, or not over what stands before them."""
    better_clock = fitting_clock(context.program, context.clock)
    for draft in context.drafts:
        for found in draft.literals:
            window = found.written.window
            match window:
                case None | AllWindow():
                    pass
                case TimeWindow():
                    yield from _time(context, found, window, better_clock)
                case TupleWindow():
                    yield from _count(window)
                    yield from _over_derived(context, found, window.span)
                    if window.of is not None:
                        yield from _counts_derived(context, window.of)
                case PartitionWindow():
                    yield from _count(window)
                    yield from _over_derived(context, found, window.span)
                    yield from _partition(found, window)
                case _:
                    assert_never(window)


def _time(
    context: Context, found: DraftLiteral, window: TimeWindow, better_clock: str
) -> Iterator[Diagnostic]:
    clock = context.clock
    for size in sizes(window):
        if not is_whole(size, clock):
            yield problem(
                "E125",
                f"`{_shown(size)}` is not a whole number of time points of {duration(clock.unit_ms)}",
                size.span,
                f'round it, or run with `--clock "{better_clock}"`',
            )
        if points(size, clock) > MAX_SIZE:
            yield problem(
                "E128",
                f"`{_shown(size)}` is more than {MAX_SIZE:,} time points",
                size.span,
                "write `[all]` to look back to the start of the stream",
            )
    back, ahead = points(window.back, clock), points(window.ahead, clock)
    if found.written.quantifier is Quantifier.ALWAYS and ahead:
        yield problem(
            "E123",
            "`always` over a window that looks ahead",
            window.ahead.span,
            "what will hold cannot be known to hold always: remove the part with `+`",
        )
    if window.step is None:
        return
    step = points(window.step, clock)
    if step == 0:
        yield problem(
            "E126", "a step of zero", window.step.span, "a step is at least one time point; leave it out"
        )
    elif step > back + ahead + 1:
        reach = back + ahead + 1
        yield problem(
            "E124",
            f"the step of {step:,} time points is larger than the window, which has {reach:,}",
            window.step.span,
            f"time points between two windows would never be seen: use a step of at most {reach:,}",
        )


def _shown(size: Size) -> str:
    return str(size.value) if size.unit is None else f"{size.value} {size.unit}"


def _count(window: TupleWindow | PartitionWindow) -> Iterator[Diagnostic]:
    if window.count == 0:
        yield problem(
            "E126", "a window of zero atoms", window.span, "count at least one: `[#1]` is the last atom"
        )
    if window.count > MAX_SIZE:
        note = "use a smaller count, or `[all]`"
        yield problem("E128", f"a window of more than {MAX_SIZE:,} atoms", window.span, note)


def _over_derived(context: Context, found: DraftLiteral, span: Span) -> Iterator[Diagnostic]:
    """Blocks read input only, so every window is allowed over them."""
    if found.literal.input_only:
        return
    for atom in found.literal.atoms:
        if context.graph.may_derive(atom.predicate):
            yield _derived(context, atom.predicate, span)


def _counts_derived(context: Context, of: PredicateRef) -> Iterator[Diagnostic]:
    counted = [p for p in context.derived_as(of.predicate) if of.arity in (None, p.arity)]
    if counted:
        yield _derived(context, counted[0], of.span)


def _derived(context: Context, predicate: Predicate, span: Span) -> Diagnostic:
    return problem(
        "E120",
        f"a window that counts atoms over `{context.signature(predicate)}`, which rules derive",
        span,
        "use a time window, or a block `{ … }` for input triples, or a second program that reads the output",
    )


def _partition(found: DraftLiteral, window: PartitionWindow) -> Iterator[Diagnostic]:
    if isinstance(found.written.formula, Block):
        note = "write the predicate as an atom: `p(?x, ?y) in [#1 per ?x]`"
        yield problem("E127", "`per` over a block", window.span, note)
        return
    occurrences = Counter(v.name for v in among(found.written.formula.args))
    for variable in window.per:
        shown = written(variable.name)
        if occurrences[variable.name] == 0:
            has = ", ".join(f"`{written(name)}`" for name in occurrences) or "none"
            note = f"`per` takes a variable of the atom before the window; its variables are: {has}"
            yield problem("E121", f"`{shown}` is not in the atom before the window", variable.span, note)
        elif occurrences[variable.name] > 1:
            note = "use another variable at one of the places and compare the two with `=`"
            yield problem("E122", f"`{shown}` is in the atom more than once", variable.span, note)
