"""Windows in time points.

Syntax and a clock enter, a resolved window leaves. This never fails: a size that does not fit the clock is
rounded up here and reported by the pass `windows`, so that one mistake does not hide others.
"""

from __future__ import annotations

from math import gcd
from typing import assert_never

from laser_rdf.check.checked import Everything, LastAtoms, LastPer, PatternAtom, ResolvedWindow, TimeSpan
from laser_rdf.check.variables import literals
from laser_rdf.lang.ast import (
    AllWindow,
    PartitionWindow,
    Program,
    Size,
    TimeWindow,
    TupleWindow,
    Unit,
    Var,
    Window,
)
from laser_rdf.values import Clock

UNIT_MS: dict[Unit, int] = {"ms": 1, "s": 1000, "min": 60_000, "h": 3_600_000, "d": 86_400_000}


def points(size: Size, clock: Clock) -> int:
    """A size in time points, rounded up.

    >>> points(Size(5, "min"), Clock(unit_ms=1000)), points(Size(7), Clock(unit_ms=1000))
    (300, 7)
    """
    if size.unit is None:
        return size.value
    return -(-size.value * UNIT_MS[size.unit] // clock.unit_ms)


def is_whole(size: Size, clock: Clock) -> bool:
    """Whether a size is a whole number of time points."""
    return size.unit is None or size.value * UNIT_MS[size.unit] % clock.unit_ms == 0


def sizes(window: Window | None) -> tuple[Size, ...]:
    """The sizes a window is written with."""
    match window:
        case TimeWindow(back=back, ahead=ahead, step=step):
            return (back, ahead) if step is None else (back, ahead, step)
        case None | AllWindow() | TupleWindow() | PartitionWindow():
            return ()
        case _:
            assert_never(window)


def fitting_clock(program: Program, clock: Clock) -> str:
    """The coarsest unit that divides this clock's and every window of the program, as `--clock` reads it."""
    unit = clock.unit_ms
    for rule in program.rules:
        for literal in literals(rule):
            for size in sizes(literal.window):
                if size.unit is not None:
                    unit = gcd(unit, size.value * UNIT_MS[size.unit])
    return duration(unit)


def duration(milliseconds: int) -> str:
    """A duration in the largest unit that fits.

    >>> duration(90_000), duration(500)
    ('90 s', '500 ms')
    """
    unit = max((u for u, ms in UNIT_MS.items() if milliseconds % ms == 0), key=UNIT_MS.__getitem__)
    return f"{milliseconds // UNIT_MS[unit]} {unit}"


def resolve(window: Window | None, atoms: tuple[PatternAtom, ...], clock: Clock) -> ResolvedWindow | None:
    """A window over these atoms, in time points and argument positions."""
    match window:
        case None:
            return None
        case AllWindow():
            return Everything()
        case TimeWindow(back=back, ahead=ahead, step=step):
            return TimeSpan(
                points(back, clock), points(ahead, clock), 1 if step is None else points(step, clock)
            )
        case TupleWindow(count=count, of=None):
            return LastAtoms(count)
        case TupleWindow(count=count, of=ref):
            assert ref is not None
            return LastAtoms(count, ref.predicate, ref.arity)
        case PartitionWindow(count=count, per=per):
            wanted = {v.name for v in per}
            places = enumerate(atoms[0].args if atoms else ())
            return LastPer(
                count, tuple(i for i, arg in places if isinstance(arg, Var) and arg.name in wanted)
            )
        case _:
            assert_never(window)
