"""From drafts without errors to the checked program.

Drafts enter, facts and strata of checked rules leave.
"""

from __future__ import annotations

from collections.abc import Iterator

from laser_rdf.check.arithmetic import limited_rules
from laser_rdf.check.canonical import canonical_ground
from laser_rdf.check.checked import TRIPLE, CheckedProgram, CheckedRule, GroundAtom
from laser_rdf.check.context import Context
from laser_rdf.check.drafts import Draft
from laser_rdf.check.strata import strata
from laser_rdf.check.variables import among
from laser_rdf.errors import Diagnostic
from laser_rdf.lang.ast import Atom, Blank, Const, Node, Rule
from laser_rdf.lang.printer import show_rule
from laser_rdf.values import Term, fresh_resource


def lower(context: Context, warnings: tuple[Diagnostic, ...]) -> CheckedProgram:
    """The checked program of a context in which no pass found an error."""
    level = strata(context.graph)
    limited = limited_rules(context.graph, context.flows)
    rules: list[list[CheckedRule]] = [[] for _ in range(max(level.values(), default=-1) + 1)]
    for draft in context.rules:
        rules[level[draft.index]].append(_rule(draft, draft.index in limited))
    facts = (atom for draft in context.drafts if draft.rule.is_fact for atom in _facts(draft.rule))
    return CheckedProgram(
        program=context.program,
        clock=context.clock,
        functions=context.functions,
        facts=tuple(dict.fromkeys(facts)),
        strata=tuple(map(tuple, rules)),
        derived=context.graph.derived,
        warnings=warnings,
    )


def _rule(draft: Draft, limited: bool) -> CheckedRule:
    variables = dict.fromkeys(v.name for atom in draft.head for v in among(atom.args))
    return CheckedRule(
        index=draft.index,
        head=draft.head,
        head_at=draft.rule.head.at,
        head_variables=tuple(variables),
        body=draft.body.steps,
        text=show_rule(draft.rule),
        limited=limited,
        span=draft.rule.span,
    )


def _facts(rule: Rule) -> Iterator[GroundAtom]:
    """The atoms of a rule without a body; its fresh resources are named after its text."""
    formula = rule.head.formula
    if isinstance(formula, Atom):
        yield canonical_ground(formula.predicate, tuple(_ground(arg, "") for arg in formula.args))
        return
    nodes = [(p.subject, p.predicate, p.object) for p in formula.patterns]
    has_fresh = any(isinstance(node, Blank) for pattern in nodes for node in pattern)
    text = show_rule(rule) if has_fresh else ""
    for pattern in nodes:
        yield canonical_ground(TRIPLE.name, tuple(_ground(node, text) for node in pattern))


def _ground(node: Node, text: str) -> Term:
    if isinstance(node, Blank):
        return fresh_resource(text, node.label, (), None)
    assert isinstance(node, Const), "the passes leave no variables in facts"
    return node.term
