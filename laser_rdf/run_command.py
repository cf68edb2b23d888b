"""`laser-rdf run`: RDF in, RDF out.

Everything is checked before anything is read. A stop by a signal is an end: what has been read is answered
and written. Results go to the sinks, everything else to standard error.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

from laser_rdf.commands import FAILED, OK, WRONG
from laser_rdf.errors import (
    InputError,
    LaserError,
    PipelineError,
    ProgramError,
    SinkError,
    UsageError,
    escape_control,
)
from laser_rdf.live import Live, Screen
from laser_rdf.pipeline import Pipeline
from laser_rdf.pipeline.toml_build import build_pipeline
from laser_rdf.pipeline.toml_file import load_pipeline
from laser_rdf.pipeline.toml_problems import Problems
from laser_rdf.run_arguments import changes, description, pipeline_file
from laser_rdf.standard_output import StandardOutput
from laser_rdf.stopping import Stopping
from laser_rdf.terminal import report_unwritable, to_json
from laser_rdf.version import VERSION


def run(options: argparse.Namespace) -> int:
    """Run a pipeline, or check it."""
    screen = Screen(json=options.json, quiet=options.quiet)
    try:
        pipeline = _pipeline(options, screen)
        if options.stats is not None:
            _see_that_stats_can_be_written(options.stats)
    except LaserError as error:
        return _wrong(error, options, screen)
    if options.check:
        return _checked(pipeline, options, screen)
    if not pipeline.sinks:
        pipeline.sink(StandardOutput("json-lines" if options.json else "trig"))
    return _Running(pipeline, options, screen).code()


def _checked(pipeline: Pipeline, options: argparse.Namespace, screen: Screen) -> int:
    """See that the sinks take results, too; nothing is read or written."""
    try:
        pipeline.check_sinks()
    except LaserError as error:
        return _wrong(error, options, screen)
    print("[]" if options.json else "the pipeline is in order; nothing was run")
    return OK


def _pipeline(options: argparse.Namespace, screen: Screen) -> Pipeline:
    file = pipeline_file(options)
    if file is not None:
        return load_pipeline(file, changes=changes(options), notice=screen.notice)
    return build_pipeline(description(options), Path("."), Problems(), screen.notice)


class _Running:
    """One run from its beginning to its exit code."""

    def __init__(self, pipeline: Pipeline, options: argparse.Namespace, screen: Screen) -> None:
        self._pipeline = pipeline
        self._options = options
        self._screen = screen
        self._stopping = Stopping(pipeline.stop)
        self._begun = False

    def code(self) -> int:
        """Run, and say how it went."""
        error: LaserError | None = None
        try:
            with self._stopping:
                error = self._error()
        except KeyboardInterrupt:  # before anything was read
            self._screen.error("laser-rdf: stopped", "stopped")
            return self._stopping.exit_code or 130
        if self._begun:
            self._sum_up(error)
        if error is not None:
            return self._failed(error)
        try:
            self._write_stats(None)
        except SinkError as problem:
            return self._failed(problem)
        # Being stopped is how a run that follows its input ends; one that does not is cut short.
        return OK if self._pipeline.follows else self._stopping.exit_code

    def _error(self) -> LaserError | None:
        """Run to the end; what went wrong, if anything did."""
        options = self._options
        try:
            self._pipeline.begin()
            self._begun = self._stopping.running = True
            with Live(
                self._screen,
                self._pipeline.summary,
                self._pipeline.clock,
                rewritten=self._is_live(),
                seconds=0 if options.quiet else options.log_every,
                stopping=lambda: self._stopping.number is not None,
            ):
                for _ in self._pipeline:
                    pass
        except LaserError as error:
            return error
        except BrokenPipeError as problem:
            report_unwritable(problem)  # whoever read the results has what they wanted
        except OSError as problem:
            reason = problem.strerror or problem
            return SinkError(f"cannot write to standard output: {reason}: make room, or give a `--sink`")
        return None

    def _is_live(self) -> bool:
        """Whether there is a terminal for the live line, and no results on it."""
        options = self._options
        if options.quiet or options.json or sys.stderr is None or not sys.stderr.isatty():
            return False
        shown = any(sink.target in ("standard output", "file:-") for sink in self._pipeline.sinks)
        return not (shown and sys.stdout is not None and sys.stdout.isatty())

    def _sum_up(self, error: LaserError | None) -> None:
        self._screen.left_out()
        if self._options.quiet:
            return
        summary = self._pipeline.summary()
        stopped = self._stopping.name
        text = str(summary)
        if stopped is not None:
            text += f"\nstopped by {stopped}: what had been read is answered"
        self._screen.say("summary", text, self._figures(error))

    def _figures(self, error: LaserError | None) -> dict[str, Any]:
        return {
            **self._pipeline.summary().as_json(),
            "version": VERSION,
            "stopped_by": self._stopping.name,
            "error": None if error is None else str(error),
        }

    def _failed(self, error: LaserError) -> int:
        if self._begun:
            try:
                self._write_stats(error)
            except SinkError as problem:
                _say(problem, self._screen)
            _say(error, self._screen)
            return FAILED
        return _wrong(error, self._options, self._screen)

    def _write_stats(self, error: LaserError | None) -> None:
        if (path := self._options.stats) is None:
            return
        try:
            with open(path, "w", encoding="utf-8") as file:
                json.dump(self._figures(error), file, indent=1)
                file.write("\n")
        except OSError as problem:
            reason = problem.strerror or problem
            raise SinkError(f"cannot write `{escape_control(path)}`: {reason}") from None


def _see_that_stats_can_be_written(path: str) -> None:
    existed = os.path.lexists(path)
    try:
        with open(path, "ab"):
            pass
        if not existed:
            os.unlink(path)
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise UsageError(f"cannot write `{escape_control(path)}`: {reason}: choose another file") from None


def _wrong(error: LaserError, options: argparse.Namespace, screen: Screen) -> int:
    """Say what is wrong before a run; the exit code."""
    problems = error.problems if isinstance(error, PipelineError) else (error,)
    if options.check and options.json:
        print(to_json([entry for problem in problems for entry in _as_json(problem)], indent=1))
    else:
        for problem in problems:
            _say(problem, screen)
    return WRONG if isinstance(error, ProgramError | UsageError) else FAILED


def _say(error: LaserError, screen: Screen) -> None:
    text = str(error)
    # Programs and input have lines and carets, and are escaped already.
    located = isinstance(error, ProgramError | InputError)
    screen.error(text if located else f"laser-rdf: {escape_control(text)}", text)


def _as_json(error: LaserError) -> list[dict[str, object]]:
    if isinstance(error, ProgramError):
        return [diagnostic.as_json(error.source) for diagnostic in error.diagnostics]
    if isinstance(error, InputError):
        return [error.diagnostic.as_json(error.source)]
    return [{"severity": "error", "message": str(error)}]
