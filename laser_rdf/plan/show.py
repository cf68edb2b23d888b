"""Plans for people: one line per relation, per rule and per rule variant.

q(X1, X3) ← p(X1, X2) some in 5, p(X2, X3) some in 5
  from p(X1, X2):  p by column 1
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from laser_rdf.check import (
    CheckedProgram,
    Everything,
    LastAtoms,
    LastPer,
    Predicate,
    ResolvedWindow,
    TimeSpan,
)
from laser_rdf.lang.ast import Assignment, Comparison, Expr, Var
from laser_rdf.lang.names import Shortener
from laser_rdf.lang.printer import shortener, show_item, show_term
from laser_rdf.plan.core import (
    Absent,
    Arriving,
    Background,
    C,
    CoreRule,
    Counted,
    Covering,
    Floating,
    Fresh,
    Group,
    Helper,
    InPhase,
    Item,
    Let,
    Match,
    NotEmptyAt,
    NowWithinAt,
    Opened,
    Output,
    Pinned,
    PointInPhase,
    Relation,
    Slot,
    Started,
    Streamed,
    Test,
    Ticking,
    TimeOf,
    V,
    Within,
    WithinAt,
)
from laser_rdf.plan.order import Lookup, join_order
from laser_rdf.plan.planning import Plan


def show_plan(plan: Plan) -> str:
    """The whole plan: components from the lowest up, with the join order of every rule variant."""
    lines: list[str] = []
    for number, component in enumerate(plan.components, 1):
        kind = "can be withdrawn" if component.volatile else "only expires"
        title = ", ".join(show_relation(r, plan.program) for r in component.relations)
        lines.append(f"{number}. {title}  [{'recursive, ' if component.recursive else ''}{kind}]")
        for rule in plan.rules:
            if rule.heads[0].relation in component.relations:
                lines += [f"     {line}" for line in _show_variants(rule, plan)]
    return "\n".join(lines) + "\n"


def _show_variants(rule: CoreRule, plan: Plan) -> Iterator[str]:
    yield show_core_rule(rule, plan.program)
    for i, item in enumerate(rule.body):
        if not isinstance(item, Match | Absent | Group):
            continue
        row = item.row if not isinstance(item, Group) else (*item.groups, item.target)
        bound = {s.name for s in row if isinstance(s, V)}
        rest = [*rule.body[:i], *rule.body[i + 1 :]]
        steps = ", ".join(_show_step(step, plan.program) for step in join_order(rest, bound))
        yield f"  from {show_core_item(item, plan.program)}: {steps or 'nothing to join'}"


def _show_step(step: Lookup | Item, program: CheckedProgram) -> str:
    if not isinstance(step, Lookup):
        return show_core_item(step, program)
    shown = show_core_item(step.item, program)
    if len(step.columns) == len(step.item.row):
        return f"{shown} by row"
    columns = " and ".join(str(c + 1) for c in step.columns)
    return f"{shown} by column {columns}" if columns else f"all {shown}"


def show_core_rule(rule: CoreRule, program: CheckedProgram) -> str:
    """A core rule on one line."""
    short = shortener(program.program)
    heads = ", ".join(show_row(head.relation, head.row, program, short) for head in rule.heads)
    body = ", ".join(show_core_item(item, program) for item in rule.body)
    return f"{heads} ← {body or 'always'}"


def show_core_item(item: Item, program: CheckedProgram) -> str:
    """An item on one line."""
    short = shortener(program.program)
    match item:
        case Match(relation=relation, row=row):
            return show_row(relation, row, program, short)
        case Absent(relation=relation, row=row):
            return f"no {show_row(relation, row, program, short)}"
        case Group(number=number, groups=groups, target=target):
            inside = ", ".join(g.name for g in groups)
            return f"{target.name} = aggregate {number + 1} of ({inside})"
        case Let(target=target, value=value):
            return _expression(Assignment(Var(target.name), value), short)
        case Test(comparison=comparison):
            return _expression(comparison, short)
        case TimeOf(target=target, value=value):
            return f"{target.name} = time point of {_value(value, short)}"
        case Within(time=time, window=window):
            return f"{time.name} within {show_window(window)}"
        case WithinAt(time=time, reference=reference, window=window):
            return f"{time.name} within {show_window(window)} of {reference.name}"
        case NowWithinAt(reference=reference, window=window):
            return f"now within {show_window(window)} of {reference.name}"
        case NotEmptyAt(reference=reference, window=window):
            return f"{show_window(window)} of {reference.name} not empty"
        case Ticking(time=time):
            return f"{time.name} = now"
        case InPhase(window=window):
            return f"now within its own {show_window(window)}"
        case Opened(window=window):
            return f"{show_window(window)} not empty"
        case PointInPhase(time=time, window=window):
            return f"{time.name} within its own {show_window(window)}"
        case Started(time=time):
            return f"{time.name} not before the start"
        case _:
            assert_never(item)


def _expression(item: Comparison | Assignment, short: Shortener) -> str:
    return show_item(item, short)


def _value(expr: Expr, short: Shortener) -> str:
    return show_item(Assignment(Var("X"), expr), short).removeprefix("X := ")


def show_row(
    relation: Relation, row: tuple[Slot | Fresh, ...], program: CheckedProgram, short: Shortener
) -> str:
    """A row of a relation."""
    inside = ", ".join(show_slot(slot, short) for slot in row)
    return show_relation(relation, program, f"({inside})")


def show_slot(slot: Slot | Fresh, short: Shortener) -> str:
    """A place of a row."""
    match slot:
        case None:
            return "_"
        case V(name=name):
            return name
        case C(term=term):
            return show_term(term, short)
        case Fresh(label=label):
            return f"fresh {label}"


def show_relation(relation: Relation, program: CheckedProgram, row: str | None = None) -> str:
    """A relation in words, with a row or with its arity."""
    short = shortener(program.program)

    def name(predicate: Predicate) -> str:
        text = predicate.name if " " in predicate.name else short.predicate(predicate.name)
        return f"{text}{row if row is not None else f'/{predicate.arity}'}"

    match relation:
        case Streamed(predicate=predicate, quantifier=q, window=window, stream=stream):
            on = "" if stream is None else f" on {stream}"
            return f"streamed {name(predicate)} {q.value} in {show_window(window)}{on}"
        case Counted(predicate=predicate, quantifier=q, window=counted):
            return f"streamed {name(predicate)} {q.value} in {show_window(counted)}"
        case Background(predicate=predicate):
            return f"background {name(predicate)}"
        case Floating(predicate=predicate):
            return name(predicate)
        case Pinned(predicate=predicate):
            return f"at {name(predicate)}"
        case Covering(predicate=predicate, window=window):
            return f"{name(predicate)} always in {show_window(window)}"
        case Arriving(predicate=predicate):
            return f"arriving {name(predicate)}"
        case Output(predicate=predicate):
            return f"output {name(predicate)}"
        case Helper(number=number):
            return f"helper {number}{row or ''}"
        case _:
            assert_never(relation)


def show_window(window: ResolvedWindow | None) -> str:
    """A window in time points."""
    match window:
        case None:
            return "now"
        case TimeSpan(back=back, ahead=ahead, step=step):
            return f"[{back}{f', +{ahead}' if ahead else ''}{f' step {step}' if step > 1 else ''}]"
        case Everything():
            return "[all]"
        case LastAtoms(count=count, name=name):
            return f"[#{count}{' of one predicate' if name is not None else ''}]"
        case LastPer(count=count, positions=positions):
            return f"[#{count} per column {', '.join(str(p + 1) for p in positions)}]"
        case _:
            assert_never(window)
