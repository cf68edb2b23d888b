"""Calls of functions that exist, with as many arguments as they take (E132, E133)."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from laser_rdf.check.codes import problem
from laser_rdf.check.context import Context
from laser_rdf.check.variables import parts, rule_expressions
from laser_rdf.errors import Diagnostic
from laser_rdf.lang.ast import Call
from laser_rdf.values import Function


def known_functions(context: Context) -> Iterator[Diagnostic]:
    """The calls that cannot be carried out."""
    for rule in context.program.rules:
        for expr in rule_expressions(rule):
            for call in parts(expr):
                if isinstance(call, Call):
                    yield from _call(call, context)


def _call(call: Call, context: Context) -> Iterator[Diagnostic]:
    function = context.functions.get(call.function)
    shown = context.name(call.function) if ":" in call.function else call.function
    if function is None:
        near = get_close_matches(call.function, context.functions, n=1)
        note = (
            f"did you mean `{near[0]}`?"
            if near
            else "register it from Python, or compare with an atom instead"
        )
        yield problem("E132", f"there is no function `{shown}`", call.span, note)
    elif len(call.args) < function.min_args or (
        function.max_args is not None and len(call.args) > function.max_args
    ):
        given = f"`{shown}` is called with {_arguments(len(call.args))}"
        yield problem("E133", given, call.span, f"it takes {_accepted(function)}")


def _accepted(function: Function) -> str:
    low, high = function.min_args, function.max_args
    if high is None:
        return f"at least {_arguments(low)}"
    return _arguments(low) if low == high else f"{low} to {_arguments(high)}"


def _arguments(count: int) -> str:
    return "no arguments" if count == 0 else "1 argument" if count == 1 else f"{count} arguments"
