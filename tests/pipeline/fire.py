"""A small scenario in files: rooms, sensors, smoke and heat; and the command to run over it."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyoxigraph as ox

EX = "http://example.org/"
PROV_TIME = "http://www.w3.org/ns/prov#generatedAtTime"

FILES = {
    "log.trig": """\
PREFIX prov: <http://www.w3.org/ns/prov#> PREFIX ex: <http://example.org/>
ex:g1 prov:generatedAtTime 36 .
ex:g1 { ex:r1 a ex:SmokeReading ; ex:by ex:s1 }
ex:g2 prov:generatedAtTime 40 .
ex:g2 { ex:r2 ex:by ex:s2 ; ex:temp 65.0 }
ex:g3 prov:generatedAtTime 55 .
ex:g3 { ex:r3 ex:by ex:s2 ; ex:temp 75.0 }
""",
    "rooms.ttl": """\
@prefix ex: <http://example.org/> .
ex:s1 ex:in ex:kitchen . ex:s2 ex:in ex:hall .
""",
    "readings.ttl": """\
@prefix ex: <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
ex:SmokeReading rdfs:subClassOf ex:Reading . ex:temp rdfs:domain ex:Reading .
""",
    "fire.lars": """\
PREFIX ex: <http://example.org/>
ex:Smoky(Room) :- smoke(_, Room) in [5 s].
ex:hot(Room, V) :- ex:temp(R, V), ex:by(R, S), ex:in(S, Room), V > 60.
ex:read(Room, R) :- ex:Reading(R), ex:by(R, S), ex:in(S, Room).
""",
    "alarm.lars": "PREFIX ex: <http://example.org/>\nex:Alarm(Room) :- ex:hot(Room, _).\n",
    "smoke.rq": """\
PREFIX ex: <http://example.org/>
SELECT ?r ?room WHERE { ?r a ex:SmokeReading ; ex:by/ex:in ?room }
""",
    "pipeline.toml": """\
clock = "1 s"
background = "rooms.ttl"

[streams]
readings = "log.trig"

[ontology]
files = ["readings.ttl"]
profile = "rdfs"

[events]
smoke = "smoke.rq"

[programs.fire]
file = "fire.lars"
on = ["readings"]

[programs.alarm]
file = "alarm.lars"
on = ["fire"]

[[sinks]]
to = "file:out.nq"

[[sinks]]
to = "file:state.trig"
mode = "state"
programs = ["alarm"]
""",
}

FLAGS = [
    "fire.lars",
    "--stream",
    "log.trig",
    "--background",
    "rooms.ttl",
    "--ontology",
    "readings.ttl",
    "--event",
    "smoke.rq",
]


def write_files(directory: Path) -> None:
    for name, text in FILES.items():
        directory.joinpath(name).write_text(text, encoding="utf-8")


def graph(number: int, temperature: float = 65.0) -> bytes:
    """A stream element in TriG, which the hall's rule answers."""
    return (
        f"<{EX}g{number}> <{PROV_TIME}> {number} .\n"
        f"<{EX}g{number}> {{ <{EX}r{number}> <{EX}by> <{EX}s2> ; <{EX}temp> {temperature + number} }}\n"
    ).encode()


def contents(data: bytes, form: ox.RdfFormat = ox.RdfFormat.TRIG) -> dict[str, set[tuple[str, str, str]]]:
    """The named graphs of results, in short words."""
    found: dict[str, set[tuple[str, str, str]]] = {}
    for quad in ox.parse(data, format=form):
        if isinstance(quad.graph_name, ox.NamedNode):
            triple = short(quad.subject), short(quad.predicate), short(quad.object)
            found.setdefault(quad.graph_name.value.removeprefix("urn:laser:result:"), set()).add(triple)
    return found


def short(term: Any) -> str:
    value: str = term.value
    return value.removeprefix(EX).replace("http://www.w3.org/1999/02/22-rdf-syntax-ns#", "")


FIRE = {
    "fire/insertions/36": {("kitchen", "type", "Smoky"), ("kitchen", "read", "r1")},
    "fire/insertions/40": {("hall", "hot", "65.0"), ("hall", "read", "r2")},
    "fire/insertions/55": {("hall", "hot", "75.0"), ("hall", "read", "r3")},
}


@dataclass(frozen=True)
class Ran:
    code: int
    out: bytes
    err: str

    @property
    def events(self) -> list[dict[str, Any]]:
        """The objects that `--json` writes to standard error."""
        return [json.loads(line) for line in self.err.splitlines()]

    def event(self, name: str) -> dict[str, Any]:
        [found] = [event for event in self.events if event["event"] == name]
        return found


PIPED = ["fire.lars", "--stream", "-", "--format", "trig", "--background", "rooms.ttl", "--event", "smoke.rq"]
"""Arguments that read standard input."""

COMMAND = [sys.executable, "-m", "laser_rdf", "run"]
