"""`pipeline.toml`: a pipeline as a file.

    clock = "1 s"

    [streams]
    traffic = "traffic.trig"

    [programs.jams]
    file = "queries/jams.lars"
    emit = "I"

    [[sinks]]
    to = "file:jams.trig"

Paths are relative to the file. Everything it names is checked before anything starts, and all problems are
reported together.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable
from pathlib import Path

from laser_rdf.errors import PipelineError, UsageError, escape_control
from laser_rdf.pipeline.pipeline import Pipeline
from laser_rdf.pipeline.toml_build import build_pipeline
from laser_rdf.pipeline.toml_places import Places
from laser_rdf.pipeline.toml_problems import Description, Problems

_PLACE = re.compile(
    r"^(?P<message>.*) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)$", re.S
)
_MAX_BYTES = 16 * 1024 * 1024


def load_pipeline(
    path: str | os.PathLike[str],
    *,
    changes: Description | None = None,
    notice: Callable[[str], None] | None = None,
) -> Pipeline:
    """The pipeline that a file describes; PipelineError says everything that is wrong with it.

    `changes` replace what the file says at its top, as `{"until": 60}`.
    """
    name = os.fspath(path)
    text = _read(Path(path), name)
    description = {**parsed(text, name), **(changes or {})}
    return build_pipeline(description, Path(path).parent, Problems(Places(name, text).of), notice)


def parsed(text: str, name: str) -> Description:
    """The tables of a TOML text.

    >>> parsed("clock = 1 s", "pipeline.toml")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    laser_rdf.errors.PipelineError: pipeline.toml:1:11: this is no TOML: Expected newline ...
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        found = _PLACE.match(str(problem))
        message, place = str(problem), escape_control(name)
        if found is not None:
            message = found["message"]
            lines = text.split("\n")
            line = int(found["line"] or len(lines))
            place += f":{line}:{found['column'] or len(lines[-1]) + 1}"
        raise _wrong(f"{place}: this is no TOML: {escape_control(message)}") from None
    except RecursionError:
        raise _wrong(
            f"{escape_control(name)}: this is no TOML that can be read: it is nested too deeply"
        ) from None


def _read(path: Path, name: str) -> str:
    shown = escape_control(name)
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_BYTES + 1)
        if len(data) > _MAX_BYTES:
            raise _wrong(f"`{shown}` is too long for a pipeline file: over {_MAX_BYTES >> 20} MB")
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as problem:
        line = data[: problem.start].count(b"\n") + 1
        raise _wrong(f"{shown}:{line}:1: this is no TOML: it is not UTF-8") from None
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise _wrong(f"cannot read `{shown}`: {reason}") from None


def _wrong(message: str) -> PipelineError:
    return PipelineError([UsageError(message)])
