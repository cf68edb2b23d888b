"""Safety: every variable that has to be bound is bound by something (E101 to E107).

Drafts enter with the steps that no order makes ready. Only causes are reported: a step that waits for
another step that is stuck itself is not, so one missing atom does not give ten messages.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from laser_rdf.check.binding import Binders, Ordering, Use, needs, provides
from laser_rdf.check.checked import BodyStep, CheckedAggregate, CheckedLiteral
from laser_rdf.check.codes import problem
from laser_rdf.check.context import Context
from laser_rdf.check.drafts import Draft, DraftAggregate
from laser_rdf.check.variables import among, head_variables, inside, nodes, variables, written
from laser_rdf.errors import Diagnostic
from laser_rdf.lang.ast import Assignment, Comparison, Var, Wildcard


def safe(context: Context) -> Iterator[Diagnostic]:
    """The variables that nothing binds."""
    for draft in context.drafts:
        yield from _wildcards(draft)
        if draft.rule.is_fact:
            yield from _fact(draft)
            continue
        reported: set[str] = set()
        for diagnostic, name in _body(draft):
            reported.add(name)
            yield diagnostic
        yield from _head(draft, reported)


def _wildcards(draft: Draft) -> Iterator[Diagnostic]:
    for node in nodes(draft.rule.head.formula):
        if isinstance(node, Wildcard):
            note = "write the value that is meant, or `[]` in a block for a fresh resource"
            yield problem("E107", "`_` in a head stands for no value", node.span, note)


def _fact(draft: Draft) -> Iterator[Diagnostic]:
    for variable in _once(head_variables(draft.rule)):
        yield problem(
            "E101",
            f"a fact with the variable `{written(variable.name)}`",
            variable.span,
            "a rule without a body holds constants only; add a body that binds the variable",
        )


def _head(draft: Draft, reported: set[str]) -> Iterator[Diagnostic]:
    waiting = _waiting(draft.body)
    rule = draft.rule
    arguments = (node for node in nodes(rule.head.formula) if isinstance(node, Var))
    for code, found in (("E101", arguments), ("E105", variables(rule.head.at))):
        for variable in _once(found):
            name = variable.name
            if name in draft.body.bound or name in waiting or name in reported:
                continue
            shown = written(name)
            where = "the head" if code == "E101" else "the head's `at`"
            yield problem(
                code, f"`{shown}` of {where} is not bound in the body", variable.span, _advice(draft, name)
            )


def _advice(draft: Draft, name: str) -> str:
    """What to do about a variable that is not bound, by where else the rule has it."""
    shown = written(name)
    for found in draft.literals:
        negated = found.aggregate is None and found.literal.negated
        if negated and any(v.name == name for atom in found.literal.atoms for v in among(atom.args)):
            return f"a negated literal binds nothing: add an atom without `not` that contains `{shown}`"
    return f"add an atom to the body that contains `{shown}`, or assign it with `:=`"


def _body(draft: Draft) -> Iterator[tuple[Diagnostic, str]]:
    """The problems of a body and of its aggregates, each with its variable."""
    aggregates = {id(found.aggregate): found for found in draft.aggregates}
    for step, place, variable in _causes(draft.body):
        if isinstance(step, CheckedAggregate):
            variable = next(v for v in inside(aggregates[id(step)].written) if v.name == variable.name)
        yield _unbound(draft, step, place, variable), variable.name
    for found in draft.aggregates:
        for step, place, variable in _causes(found.inner):
            yield _unbound(draft, step, place, variable), variable.name
        yield from ((diagnostic, "") for diagnostic in _tuple(found))


def _tuple(found: DraftAggregate) -> Iterator[Diagnostic]:
    """The members of an aggregate's tuple that have no value."""
    waiting = _waiting(found.inner)
    for member in found.written.members:
        if isinstance(member, Wildcard):
            note = "name the value: `count { ?x : … }` counts the different values of `?x`"
            yield problem("E104", "`_` in the tuple of an aggregate", member.span, note)
        elif isinstance(member, Var) and member.name not in found.inner.bound | waiting:
            shown = written(member.name)
            yield problem(
                "E104",
                f"`{shown}` of the aggregate's tuple is not bound between the braces",
                member.span,
                f"add an atom behind the colon that contains `{shown}`",
            )


def _causes(order: Ordering) -> Iterator[tuple[BodyStep, Use, Var]]:
    """The occurrences for which steps are stuck, each variable once for each kind of place."""
    waiting = _waiting(order)
    missing = [
        (step, place, variable)
        for step in order.stuck
        for place, variable in needs(step, order.binders)
        if variable.name not in order.bound
    ]
    causes = [found for found in missing if found[2].name not in waiting]
    if not causes and missing:
        # Steps that wait for each other in a circle: the first of them stands for all.
        causes = [found for found in missing if found[0] is missing[0][0]]
    seen: set[tuple[Use, str]] = set()
    for step, place, variable in causes:
        if (place, variable.name) not in seen:
            seen.add((place, variable.name))
            yield step, place, variable


def _waiting(order: Ordering) -> set[str]:
    """The variables that would be bound if nothing were stuck."""
    known: Binders = order.binders
    return {name for step in order.stuck for name in provides(step, known)}


def _unbound(draft: Draft, step: BodyStep, place: Use, variable: Var) -> Diagnostic:
    shown = written(variable.name)
    add = f"add an atom without `not` that contains `{shown}`"
    match place:
        case Use.ARGUMENT:
            block = isinstance(step, CheckedLiteral) and len(step.atoms) > 1
            some = "`[]` in its place if it is some thing" if block else "`_` if any value will do"
            note = f"{add}, or write {some}"
            return problem("E102", f"`{shown}` of a negated literal is not bound", variable.span, note)
        case Use.CONDITION:
            kind = "an assignment" if isinstance(step, Assignment) else "a comparison"
            return problem(
                "E103", f"`{shown}` of {kind} is not bound", variable.span, _condition_note(step, shown)
            )
        case Use.AT:
            own = isinstance(step, CheckedLiteral) and not step.negated
            note = f"{add}; or write `at V, V = …`, which binds `V` to the time point" if own else add
            return problem("E105", f"`{shown}` of `at` is not bound before the literal", variable.span, note)
        case Use.FROM:
            return problem(
                "E106",
                f"`{shown}` of `from` is not bound",
                variable.span,
                f"{add}, before the window is taken",
            )
        case Use.GROUP:
            return problem(
                "E104",
                f"`{shown}` groups the aggregate, but nothing outside its braces binds it",
                variable.span,
                f"add an atom outside the braces that contains `{shown}`",
            )


def _condition_note(step: BodyStep, shown: str) -> str:
    if isinstance(step, Comparison) and step.op == "=":
        return f"add an atom that contains `{shown}`; `=` binds one side only when the other is bound"
    return f"add an atom that contains `{shown}`, or assign it with `:=`"


def _once(found: Iterable[Var]) -> Iterator[Var]:
    """The first occurrence of each variable."""
    seen: set[str] = set()
    for variable in found:
        if variable.name not in seen:
            seen.add(variable.name)
            yield variable
