"""From answers to sinks: graphs into logs, changes into states."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from laser_rdf.pipeline.programs import RunningProgram
from laser_rdf.rdf.emit_atoms import statements
from laser_rdf.rdf.emit_graph import ResultGraph
from laser_rdf.reasoning.engine import RowAnswer
from laser_rdf.reasoning.inputs import Batch
from laser_rdf.stream import Mode, Sink


@dataclass(frozen=True, slots=True)
class SinkPart:
    """A sink, and the programs whose results go there; all if it is None."""

    sink: Sink
    programs: frozenset[str] | None = None

    def takes(self, program: str) -> bool:
        """Whether a program's results go there."""
        return self.programs is None or program in self.programs


class Distributor:
    """Hands results to the sinks that take them."""

    def __init__(self, sinks: Sequence[SinkPart]) -> None:
        self.sinks = sinks

    def begin(self, programs: Sequence[RunningProgram]) -> None:
        """A state without an answer yet is empty, whatever an earlier run has left there."""
        for part in self.sinks:
            if part.sink.mode is Mode.STATE:
                for program in programs:
                    if part.takes(program.name):
                        part.sink.replace(_state(program), ())

    def take(self, program: RunningProgram, answer: RowAnswer | None, graphs: Sequence[ResultGraph]) -> None:
        """The result of a program at a time point."""
        for part in self.sinks:
            if not part.takes(program.name):
                continue
            if part.sink.mode is Mode.LOG:
                for graph in graphs:
                    part.sink.write(graph)
            elif answer is not None and (answer.added or answer.removed):
                self._change(part.sink, program, answer)

    def _change(self, sink: Sink, program: RunningProgram, answer: RowAnswer) -> None:
        template = program.part.template
        if template is None:
            sink.update(_state(program), self._lines(answer.added), self._lines(answer.removed))
        else:
            made = template.apply(statements(answer.holds()))
            sink.replace(_state(program), "".join([f"{s} {p} {o} .\n" for s, p, o in made]))

    def _lines(self, batches: Sequence[Batch]) -> str:
        return "".join([f"{statement} .\n" for statement in statements(batches)])

    def idle(self) -> None:
        """Time passes without results."""
        for part in self.sinks:
            part.sink.flush_if_due()

    def close(self) -> None:
        """Write everything; all sinks are closed even if one fails, and the first failure is raised."""
        failed: Exception | None = None
        for part in self.sinks:
            try:
                part.sink.close()
            except Exception as problem:
                failed = failed or problem
        if failed is not None:
            raise failed


def _state(program: RunningProgram) -> str:
    return program.emitter.names.state
