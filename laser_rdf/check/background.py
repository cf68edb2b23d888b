"""`at` with an unbound variable does not match facts, which hold at every time point (W202)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from laser_rdf.check.binding import Binders
from laser_rdf.check.checked import TRIPLE, Predicate
from laser_rdf.check.codes import problem
from laser_rdf.check.context import Context
from laser_rdf.check.dependencies import is_rdf
from laser_rdf.check.drafts import Draft
from laser_rdf.check.variables import written
from laser_rdf.errors import Diagnostic
from laser_rdf.lang.ast import Var


def background_has_no_time(context: Context) -> Iterator[Diagnostic]:
    """The literals that bind their time point and whose predicate has facts."""
    for draft in context.rules:
        scopes = _scopes(draft)
        timed = Counter(
            (id(found.aggregate), found.literal.at.name)
            for found in draft.literals
            if isinstance(found.literal.at, Var) and not found.literal.negated
        )
        for found in draft.literals:
            at = found.literal.at
            if (
                not isinstance(at, Var)
                or found.literal.negated
                or at.name in scopes[id(found.aggregate)].by_value
            ):
                continue
            facts = [atom.predicate for atom in found.literal.atoms if _has_facts(atom.predicate, context)]
            if facts and timed[id(found.aggregate), at.name] == 1:
                yield problem(
                    "W202",
                    f"`at {written(at.name)}` does not match the facts of `{context.signature(facts[0])}`",
                    at.span,
                    f"facts hold at all times: bind `{written(at.name)}` by another atom, or leave `at` out",
                )


def _scopes(draft: Draft) -> dict[int, Binders]:
    """What binds variables in the body (under None) and between the braces of each aggregate."""
    scopes = {id(None): draft.body.binders}
    scopes.update((id(found.written), found.inner.binders) for found in draft.aggregates)
    return scopes


def _has_facts(predicate: Predicate, context: Context) -> bool:
    return predicate in context.given or (predicate == TRIPLE and any(map(is_rdf, context.given)))
