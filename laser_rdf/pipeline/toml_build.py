"""A description of a pipeline → the pipeline, or everything that is wrong with it.

What is wrong with one thing does not hide what is wrong with the next: a stream without a file still has its
name, so that programs that read it are not blamed.
"""

from __future__ import annotations

import datetime
import os
from collections.abc import Callable, Iterable
from pathlib import Path

from laser_rdf.errors import UsageError, escape_control
from laser_rdf.lang.ast import Program
from laser_rdf.pipeline.pipeline import Pipeline
from laser_rdf.pipeline.toml_problems import Description, Problems, did_you_mean, tidied
from laser_rdf.pipeline.waiting import STANDARD_INPUT
from laser_rdf.rdf.naming import RESULT_BASE, named_node
from laser_rdf.rdf.reading import FORMATS
from laser_rdf.values import XSD_DATE_TIME, Clock, Literal
from laser_rdf.values.clock import DEFAULT_ORIGIN
from laser_rdf.values.moments import moment_of

_QUARANTINE = "quarantine:"
_ENVIRONMENT = "env:"


def build_pipeline(
    description: Description,
    directory: Path,
    problems: Problems,
    notice: Callable[[str], None] | None = None,
) -> Pipeline:
    """The pipeline, checked; PipelineError with all problems if it cannot run.

    >>> build_pipeline({"programs": {"p": "no.lars"}}, Path("."), Problems())
    Traceback (most recent call last):
    ...
    laser_rdf.errors.PipelineError: there is no stream to read: add `[streams.NAME]` with a `source`
    program `p`: there is no file `no.lars`
    """
    return _Builder(tidied(description, problems), directory, problems, notice).built()


class _Builder:
    def __init__(
        self,
        description: Description,
        directory: Path,
        problems: Problems,
        notice: Callable[[str], None] | None,
    ) -> None:
        self._given = description
        self._directory = directory
        self._problems = problems
        self._notice = notice
        self._registered = False

    def built(self) -> Pipeline:
        pipeline = self._empty()
        self._streams(pipeline)
        self._knowledge(pipeline)
        self._events(pipeline)
        self._programs(pipeline)
        self._sinks(pipeline)
        if self._registered:
            with self._problems.at():
                pipeline.check()
        self._problems.raise_any()
        return pipeline

    def _empty(self) -> Pipeline:
        given = self._given
        clock = Clock()
        with self._problems.at("clock"):
            clock = Clock.parse(given.get("clock", "1 s"))
        origin = _text_of_moment(given.get("origin", DEFAULT_ORIGIN))
        with self._problems.at("origin"):
            clock = Clock(clock.unit_ms, Clock.parse("1 s", origin).origin_ms)
        times: dict[str, int | None] = {"start": None, "until": None}
        for key in times:
            with self._problems.at(key):
                times[key] = time_point(given.get(key), clock)
        if times["start"] is not None and times["until"] is not None and times["until"] < times["start"]:
            self._problems.add(("until",), f"the end {times['until']} lies before the start {times['start']}")
        base, metadata_graph = given.get("base", RESULT_BASE), given.get("metadata_graph")
        with self._problems.at("base"):
            named_node(base, "the base of results")
        with self._problems.at("metadata_graph"):
            if metadata_graph is not None:
                named_node(metadata_graph, "the metadata graph")
        return Pipeline(
            clock,
            directory=self._directory,
            start=times["start"],
            until=times["until"],
            base=base,
            metadata_graph=metadata_graph,
            notice=self._notice,
        )

    def _streams(self, pipeline: Pipeline) -> None:
        if not self._given.get("streams"):
            self._problems.add(
                ("streams",), "there is no stream to read: add `[streams.NAME]` with a `source`"
            )
        from_input: list[str] = []
        for name, given in self._given.get("streams", {}).items():
            source = given.get("source")
            if source is None or not self._stream(pipeline, name, dict(given)):
                pipeline.stream(name)
            if source == STANDARD_INPUT:
                from_input.append(name)
        if len(from_input) > 1:
            both = " and ".join(f"`{name}`" for name in from_input)
            self._problems.add(("streams",), f"{both} read standard input, which can be read only once")

    def _stream(self, pipeline: Pipeline, name: str, given: Description) -> bool:
        source, path = given["source"], ("streams", name, "source")
        if source == STANDARD_INPUT:
            if "format" not in given:
                known = ", ".join(FORMATS)
                self._problems.add(
                    path, f"stream `{name}`: standard input has no suffix: give its format, one of {known}"
                )
                return False
        elif not self._is_there(path, source, f"stream `{name}`"):
            return False
        elif given.get("follow") and (self._directory / source).is_dir():
            self._problems.add(
                path, f"stream `{name}`: `{source}` is a directory: only a file can be followed"
            )
            return False
        handling = given.get("on_error", "fail")
        if handling.startswith(_QUARANTINE):
            folder = handling.removeprefix(_QUARANTINE)
            given["on_error"] = _QUARANTINE + str(self._directory / folder) if folder else handling
        if isinstance(stamp := given.get("stamp"), str):
            given["stamp"] = [stamp]
        added = False
        with self._problems.at(*path):
            pipeline.stream(name, **given)
            added = True
        return added

    def _knowledge(self, pipeline: Pipeline) -> None:
        background = self._files("background", self._given.get("background", {}).get("files", []))
        with self._problems.at("background", "files"):
            pipeline.background(*background)
        if (ontology := self._given.get("ontology")) is None:
            return
        options = {key: value for key, value in ontology.items() if key != "files"}
        files = self._files("ontology", ontology.get("files", []))
        if "rules" in options and not self._is_there(("ontology", "rules"), options["rules"], "ontology"):
            del options["rules"]
        with self._problems.at("ontology"):
            pipeline.ontology(*files, **options)

    def _files(self, key: str, files: str | list[str]) -> list[str]:
        listed = [files] if isinstance(files, str) else files
        return [file for file in listed if self._is_there((key, "files"), file, key)]

    def _events(self, pipeline: Pipeline) -> None:
        for name, file in self._given.get("events", {}).items():
            path = ("events", name)
            if self._is_there(path, file, f"event `{name}`"):
                with self._problems.at(*path):
                    pipeline.event(name, file)

    def _programs(self, pipeline: Pipeline) -> None:
        programs = self._given.get("programs", {})
        known = [*self._given.get("streams", {}), *programs]
        if not programs:
            self._problems.add(
                ("programs",), "there is no program to run: add `[programs.NAME]` with a `file`"
            )
        for name, given in programs.items():
            if name in self._given.get("streams", {}):
                self._problems.add(
                    ("programs", name), f"`{name}` is a stream, too: call one of them otherwise"
                )
                continue
            options = {key: value for key, value in given.items() if key != "file"}
            if "on" in options:
                options["on"] = self._known(
                    options["on"], known, ("programs", name, "on"), f"program `{name}` reads"
                )
            template = options.get("template")
            label = f"program `{name}`"
            if template is not None and not self._is_there(("programs", name, "template"), template, label):
                del options["template"]
            if "file" in given and self._is_there(("programs", name, "file"), given["file"], label):
                with self._problems.at("programs", name):
                    pipeline.register(name, given["file"], **options)
                    self._registered = True
                    continue
            # Something with the name, so that programs that read it are not blamed.
            with self._problems.at("programs", name):
                pipeline.register(name, Program(()), on=options.get("on"))
                self._registered = True

    def _sinks(self, pipeline: Pipeline) -> None:
        for number, given in enumerate(self._given.get("sinks", [])):
            if "to" not in given:
                continue
            options = {key: value for key, value in given.items() if key != "to"}
            if "programs" in options:
                programs = self._given.get("programs", {})
                place = ("sinks", number, "programs")
                options["programs"] = self._known(options["programs"], programs, place, "the sink takes")
            credentials = options.get("credentials", _ENVIRONMENT)
            if not credentials.startswith(_ENVIRONMENT):
                options["credentials"] = self._directory / credentials
            with self._problems.at("sinks", number, "to"):
                pipeline.sink(given["to"], **options)

    def _known(
        self, names: list[str], known: Iterable[str], path: tuple[str | int, ...], what: str
    ) -> list[str]:
        found = []
        for name in names:
            if name in known:
                found.append(name)
            else:
                kind = "program" if path[0] == "sinks" else "stream"
                message = f"{what} `{escape_control(name)}`, which is no {kind}: {did_you_mean(name, known)}"
                self._problems.add(path, message)
        return found

    def _is_there(self, path: tuple[str | int, ...], file: str, what: str) -> bool:
        place = self._directory / file
        if not os.path.exists(place):
            self._problems.add(path, f"{what}: there is no file `{escape_control(file)}`")
            return False
        if not os.access(place, os.R_OK):
            self._problems.add(path, f"{what}: the file `{escape_control(file)}` may not be read")
            return False
        return True


def time_point(value: int | str | datetime.datetime | None, clock: Clock) -> int | None:
    """A time point, given as such or as a dateTime.

    >>> time_point("1970-01-01T00:01:00Z", Clock()), time_point("60", Clock())
    (60, 60)
    """
    if value is None or isinstance(value, int):
        return value
    text = _text_of_moment(value)
    if text.isascii() and text.isdigit() and len(text) <= 18:
        return int(text)
    moment = moment_of(Literal(text, XSD_DATE_TIME))
    if moment is None:
        raise UsageError(f"`{escape_control(text)}` is neither a time point nor a dateTime")
    found = clock.time_point(moment.instant)
    if found < 0:
        raise UsageError(f"`{escape_control(text)}` lies before the origin of the clock")
    return found


def _text_of_moment(value: str | datetime.datetime) -> str:
    return value if isinstance(value, str) else value.isoformat()
