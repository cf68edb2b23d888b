"""The readings of the demo: ten minutes in a building, as a stream of RDF graphs.

    [08:00:00] kitchen 20.9 °C, 0.3 % smoke; hall …      every five seconds, two sensors a room
    [08:02:00] a drill in the lab is announced           on a second stream

What happens is a table; the seed only shakes the numbers.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

START = 1_768_464_000
"""2026-01-15T08:00:00Z, in seconds since 1970."""

LENGTH = 600
EVERY = 5

_PREFIXES = """\
PREFIX : <http://example.org/house/>
PREFIX acme: <http://example.org/acme#>
PREFIX bld: <http://example.org/building#>
PREFIX prov: <http://www.w3.org/ns/prov#>
PREFIX sosa: <http://www.w3.org/ns/sosa/>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
"""


@dataclass(frozen=True, slots=True)
class Spell:
    """From one second to another, a room gets warmer to a temperature, and has that much smoke."""

    room: str
    begin: int
    end: int
    degrees: float
    smoke: float


SPELLS = (
    Spell("office", 60, 150, 56.0, 0.0),  # the sun; no smoke
    Spell("lab", 150, 230, 75.0, 12.0),  # the drill
    Spell("kitchen", 360, 600, 90.0, 25.0),  # a fire
    Spell("hall", 430, 600, 80.0, 18.0),  # which spreads
)
SILENT = ("archiveHeat", 240, 300)
DRILL = ("lab", 120)

_MAKERS = {"kitchen": "bld", "hall": "acme", "lab": "bld", "office": "acme", "archive": "bld"}
_WORDS = {
    "bld": ("bld:smokeLevel", "bld:temperature"),
    "acme": ("acme:obscuration", "acme:celsius"),
}
_RISE = 40  # seconds until it is as warm as it gets


def readings(seed: int = 1) -> Iterator[str]:
    """The stream of the sensors as TriG, piece by piece.

    >>> print("".join(list(readings())[1:4]).strip())
    :s0 prov:generatedAtTime "2026-01-15T08:00:00Z"^^xsd:dateTime .
    :s0 {
      :s0-kitchenSmoke sosa:madeBySensor :kitchenSmoke ; bld:smokeLevel 0.4 .
      :s0-kitchenHeat sosa:madeBySensor :kitchenHeat ; bld:temperature 21.6 .
    """
    chance = random.Random(seed)  # noqa: S311 - numbers for a demo
    yield _PREFIXES
    for second in range(0, LENGTH, EVERY):
        yield f'\n:s{second} prov:generatedAtTime "{_stamp(second)}"^^xsd:dateTime .\n:s{second} {{\n'
        for room, maker in _MAKERS.items():
            smoke_word, heat_word = _WORDS[maker]
            degrees, smoke = _at(room, second)
            values = (
                (f"{room}Smoke", smoke_word, max(0.0, smoke + chance.gauss(0.3, 0.1))),
                (f"{room}Heat", heat_word, degrees + chance.gauss(0, 0.4)),
            )
            for sensor, word, value in values:
                if not _is_silent(sensor, second):
                    yield f"  :s{second}-{sensor} sosa:madeBySensor :{sensor} ; {word} {value:.1f} .\n"
        yield "}\n"


def notices() -> str:
    """The stream of announcements: one drill."""
    room, second = DRILL
    stamp = f'"{_stamp(second)}"^^xsd:dateTime'
    return f"{_PREFIXES}\n:n1 prov:generatedAtTime {stamp} .\n:n1 {{ :drill1 bld:drillIn :{room} }}\n"


def _at(room: str, second: int) -> tuple[float, float]:
    """Degrees and smoke in a room."""
    degrees, smoke = 21.0, 0.0
    for spell in SPELLS:
        if spell.room == room and spell.begin <= second < spell.end:
            degrees += (spell.degrees - degrees) * min(1.0, (second - spell.begin) / _RISE)
            smoke = spell.smoke
    return degrees, smoke


def _is_silent(sensor: str, second: int) -> bool:
    name, begin, end = SILENT
    return sensor == name and begin <= second < end


def _stamp(second: int) -> str:
    """The time as it stands in the stream.

    >>> _stamp(125)
    '2026-01-15T08:02:05Z'
    """
    return f"2026-01-15T08:{second // 60:02d}:{second % 60:02d}Z"
