"""Variables used once (W204): a slip of the pen, or better written `_`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from laser_rdf.check.codes import problem
from laser_rdf.check.context import Context
from laser_rdf.check.drafts import Draft
from laser_rdf.check.variables import head_variables, item_variables, written
from laser_rdf.errors import Diagnostic
from laser_rdf.lang.ast import Aggregate, Assignment, Var


def used_more_than_once(context: Context) -> Iterator[Diagnostic]:
    """The variables that occur once in their rule, unless they are unsafe, which is said elsewhere."""
    for draft in context.rules:
        rule = draft.rule
        once: dict[str, Var | None] = {}
        for variable in chain(head_variables(rule), *map(item_variables, rule.body)):
            once[variable.name] = None if variable.name in once else variable
        bound = draft.body.bound.union(*(found.inner.bound for found in draft.aggregates))
        for name, single in once.items():
            if single is not None and not name.startswith("_") and name in bound:
                yield problem("W204", f"`{written(name)}` is used once", single.span, _advice(draft, single))


def _advice(draft: Draft, variable: Var) -> str:
    for item in draft.rule.body:
        if isinstance(item, Assignment | Aggregate) and item.target is variable:
            return "remove the assignment, or use its value"
    for found in draft.literals:
        if found.written.at is variable:
            return "leave `at` out: a window alone means some time point in it"
    return "write `_` if any value will do"
