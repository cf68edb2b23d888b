"""Everything that is wrong with a description of a pipeline, collected with its places."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any

from laser_rdf.errors import InputError, LaserError, PipelineError, ProgramError, UsageError, escape_control
from laser_rdf.pipeline import toml_schema as schema
from laser_rdf.pipeline.toml_places import Path

Description = dict[str, Any]
"""A pipeline as nested dictionaries, as they come out of TOML."""


class Problems:
    """Collects problems; `place` says where a key stands, for a file."""

    def __init__(self, place: Callable[[Path], str] | None = None) -> None:
        self._place = place
        self.found: list[LaserError] = []

    def add(self, path: Path, message: str) -> None:
        """One problem more, at a key."""
        self.found.append(UsageError(self._placed(path, message)))

    @contextmanager
    def at(self, *path: str | int) -> Iterator[None]:
        """Collect what goes wrong inside; programs and queries say themselves where they are wrong."""
        try:
            yield
        except PipelineError as several:
            for problem in several.problems:
                self._take(path, problem)
        except LaserError as problem:
            self._take(path, problem)

    def raise_any(self) -> None:
        """PipelineError with everything, each said once."""
        if self.found:
            raise PipelineError(list({str(problem): problem for problem in self.found}.values()))

    def _take(self, path: Path, problem: LaserError) -> None:
        if isinstance(problem, ProgramError | InputError):
            self.found.append(problem)
        else:
            self.add(path, str(problem))

    def _placed(self, path: Path, message: str) -> str:
        return message if self._place is None else f"{self._place(path)}: {message}"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Advice for a word that is not known.

    >>> did_you_mean("fromat", ["format", "source"]), did_you_mean("x", ["format", "source"])
    ('did you mean `format`?', 'known are `format`, `source`')
    """
    words = list(known)
    lower = {each.lower(): each for each in words}
    if near := get_close_matches(word.lower(), lower, n=1, cutoff=0.6):
        return f"did you mean `{lower[near[0]]}`?"
    return (
        "known are " + ", ".join(f"`{escape_control(each)}`" for each in words) if words else "there is none"
    )


def tidied(description: Description, problems: Problems) -> Description:
    """The description without what is wrong in its form, and with bare values as the tables they mean.

    >>> tidied({"streams": {"s": "log.trig"}, "background": "rooms.ttl"}, Problems())
    {'streams': {'s': {'source': 'log.trig'}}, 'background': {'files': 'rooms.ttl'}}
    """
    found: Description = {}
    everything = [*schema.TOP, *schema.TABLES, *schema.NAMED, *schema.LISTS]
    for key, value in description.items():
        if key in schema.TOP:
            _keep(found, key, value, schema.TOP[key], (key,), problems)
        elif key in schema.TABLES:
            keys, usual = schema.TABLES[key]
            found[key] = _table(value, keys, usual, (key,), problems)
        elif key in schema.NAMED:
            found[key] = _named(key, value, problems)
        elif key in schema.LISTS:
            found[key] = _list(key, value, problems)
        else:
            problems.add((key,), f"unknown key `{escape_control(key)}`: {did_you_mean(key, everything)}")
    return found


def _named(key: str, value: object, problems: Problems) -> Description:
    keys, usual = schema.NAMED[key]
    if not isinstance(value, dict):
        problems.add((key,), f"`{key}` is a table of names: write `[{key}]` and below it `name = …`")
        return {}
    found: Description = {}
    for name, each in value.items():
        if keys is None:
            _keep(found, name, each, schema.TEXT, (key, name), problems)
            continue
        found[name] = _table(each, keys, usual, (key, name), problems)
    return found


def _list(key: str, value: object, problems: Problems) -> list[Description]:
    keys, usual = schema.LISTS[key]
    if not isinstance(value, list):
        problems.add((key,), f"`{key}` is a list: write `[[{key}]]` before each, with two brackets")
        return []
    return [_table(each, keys, usual, (key, number), problems) for number, each in enumerate(value)]


def _table(value: object, keys: schema.Keys, usual: str, path: Path, problems: Problems) -> Description:
    """A table with known keys; a bare value is the one that matters most."""
    label = ".".join(map(str, path))
    if not isinstance(value, dict):
        value = {usual: value}
    found: Description = {}
    for key, each in value.items():
        if key not in keys:
            known = did_you_mean(key, keys)
            problems.add(
                (*path, key), f"unknown key `{escape_control(key)}` in `{escape_control(label)}`: {known}"
            )
            continue
        _keep(found, key, each, keys[key], (*path, key), problems)
    needed = schema.REQUIRED.get(str(path[0]))
    if needed is not None and needed not in value:
        problems.add(path, f"`{escape_control(label)}` has no `{needed}`: add one")
    return found


def _keep(
    found: Description, key: str, value: object, kind: schema.Kind, path: Path, problems: Problems
) -> None:
    if kind.fits(value):
        found[key] = value
        return
    message = f"`{escape_control(key)}` must be {kind.name}, not {_shown(value)}"
    if kind.words and isinstance(value, str):
        advice = did_you_mean(value, kind.words)
        if advice.startswith("did"):
            message = f"`{escape_control(key)}` cannot be {_shown(value)}: {advice}"
    problems.add(path, message)


def _shown(value: object) -> str:
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, bool):
        return str(value).lower()
    text = escape_control(str(value))
    text = text if len(text) <= 60 else text[:60] + "…"
    return f'"{text}"' if isinstance(value, str) else text
