"""How far back a program looks: what lies further in the past cannot change an answer any more.

What was derived earlier is no input, so windows do not add up: the longest one decides.
"""

from __future__ import annotations

from laser_rdf.check.checked import CheckedProgram, Everything, LastAtoms, LastPer, TimeSpan
from laser_rdf.check.mentions import literals_of
from laser_rdf.lang.ast import Quantifier


def lookback_of(program: CheckedProgram) -> int | None:
    """The number of time points before now that the program can see; None if there is no limit.

    >>> from laser_rdf.check import check
    >>> from laser_rdf.lang import Program
    >>> lookback_of(check(Program.parse("#external p/1 . q(X) :- p(X) in [1 min], not p(X) in [5 s].")))
    60
    >>> lookback_of(check(Program.parse("#external p/1 . q(X) :- p(X) in [all].")))
    """
    longest = 0
    for literal in literals_of(step for rule in program.rules for step in rule.body):
        match literal.window:
            case None:
                if literal.quantifier is not Quantifier.NOW:
                    return None
            case TimeSpan(back=back, step=step):
                if literal.reference is not None:
                    return None  # the window lies wherever the reference time is
                longest = max(longest, back + step - 1)
            case Everything() | LastAtoms() | LastPer():
                return None
    return longest
