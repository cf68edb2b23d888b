"""From what was registered to programs that run, and from one set of running programs to another.

parts, knowledge, events  →  checked programs  →  Run;   Run + a program  →  Run;   Run + background  →  Run
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from laser_rdf.check import Mentions
from laser_rdf.pipeline.counts import Counts
from laser_rdf.pipeline.doubts import doubts
from laser_rdf.pipeline.history import History
from laser_rdf.pipeline.knowledge import Knowledge, KnowledgeParts, background_mapping
from laser_rdf.pipeline.phases import Phases
from laser_rdf.pipeline.programs import CheckedPart, ProgramPart, RunningProgram, check_part, in_order
from laser_rdf.pipeline.running import Notice, Run
from laser_rdf.pipeline.streams import StreamPart
from laser_rdf.rdf import Interner
from laser_rdf.rdf.event_query import EventQuery
from laser_rdf.reasoning.inputs import Batch
from laser_rdf.values import Clock


@dataclass(slots=True)
class Assembly:
    """What all programs of a pipeline share."""

    clock: Clock
    base: str
    metadata_graph: str | None
    notice: Notice
    streams: Mapping[str, StreamPart]
    knowledge: KnowledgeParts = field(default_factory=KnowledgeParts)
    events: dict[str, EventQuery] = field(default_factory=dict)
    interner: Interner = field(default_factory=Interner)
    counts: Counts = field(default_factory=Counts)
    phases: Phases = field(default_factory=Phases)

    def check(self, part: ProgramPart) -> CheckedPart:
        """A program with the event queries it uses; a ProgramError says all that is wrong with it."""
        return check_part(part, list(self.events.values()), self.clock)

    def start(self, parts: Sequence[ProgramPart], start: int | None) -> Run:
        """All programs, from the beginning."""
        checked = [self.check(part) for part in in_order(parts, self.streams)]
        for text in doubts(checked, self.events.values()):
            self.notice(text)
        mentions = Mentions()
        for found in checked:
            mentions |= found.mentions
        knowledge = Knowledge(self.knowledge, self.interner, mentions)
        background = self._background(knowledge)
        for document in knowledge.imports:
            self.notice(f"owl:imports is not followed: give <{document}> as a file if it is needed")
        return self._run(
            self._all_started([(found, start) for found in checked], background, knowledge), knowledge
        )

    def add(self, run: Run, part: ProgramPart) -> tuple[Run, RunningProgram]:
        """One program more, which sees its streams from now on."""
        order = in_order([*(program.part for program in run.programs), part], self.streams)
        found, knowledge = self.check(part), run.knowledge
        for text in doubts([*(program.found for program in run.programs), found], ()):
            self.notice(text)
        wanted = knowledge.mentions | found.mentions
        if wanted != knowledge.mentions:
            knowledge = Knowledge(self.knowledge, self.interner, wanted)
        new = self._started(found, self._background(knowledge), knowledge, None)
        running = {program.name: program for program in (*run.programs, new)}
        return self._run([running[each.name] for each in order], knowledge), new

    def remove(self, run: Run, name: str) -> Run:
        """One program less."""
        return self._run([program for program in run.programs if program.name != name], run.knowledge)

    def renew(self, run: Run, history: History) -> Run:
        """The same programs over the background as it is now: they see again what they can still see."""
        knowledge = Knowledge(self.knowledge, self.interner, run.knowledge.mentions)
        background = self._background(knowledge)
        programs = self._all_started([(p.found, p.first) for p in run.programs], background, knowledge)
        replay = Run(programs, self.streams, knowledge, self.interner, Counts(), Phases(), _keep_quiet)
        for time, arrived in history:
            while (wake := replay.wake(time)) is not None:
                _exhaust(replay.step(wake, {}))
            _exhaust(replay.step(time, arrived))
        for new, old in zip(programs, run.programs, strict=True):
            new.take_over(old, -1 if self.counts.time is None else self.counts.time)
        return self._run(programs, knowledge)

    def _run(self, programs: Sequence[RunningProgram], knowledge: Knowledge) -> Run:
        return Run(programs, self.streams, knowledge, self.interner, self.counts, self.phases, self.notice)

    def _background(self, knowledge: Knowledge) -> list[Batch]:
        mapping = background_mapping(self.interner, knowledge.mentions)
        return mapping.batches_of_values(knowledge.background())

    def _all_started(
        self, parts: Iterable[tuple[CheckedPart, int | None]], background: list[Batch], knowledge: Knowledge
    ) -> list[RunningProgram]:
        """Programs that start together; those that say the same share their work."""
        programs: list[RunningProgram] = []
        for found, start in parts:
            twins = (p for p in programs if p.first == start and found.is_twin_of(p.found))
            programs.append(self._started(found, background, knowledge, start, next(twins, None)))
        return programs

    def _started(
        self,
        found: CheckedPart,
        background: list[Batch],
        knowledge: Knowledge,
        start: int | None,
        twin: RunningProgram | None = None,
    ) -> RunningProgram:
        return RunningProgram(
            found,
            self.interner,
            self.clock,
            background,
            knowledge.store,
            start=start,
            base=self.base,
            metadata_graph=self.metadata_graph,
            twin=twin,
        )


def _keep_quiet(text: str) -> None:
    """What a replay notices was said before."""


def _exhaust(steps: Iterable[object]) -> None:
    deque(steps, maxlen=0)
