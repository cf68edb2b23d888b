"""Where a key stands in a TOML text, which Python's reader of TOML does not tell.

A scan of headers and keys by line: enough to say where to look. Keys inside inline tables are found at the
line of the table.
"""

from __future__ import annotations

import re

from laser_rdf.errors import escape_control

Path = tuple[str | int, ...]
"""The way to a value: `("streams", "traffic", "format")`, `("sinks", 0, "to")`."""

_PART = r"""(?:[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|'[^']*')"""
_DOTTED = rf"{_PART}(?:\s*\.\s*{_PART})*"
_HEADER = re.compile(rf"(\s*)(\[\[?)\s*({_DOTTED})\s*\]\]?\s*(?:#.*)?")
_KEY = re.compile(rf"(\s*)({_DOTTED})\s*=")
_PARTS = re.compile(_PART)


class Places:
    """The places of the keys of a TOML text.

    >>> places = Places("pipeline.toml", 'clock = "1 s"\\n[streams.traffic]\\nsource = "t.trig"\\n')
    >>> places.of(("streams", "traffic", "source")), places.of(("streams", "traffic", "format"))
    ('pipeline.toml:3:1', 'pipeline.toml:2:1')
    """

    def __init__(self, name: str, text: str) -> None:
        self._name = escape_control(name)
        self._found: dict[Path, tuple[int, int]] = {}
        table: Path = ()
        counts: dict[Path, int] = {}
        for number, line in enumerate(text.split("\n"), 1):
            if header := _HEADER.fullmatch(line.rstrip("\r")):
                table = _way(header[3])
                if header[2] == "[[":
                    counts[table] = counts.get(table, -1) + 1
                    table = (*table, counts[table])
                self._found.setdefault(table, (number, len(header[1]) + 1))
            elif key := _KEY.match(line):
                self._found.setdefault((*table, *_way(key[2])), (number, len(key[1]) + 1))

    def of(self, path: Path) -> str:
        """`file:line:column` of a key, or of the nearest table around it."""
        while path and path not in self._found:
            path = path[:-1]
        place = self._found.get(path)
        return self._name if place is None else f"{self._name}:{place[0]}:{place[1]}"


def _way(dotted: str) -> tuple[str, ...]:
    return tuple(part.strip("\"'") for part in _PARTS.findall(dotted))
