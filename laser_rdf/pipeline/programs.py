"""A registered program at work: its engine, its mapping of names, its emitter."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from laser_rdf.check import CheckedProgram, Mentions, Predicate, check, mentions_of
from laser_rdf.check.mentions import literals_of
from laser_rdf.engine.tables import Row
from laser_rdf.errors import UsageError
from laser_rdf.lang.ast import Program
from laser_rdf.pipeline.events import Events
from laser_rdf.rdf import Interner
from laser_rdf.rdf.construct import ConstructTemplate
from laser_rdf.rdf.emit import Emitter
from laser_rdf.rdf.emit_graph import Emission
from laser_rdf.rdf.event_program import event_predicate, with_events
from laser_rdf.rdf.event_query import EventQuery
from laser_rdf.rdf.event_store import EventStore
from laser_rdf.rdf.symbol_domain import symbols_of
from laser_rdf.reasoning import Engine
from laser_rdf.reasoning.engine import RowAnswer
from laser_rdf.reasoning.inputs import Batch, Element
from laser_rdf.values import Clock


@dataclass(frozen=True, slots=True)
class ProgramPart:
    """A program as it is registered; `on` are the streams it reads, those of other programs among them."""

    name: str
    program: Program
    on: tuple[str, ...]
    emit: str = "I"
    template: ConstructTemplate | None = None


@dataclass(frozen=True, slots=True)
class CheckedPart:
    """A program that can run, with the event queries that it uses."""

    part: ProgramPart
    checked: CheckedProgram
    mentions: Mentions
    events: tuple[EventQuery, ...]

    def is_twin_of(self, other: CheckedPart) -> bool:
        """Whether both say the same of the same streams, whatever becomes of their answers."""
        mine, its = self.part, other.part
        return mine.on == its.on and self.events == other.events and mine.program == its.program


def check_part(part: ProgramPart, events: Sequence[EventQuery], clock: Clock) -> CheckedPart:
    """Check a program; a ProgramError says all that is wrong with it."""
    checked = check(with_events(part.program, events), clock=clock, streams=part.on)
    mentions = mentions_of(checked)
    # What no rule asks for is not computed.
    used = tuple(q for q in events if event_predicate(q, part.program) in mentions.predicates)
    for query in used:
        mentions |= query.mentions()
    return CheckedPart(part, checked, mentions, used)


class RunningProgram:
    """A program that has begun."""

    def __init__(
        self,
        found: CheckedPart,
        interner: Interner,
        clock: Clock,
        background: Sequence[Batch],
        store: Callable[[], EventStore],
        *,
        start: int | None,
        base: str,
        metadata_graph: str | None,
        twin: RunningProgram | None = None,
    ) -> None:
        """With a `twin`, another program that says the same of the same streams, the work is shared."""
        self.part = part = found.part
        self.name = part.name
        self.mentions = found.mentions
        self.uses_streams = uses_streams(found.checked)
        self.found = found
        self.first = start
        """The first time point of its timeline; None if nothing has come yet."""

        self._last = -1
        self._before: set[tuple[Predicate, Row]] | None = None
        self.events: Events | None = None
        self.engine: Engine
        if twin is not None:
            self.events, self.engine = twin.events, twin.engine
        else:
            own = _concerning(found.mentions, background)
            if found.events:
                self.events = Events(found.events, part.program, interner, own, store)
            if self.events is not None:
                own += self.events.always
            self.engine = Engine(found.checked, start=start, domain=symbols_of(interner), background_rows=own)
        self.emitter = Emitter(
            part.name,
            part.emit,
            base=base,
            clock=clock,
            template=part.template,
            metadata_graph=metadata_graph,
        )

    def evaluate(self, time: int, said: Iterable[Element], entailed: Iterable[Element]) -> RowAnswer:
        """What the engine answers at a time point; twins share it."""
        return self.engine.step_rows(time, said, entailed)

    def answer(self, found: RowAnswer) -> RowAnswer:
        """What the program answers, of what its engine does."""
        self.first = found.time if self.first is None else self.first
        self._last = found.time
        return found if self._before is None else self._compared(found)

    def next_time(self) -> int | None:
        """The next time point at which the answer can change without input."""
        return self.engine.next_time() if self._before is None else self._last + 1

    def is_concerned(self, time: int, *, has_input: bool) -> bool:
        """Whether there is something to do at a time point."""
        if self.first is not None and time < self.first:
            return False
        wake = self.next_time()
        return has_input or (wake is not None and wake <= time)

    def take_over(self, program: RunningProgram, now: int) -> None:
        """Go on in place of another, which has emitted its answers; differences are emitted after now."""
        self.emitter = program.emitter
        self._last = now
        if program._before is not None:
            self._before = program._before
        elif program.first is not None and program._last >= 0:
            self._before = _rows_of(program.engine.holding_rows())

    def _compared(self, answer: RowAnswer) -> RowAnswer:
        """The first answer after another program was taken over from, compared with what that one said."""
        assert self._before is not None
        holds = _rows_of(answer.holds())
        before, self._before = self._before, None
        return RowAnswer(answer.time, _batches_of(holds - before), _batches_of(before - holds), answer.holds)

    def passes_on(self, answer: RowAnswer) -> Sequence[Batch] | None:
        """What a program that reads this one sees: the atoms themselves, where they leave as they are."""
        if self.part.template is not None:
            return None
        match self.emitter.emission:
            case Emission.INSERTIONS:
                return answer.added
            case Emission.DELETIONS:
                return answer.removed
            case Emission.SNAPSHOT:
                return answer.holds()
            case Emission.INTERVALS:
                return None


def _concerning(mentions: Mentions, background: Iterable[Batch]) -> list[Batch]:
    """The background that somebody mentions."""
    if mentions.everything:
        return list(background)
    return [
        (predicate, rows)
        for predicate, rows in background
        if predicate in mentions.predicates or (mentions.types and predicate.arity in (1, 3))
    ]


def _rows_of(batches: Iterable[Batch]) -> set[tuple[Predicate, Row]]:
    return {(predicate, row) for predicate, rows in batches for row in rows}


def _batches_of(atoms: Iterable[tuple[Predicate, Row]]) -> list[Batch]:
    found: dict[Predicate, list[Row]] = {}
    for predicate, row in atoms:
        found.setdefault(predicate, []).append(row)
    return list(found.items())


def uses_streams(checked: CheckedProgram) -> bool:
    """Whether a rule names a stream with `on`."""
    steps = (step for rule in checked.rules for step in rule.body)
    return any(literal.stream is not None for literal in literals_of(steps))


def in_order(parts: Sequence[ProgramPart], streams: Iterable[str]) -> list[ProgramPart]:
    """The programs so that each comes after those it reads; UsageError for a circle or an unknown stream.

    >>> in_order([], ["traffic"])
    []
    """
    known = {part.name: part for part in parts}
    given = set(streams)
    for part in parts:
        for name in part.on:
            if name not in known and name not in given:
                have = ", ".join(f"`{each}`" for each in sorted({*given, *known} - {part.name})) or "none"
                raise UsageError(
                    f"program `{part.name}` reads `{name}`, which is no stream; there are: {have}"
                )
    placed: dict[str, ProgramPart] = {}
    path: list[str] = []

    def place(part: ProgramPart) -> None:
        if part.name in placed:
            return
        if part.name in path:
            circle = " reads ".join([*path[path.index(part.name) :], part.name])
            raise UsageError(f"programs read each other in a circle: {circle}")
        path.append(part.name)
        for name in part.on:
            if name in known:
                place(known[name])
        path.pop()
        placed[part.name] = part

    for part in parts:
        place(part)
    return list(placed.values())
