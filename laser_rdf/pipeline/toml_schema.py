"""What may stand in a pipeline file: every key, what its value must be, and what it means.

The same table checks files and the options of the command line.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from laser_rdf.entail.clashes import POLICIES
from laser_rdf.entail.enricher import PROFILES
from laser_rdf.rdf.emit_graph import Emission
from laser_rdf.rdf.reading import FORMATS
from laser_rdf.stream import Mode


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of value: what it is called in a message, how to tell it, and the words if it is one of few."""

    name: str
    fits: Callable[[object], bool]
    words: tuple[str, ...] = ()


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value != ""


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_seconds(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0


def _is_list(value: object, fits: Callable[[object], bool]) -> bool:
    return isinstance(value, list) and all(map(fits, value))


def _is_stamp(value: object) -> bool:
    return _is_text(value) or _is_list(value, lambda item: _is_text(item) or _is_list(item, _is_text))


def _one_of(*words: str) -> Kind:
    return Kind("one of " + ", ".join(f'"{word}"' for word in words), lambda value: value in words, words)


TEXT = Kind("a text", _is_text)
TEXTS = Kind("a text or a list of texts", lambda value: _is_text(value) or _is_list(value, _is_text))
NAMES = Kind("a list of names", lambda value: _is_list(value, _is_text))
FLAG = Kind("true or false", lambda value: isinstance(value, bool))
COUNT = Kind("a whole number from 0 on", _is_count)
SECONDS = Kind("a number of seconds", _is_seconds)
MOMENT = Kind("a dateTime", lambda value: _is_text(value) or isinstance(value, datetime.datetime))
TIME = Kind("a time point or a dateTime", lambda value: _is_count(value) or MOMENT.fits(value))
STAMP = Kind("a predicate, or a list of predicates and paths of predicates", _is_stamp)
ON_ERROR = Kind(
    '"fail", "skip" or "quarantine:DIR"',
    lambda value: value in ("fail", "skip") or (_is_text(value) and str(value).startswith("quarantine:")),
)

Keys = Mapping[str, Kind]

STREAM: Keys = {
    "source": TEXT,
    "format": _one_of(*FORMATS),
    "stamp": STAMP,
    "zone": TEXT,
    "on_error": ON_ERROR,
    "follow": FLAG,
    "lateness": TEXT,
    "late": TEXT,
    "max_ahead": TEXT,
}
BACKGROUND: Keys = {"files": TEXTS}
ONTOLOGY: Keys = {
    "files": TEXTS,
    "profile": _one_of(*PROFILES),
    "rules": TEXT,
    "inconsistency": _one_of(*POLICIES),
    "max_entailments": COUNT,
    "full": FLAG,
    "axioms": FLAG,
    "scope": TEXT,
}
PROGRAM: Keys = {
    "file": TEXT,
    "on": NAMES,
    "emit": _one_of(*(policy.value for policy in Emission)),
    "template": TEXT,
}
SINK: Keys = {
    "to": TEXT,
    "mode": _one_of(*(mode.value for mode in Mode)),
    "programs": NAMES,
    "batch": COUNT,
    "batch_seconds": SECONDS,
    "metadata_graph": TEXT,
    "append": FLAG,
    "credentials": TEXT,
    "timeout": SECONDS,
    "max_triples_per_request": COUNT,
    "connections": COUNT,
}
TOP: Keys = {
    "clock": TEXT,
    "origin": MOMENT,
    "start": TIME,
    "until": TIME,
    "base": TEXT,
    "metadata_graph": TEXT,
}

TABLES: Mapping[str, tuple[Keys, str]] = {
    "background": (BACKGROUND, "files"),
    "ontology": (ONTOLOGY, "files"),
}
"""Tables that stand once; the second is the key that a bare value stands for: `background = "rooms.ttl"`."""

NAMED: Mapping[str, tuple[Keys | None, str]] = {
    "streams": (STREAM, "source"),
    "events": (None, ""),
    "programs": (PROGRAM, "file"),
}
"""Tables of named things; events are nothing but names and files."""

LISTS: Mapping[str, tuple[Keys, str]] = {"sinks": (SINK, "to")}
"""Lists of tables."""

REQUIRED: Mapping[str, str] = {"streams": "source", "programs": "file", "sinks": "to"}
"""What a table of these must have."""
