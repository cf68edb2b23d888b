"""What an engine stores and what it has done."""

from __future__ import annotations

from dataclasses import dataclass

from laser_rdf.plan.show import show_relation
from laser_rdf.reasoning.incremental import Incremental
from laser_rdf.reasoning.recomputed import Recomputed


@dataclass(frozen=True)
class Statistics:
    """Numbers since the engine was made; times in nanoseconds."""

    stored: dict[str, int]
    """Rows by relation: the facts that some window can still see, and what is derived from them."""

    derivations: int
    expiries: int
    steps: int
    step_ns: int
    longest_step_ns: int


def statistics_of(work: Incremental | Recomputed, steps: int, step_ns: int, longest_ns: int) -> Statistics:
    """The numbers of an engine at work."""
    if isinstance(work, Recomputed):
        return Statistics({}, 0, 0, steps, step_ns, longest_ns)
    stored = {
        show_relation(relation, work.program): len(table.rows)
        for relation, table in work.built.tables.items()
    }
    machine = work.built.machine
    return Statistics(stored, machine.derivations, machine.expiries, steps, step_ns, longest_ns)
