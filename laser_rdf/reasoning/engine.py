"""The engine: takes facts time point by time point and answers.

>>> from laser_rdf import Engine, Program
>>> engine = Engine(Program.parse("#external p/1 . q(X) :- p(X) in [2]."))
>>> engine.step(1, [("p", ("a",))]).added
[('q', ('a',))]
>>> [(answer.time, answer.removed) for answer in engine.advance(10)]
[(4, [('q', ('a',))])]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter_ns

from laser_rdf.check import CheckedProgram, GroundAtom, check
from laser_rdf.codegen.domain import Domain, domain_of
from laser_rdf.errors import UsageError
from laser_rdf.lang.ast import Program
from laser_rdf.plan.planning import NotIncremental
from laser_rdf.reasoning.explanation import Explanation, explain
from laser_rdf.reasoning.incremental import Incremental, Sitting
from laser_rdf.reasoning.inputs import Batch, Element, Fact, Facts
from laser_rdf.reasoning.recomputed import Recomputed
from laser_rdf.reasoning.statistics import Statistics, statistics_of

MAX_DERIVATIONS = 100_000


class Answer:
    """What the engine says at a time point; `added` and `removed` compare with the answer before."""

    def __init__(self, engine: Engine, time: int, added: list[Fact], removed: list[Fact]) -> None:
        self.time = time
        self.added = added
        self.removed = removed
        self._engine = engine

    def holds(self) -> list[Fact]:
        """Everything that holds at the time of the answer; to be asked before the next step."""
        return self._engine._current(self.time).holds()

    def timeline(self) -> list[Sitting]:
        """(time point, predicate, arguments) of every derived atom; to be asked before the next step."""
        return self._engine._current(self.time).timeline()

    def __repr__(self) -> str:
        return f"Answer(time={self.time}, added={self.added}, removed={self.removed})"


@dataclass(frozen=True, slots=True)
class RowAnswer:
    """An answer in rows of values as they are inside the engine."""

    time: int
    added: Sequence[Batch]
    removed: Sequence[Batch]
    holds: Callable[[], Sequence[Batch]]
    """To be asked before the next step."""


class Engine:
    """A program at work on a stream."""

    def __init__(
        self,
        program: Program | CheckedProgram,
        background: Iterable[Fact] = (),
        start: int | None = None,
        *,
        max_derivations: int = MAX_DERIVATIONS,
        domain: Callable[[CheckedProgram], Domain] = domain_of,
        background_rows: Sequence[Batch] = (),
    ) -> None:
        """`background` holds at every time point; the timeline starts at `start` or at the first step.

        `domain` chooses what values are inside; `background_rows` is background given as such values.
        """
        self.program = program if isinstance(program, CheckedProgram) else check(program)
        values = domain(self.program)
        self._facts = Facts(values)
        batches = [*background_rows, *self._facts.batches(map(self._facts.one, background))]
        self._work: Incremental | Recomputed
        try:
            self._work = Incremental(self.program, values, batches, max_derivations)
        except NotIncremental as form:
            self._work = Recomputed(self.program, values, batches, max_derivations, str(form))
        self._start = start
        self._now: int | None = None
        self._steps = 0
        self._step_ns = 0
        self._longest_ns = 0

    @property
    def recomputes(self) -> str | None:
        """The form of the program because of which every time point is evaluated from scratch, if any."""
        return self._work.form if isinstance(self._work, Recomputed) else None

    def step(self, time: int, facts: Iterable[Fact] = (), stream: str | None = None) -> Answer:
        """Take the atoms of a time point, on a stream if it has a name, and answer for it.

        Stepping to the same time point again adds to it; time must not go backwards.
        """
        began = perf_counter_ns()
        self._move(time)
        added, removed = self._work.step(facts, stream)
        self._count(began)
        return Answer(self, time, added, removed)

    def step_rows(
        self, time: int, elements: Iterable[Element] = (), entailed: Iterable[Element] = ()
    ) -> RowAnswer:
        """`step` with rows of values as they are inside, in and out: for those who share the domain.

        All that arrives at the time point, on whatever streams, is answered at once. What was entailed does
        not count in windows that count atoms.
        """
        began = perf_counter_ns()
        self._move(time)
        added, removed = self._work.step_rows(elements, entailed)
        self._count(began)
        return RowAnswer(time, added, removed, self._work.holding_rows)

    def holding_rows(self) -> Sequence[Batch]:
        """What holds at the time of the last step, as rows."""
        return self._work.holding_rows()

    def next_time(self) -> int | None:
        """The next time point at which the answer can change without input; None if there is none."""
        return self._work.next_time()

    def advance(self, time: int) -> Iterator[Answer]:
        """Let time pass without input; an answer for every time point at which the output changes."""
        if self._now is None:
            if self._start is None:
                raise UsageError("nothing to advance from: step first, or give the engine a start")
            answer = self.step(self._start)
            if answer.added:
                yield answer
        assert self._now is not None
        if time < self._now:
            raise UsageError(f"time goes backwards: {time} after {self._now}")
        while self._now < time:
            wake = self._work.next_time()
            answer = self.step(time if wake is None else min(wake, time))
            if answer.added or answer.removed:
                yield answer

    def explain(self, predicate: object, args: tuple[object, ...]) -> Explanation:
        """Why an atom holds now, as a tree that prints itself; for one that does not, what is missing."""
        if isinstance(self._work, Recomputed):
            raise UsageError(f"no explanation: {self._work.form} is recomputed at every time point")
        if self._now is None:
            raise UsageError("nothing to explain yet: step first")
        return explain(self._work, predicate, args)

    def stats(self) -> Statistics:
        """What is stored, and what has been done."""
        return statistics_of(self._work, self._steps, self._step_ns, self._longest_ns)

    def atom(self, fact: Fact) -> GroundAtom:
        """A fact of this interface as the atom it stands for."""
        predicate, row = self._facts.one(fact)
        return GroundAtom(predicate, tuple(map(self._work.domain.decode, row)))

    def _count(self, began: int) -> None:
        took = perf_counter_ns() - began
        self._steps += 1
        self._step_ns += took
        self._longest_ns = max(self._longest_ns, took)

    def _move(self, time: int) -> None:
        if type(time) is not int or time < 0:
            raise UsageError(f"{time!r} is no time point: a whole number from 0 on")
        if self._now is not None and time < self._now:
            raise UsageError(f"time goes backwards: {time} after {self._now}")
        start: int | None = None
        if self._now is None:
            start = time if self._start is None else self._start
            if time < start:
                raise UsageError(f"input at {time} lies before the start of the timeline, {start}")
        self._now = time
        self._work.begin(time, start)

    def _current(self, time: int) -> Incremental | Recomputed:
        if time != self._now:
            raise UsageError(f"the engine has moved on from {time} to {self._now}")
        return self._work
