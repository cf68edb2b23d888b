"""What every evaluator says when a limit is reached."""

from __future__ import annotations

from laser_rdf.check.checked import CheckedProgram, CheckedRule
from laser_rdf.errors import EvaluationError, escape_control
from laser_rdf.lang.printer import shortener, show_rule


def too_many_derivations(program: CheckedProgram, rule: CheckedRule, now: int, limit: int) -> EvaluationError:
    """The error for a rule that is recursive through arithmetic and does not come to an end.

    >>> from laser_rdf.check import check
    >>> from laser_rdf.lang.ast import Program
    >>> program = check(Program.parse("n(0). n(Y) :- n(X), Y := X + 1."))
    >>> print(too_many_derivations(program, program.rules[0], 7, 100))
    <program>:1: more than 100 derivations at time point 7 by recursion through arithmetic
      rule: n(Y) :- n(X), Y := X + 1 .
      = bound the recursion, as with `X < 1000`, or allow more with `--max-derivations`
    """
    source = program.program
    text = show_rule(source.rules[rule.index], shortener(source))
    head = f"{source.source.name}:{rule.span.line}: more than {limit} derivations at time point {now}"
    lines = [
        f"{head} by recursion through arithmetic",
        f"  rule: {text}",
        "  = bound the recursion, as with `X < 1000`, or allow more with `--max-derivations`",
    ]
    return EvaluationError("\n".join(map(escape_control, lines)))
