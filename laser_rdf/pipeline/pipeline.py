"""`Pipeline`: streams, background, ontology, event queries and programs in; result graphs out.

    p = Pipeline(clock="1 s")
    p.stream("traffic", "traffic.trig")
    p.background("sensors.ttl")
    p.register("jams", "queries/jams.lars", on=["traffic"])
    p.sink("file:jams.trig")
    p.run()

Everything is checked before anything is read. What runs can be changed while it runs: programs come and go
between two time points.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any

import pyoxigraph as ox

from laser_rdf.check import TRIPLE, canonical_ground
from laser_rdf.errors import LaserError, UsageError
from laser_rdf.pipeline.description import Description
from laser_rdf.pipeline.history import History
from laser_rdf.pipeline.knowledge import Document, existing
from laser_rdf.pipeline.merging import Arrived, time_points
from laser_rdf.pipeline.programs import ProgramPart
from laser_rdf.pipeline.results import Distributor
from laser_rdf.pipeline.running import Run
from laser_rdf.pipeline.summary import Summary
from laser_rdf.pipeline.waiting import Control
from laser_rdf.rdf import TimedGraph, from_python, to_value
from laser_rdf.rdf.emit_graph import ResultGraph
from laser_rdf.rdf.naming import RESULT_BASE
from laser_rdf.reasoning import Explanation
from laser_rdf.stream import Sink
from laser_rdf.stream.event_time import Lateness, Reordering
from laser_rdf.values import IRI, Clock


class Pipeline(Description):
    """Rules over streams, results into sinks.

    `directory` is where relative paths start, `start` where the timeline starts (the first element if it is
    None), `until` the last time point: the run goes on to it when the streams end before. With
    `replaceable_background` the elements that windows can see are kept, for `replace_background`.
    """

    def __init__(
        self,
        clock: str | Clock = "1 s",
        *,
        directory: str | Path = ".",
        start: int | None = None,
        until: int | None = None,
        base: str = RESULT_BASE,
        metadata_graph: str | None = None,
        replaceable_background: bool = False,
        notice: Callable[[str], None] | None = None,
    ) -> None:
        super().__init__(clock, directory, base, metadata_graph, notice)
        self.start = start
        self.until = until
        self.counts = self._assembly.counts
        self.phases = self._assembly.phases
        self._run: Run | None = None
        self._distributor: Distributor | None = None
        self._history = History([]) if replaceable_background else None
        self._pending: tuple[int, Arrived] | None = None
        self._control = Control(idle=self._idle, notice=self._assembly.notice)
        self._pushed: dict[str, Reordering] = {}
        self._ended = False
        self._began = perf_counter()

    @classmethod
    def read(cls, path: str | Path) -> Pipeline:
        """The pipeline of a file such as `pipeline.toml`, checked."""
        from laser_rdf.pipeline.toml_file import load_pipeline

        return load_pipeline(path)

    # --- while it runs ---------------------------------------------------------------------------------

    def _registered(self, part: ProgramPart) -> None:
        if self._run is not None:
            assert self._distributor is not None
            run, new = self._assembly.add(self._run, part)
            self._now_running(run)
            self._distributor.begin([new])

    def withdraw(self, name: str) -> None:
        """Take a program away; those that read it must go first."""
        if name not in self._programs:
            raise UsageError(f"there is no program `{name}`")
        readers = [part.name for part in self._programs.values() if name in part.on]
        if readers:
            raise UsageError(f"program `{name}` is read by `{readers[0]}`")
        del self._programs[name]
        if self._run is not None:
            self._now_running(self._assembly.remove(self._run, name))

    def replace_background(self, *documents: Document) -> None:
        """Other background from the next time point on, as if it had been there all the time."""
        if self._history is None:
            raise UsageError("make the pipeline with `replaceable_background=True` to replace its background")
        self._assembly.knowledge.background = existing(documents, self.directory)
        if self._run is not None:
            self._now_running(self._assembly.renew(self._run, self._history))

    def explain(self, program: str, triple: ox.Triple) -> Explanation:
        """Why a program says what a triple says, now; or what is missing for it."""
        if program not in self._programs:
            raise UsageError(f"there is no program `{program}`")
        if self._run is None:
            raise UsageError("nothing to explain yet: the pipeline has not begun")
        [running] = [each for each in self._run.programs if each.name == program]
        atom = canonical_ground(TRIPLE.name, tuple(map(to_value, triple)))
        return running.engine.explain(IRI(atom.predicate.name), atom.args)

    # --- running ---------------------------------------------------------------------------------------

    def run(self) -> Summary:
        """Read the streams to their end, answer, and write what comes out."""
        for _ in self:
            pass
        return self.summary()

    def __iter__(self) -> Iterator[ResultGraph]:
        """The result graphs, as they are made; they go into the sinks, too."""
        self.begin()
        streams = {name: part.elements(self.clock, self._control) for name, part in self._streams.items()}
        points = time_points(streams)
        try:
            while True:
                self.phases.begin()
                found = next(points, None)
                self.phases.end("read")
                if found is None:
                    break
                time, arrived, following = found
                if self.until is not None and time > self.until:
                    break
                yield from self._at(time, arrived)
                if following is not None:
                    yield from self._pass(following if self.until is None else min(following, self.until + 1))
            if self._control.failed is not None:
                raise self._control.failed
            yield from self._end()
        except (LaserError, OSError, KeyboardInterrupt):
            self._abandon()
            raise

    def push(self, stream: str, time: Any, graph: Any) -> list[ResultGraph]:
        """Add an element to a stream; the results of the time points that lie before it.

        A time point is answered when a later one begins, or when the pipeline is closed. If a stream has a
        lateness, it is answered when the watermarks of all streams have passed it.
        """
        if stream not in self._streams:
            raise UsageError(f"there is no stream `{stream}`")
        self.begin()
        [element] = from_python(
            [(time, graph)], clock=self.clock, zone=self._streams[stream].zone, name=stream
        )
        if self._pushed:
            return self._wait_for(stream, element)
        return self._accept(stream, element)

    def _accept(self, stream: str, element: TimedGraph) -> list[ResultGraph]:
        """An element in its order."""
        results: list[ResultGraph] = []
        if self._pending is not None and element.time < self._pending[0]:
            raise UsageError(f"time goes back: {element.time} after {self._pending[0]}")
        if self._pending is not None and element.time > self._pending[0]:
            results += self._at(*self._pending)
            results += self._pass(element.time)
            self._pending = None
        if self._pending is None:
            self._pending = (element.time, {})
        self._pending[1].setdefault(stream, []).append(element)
        return results

    def _wait_for(self, stream: str, element: TimedGraph) -> list[ResultGraph]:
        """An element that may be out of order: what lies before the watermark of all streams goes on."""
        self._pushed[stream].take(element)
        return self._released(min(wait.watermark for wait in self._pushed.values()))

    def _released(self, watermark: int | None) -> list[ResultGraph]:
        found = [
            (graph.time, place, name, graph)
            for place, (name, wait) in enumerate(self._pushed.items())
            for graph in (wait.rest() if watermark is None else wait.ready(watermark))
        ]
        found.sort(key=lambda each: each[:2])
        return [result for _, _, name, graph in found for result in self._accept(name, graph)]

    def close(self) -> list[ResultGraph]:
        """Answer what was pushed, flush and close the sinks; the last results."""
        if self._run is None or self._ended:
            return []
        results = self._released(None)
        if self._pending is not None:
            results += self._at(*self._pending)
            self._pending = None
        return [*results, *self._end()]

    def stop(self) -> None:
        """End the run: what has been read is answered and written, nothing more is read."""
        self._control.stopped = True

    @property
    def sinks(self) -> tuple[Sink, ...]:
        """Where results go."""
        return tuple(part.sink for part in self._sinks)

    @property
    def follows(self) -> bool:
        """Whether it waits for files to grow, and so has no end of its own."""
        return any(part.follow for part in self._streams.values())

    def summary(self) -> Summary:
        """What has been done so far."""
        held = {}
        if self._run is not None:
            for program in self._run.programs:
                held[program.name] = sum(program.engine.stats().stored.values())
        sinks = {
            part.sink.target: {"graphs": part.sink.counters.graphs, "triples": part.sink.counters.triples}
            for part in self._sinks
        }
        waits = self._control.reorderings
        counts = replace(
            self.counts,
            skipped=self.counts.skipped + self._control.skipped,
            late=sum(wait.late for wait in waits),
            ahead=sum(wait.ahead for wait in waits),
            duplicates=sum(wait.duplicates for wait in waits),
        )
        return Summary(counts, perf_counter() - self._began, self.phases.seconds(), held, sinks)

    # --- inside ----------------------------------------------------------------------------------------

    def _idle(self) -> None:
        """Nothing comes: what has waited long enough is written."""
        if self._distributor is not None:
            self._distributor.idle()

    def check_sinks(self) -> None:
        """See that the sinks take results, without writing any; there is no run after this."""
        try:
            for sink in self.sinks:
                sink.check()
        finally:
            self._let_go()

    def begin(self) -> None:
        """Check everything, see that the sinks take results, read the background; `run` does it by itself."""
        if self._ended:
            raise UsageError("the pipeline has ended: make a new one")
        if self._run is not None:
            return
        self.check()
        try:
            self._start()
        except BaseException:
            self._let_go()
            raise
        # What is loaded stays: the collector need not look at it again and again.
        gc.collect()
        gc.freeze()

    def _start(self) -> None:
        for sink in self._sinks:
            sink.sink.check()
        self._began = perf_counter()
        run = self._assembly.start(list(self._programs.values()), self.start)
        self._now_running(run)
        self._has_begun = True
        if any(part.lateness is not None for part in self._streams.values()):
            pushed = [part for part in self._streams.values() if part.is_pushed]
            self._pushed = {part.name: Reordering(part.name, part.lateness or Lateness()) for part in pushed}
            self._control.reorderings += self._pushed.values()
        self._distributor = Distributor(self._sinks)
        self._distributor.begin(run.programs)

    def _let_go(self) -> None:
        """There will be no run: close connections. A file is not open yet, and keeps what is in it."""
        self._ended = True
        for sink in self.sinks:
            if not sink.target.startswith("file:"):
                with contextlib.suppress(LaserError, OSError):  # what went wrong first says more
                    sink.close()

    def _now_running(self, run: Run) -> None:
        self._run = run
        if self._history is not None:
            programs = (program.found.checked for program in run.programs)
            self._history.programs(programs, self._assembly.knowledge.scope or 0)

    def _at(self, time: int, arrived: Arrived) -> Iterator[ResultGraph]:
        """The results of a time point with input, and of those before it at which something changes."""
        for name, graphs in arrived.items():
            self.counts.elements[name] = self.counts.elements.get(name, 0) + len(graphs)
            self.counts.triples += sum(len(graph.triples) for graph in graphs)
        yield from self._pass(time)
        yield from self._step(time, arrived)
        if self._history is not None:
            self._history.add(time, arrived)

    def _pass(self, before: int) -> Iterator[ResultGraph]:
        """Let time pass up to a time point."""
        while self._run is not None and (wake := self._run.wake(before)) is not None:
            yield from self._step(wake, {})

    def _step(self, time: int, arrived: Arrived) -> Iterator[ResultGraph]:
        assert self._run is not None
        assert self._distributor is not None
        made: list[ResultGraph] = []
        for program, answer, graphs in self._run.step(time, arrived):
            self._distributor.take(program, answer, graphs)
            self.phases.end("write")
            made += graphs
        self._distributor.idle()
        # Only now: whoever gets a result may register and withdraw programs.
        yield from made

    def _end(self) -> Iterator[ResultGraph]:
        """The streams have ended."""
        assert self._run is not None
        assert self._distributor is not None
        while self.until is not None and not self._control.stopped:
            if (wake := self._run.wake(self.until + 1)) is None:
                break
            yield from self._step(wake, {})
        self._ended = True
        for program in self._run.programs:
            graphs = program.emitter.finish()
            self._distributor.take(program, None, graphs)
            self.counts.graphs += len(graphs)
            yield from graphs
        self.phases.begin()
        self._distributor.close()
        self.phases.end("write")

    def _abandon(self) -> None:
        """Something went wrong: what was answered is written, as far as that is possible."""
        self._ended = True
        if self._distributor is not None:
            with contextlib.suppress(LaserError, OSError):  # what went wrong first says more
                self._distributor.close()
