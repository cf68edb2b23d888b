"""`laser-rdf demo`: ten minutes in a building, from sensor readings to a store that is asked what happened.

readings, notices  →  OWL RL  →  event query, rules, rules over their answers  →  TriG, Oxigraph  →  SPARQL
"""

from __future__ import annotations

import argparse
import shlex
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyoxigraph as ox

from laser_rdf.demo_files import make_files
from laser_rdf.errors import escape_control
from laser_rdf.pipeline import Pipeline
from laser_rdf.rdf.emit_graph import ResultGraph
from laser_rdf.reasoning import Explanation
from laser_rdf.terminal import to_json

BUILDING = "http://example.org/building#"
FIRE = BUILDING + "FireAlarm"

_INTRODUCTION = """\
Ten minutes in a building. All files are in {place}:

  readings.trig, notices.trig     two streams: what the sensors say, and that there will be a drill
  rooms.ttl, building.ttl         what is known of the building, and an ontology, read as OWL 2 RL
  smoke.rq                        an event, as a SPARQL query
  alarms.lars, evacuation.lars    the rules; the second program reads the answers of the first

What becomes true, as it is derived:
"""

_NEXT = """\
Try next:

  read the rules                  cat {place}/alarms.lars
  see how they are understood     {command} show {place}/alarms.lars
  change them, and run again      {command} run {place}/pipeline.toml
  learn the language              docs/language.md, in the repository
  do the same from Python         docs/guide.md, and examples/
"""


@dataclass(frozen=True, slots=True)
class Happening:
    """A line of the demo: something became true of somebody."""

    time: str
    program: str
    what: str
    who: str

    def __str__(self) -> str:
        """The line.

        >>> print(Happening("2026-01-15T08:01:25Z", "alarms", "Hot", "office"))
        08:01:25  Hot           office
        """
        return f"{self.time[11:19]}  {self.what:<12}  {self.who}"

    def as_json(self) -> dict[str, str]:
        """The same for machines."""
        return {"time": self.time, "program": self.program, "what": self.what, "who": self.who}


def demo(options: argparse.Namespace) -> int:
    """Run the demo and show what comes out."""
    directory = make_files(options.out, options.seed)
    place = escape_control(shlex.quote(str(options.out)))
    if not options.json:
        print(_INTRODUCTION.format(place=place))
    pipeline = assembled(directory)
    why: Explanation | None = None
    for result in pipeline:
        for happening in happenings(result):
            print(to_json(happening.as_json()) if options.json else happening, flush=True)
        if why is None and (fire := _first_fire(result)) is not None:
            # The engine stands at the time point of the alarm: later it will have forgotten.
            why = pipeline.explain("alarms", fire)
    if not options.json:
        if why is not None:
            print(f"\nWhy the first alarm went off:\n\n{why}")
        print(f"\nThe results are in {place}/results.trig and in the Oxigraph store {place}/store.")
        print(f"Asked with SPARQL ({place}/fires.rq):\n")
        print("\n".join(_asked(directory)), end="\n\n")
        print(pipeline.summary(), end="\n\n")
        print(_NEXT.format(place=place, command=_command()), end="")
    return 0


def assembled(directory: Path) -> Pipeline:
    """The pipeline of the demo; pipeline.toml says the same."""
    pipeline = Pipeline(clock="1 s", directory=directory)
    pipeline.stream("sensors", "readings.trig")
    pipeline.stream("notices", "notices.trig")
    pipeline.background("rooms.ttl")
    pipeline.ontology("building.ttl", profile="owl-rl")
    pipeline.event("smoke", "smoke.rq")
    pipeline.register("alarms", "alarms.lars", on=["sensors", "notices"])
    pipeline.register("evacuation", "evacuation.lars", on=["alarms"])
    pipeline.sink("file:results.trig")
    pipeline.sink("oxigraph:store")
    return pipeline


def happenings(result: ResultGraph) -> Iterator[Happening]:
    """The lines for a result; all that the rules of the demo derive are classes of things."""
    time = result.metadata[0].object
    assert isinstance(time, ox.Literal)
    program = _short(result.origin.program)
    for triple in sorted(result.triples, key=str):
        yield Happening(time.value, program, _short(triple.object), _short(triple.subject))


def _first_fire(result: ResultGraph) -> ox.Triple | None:
    """A triple of the result that says where there is a fire."""
    return next((triple for triple in result.triples if triple.object == ox.NamedNode(FIRE)), None)


def _asked(directory: Path) -> Iterator[str]:
    """The answer of the result store, as a table."""
    query = (directory / "fires.rq").read_text(encoding="utf-8")
    found = ox.Store.read_only(str(directory / "store")).query(query)
    assert isinstance(found, ox.QuerySolutions)
    names = [variable.value for variable in found.variables]
    rows = [names, *([_short(solution[name]) for name in names] for solution in found)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  " + "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()


def _command() -> str:
    """What to type: the command by its name if the shell finds it, else as it was called."""
    return "laser-rdf" if shutil.which("laser-rdf") else sys.argv[0]


def _short(term: object) -> str:
    """What a person reads: the last part of an IRI, the text of a literal.

    >>> _short(ox.NamedNode("http://example.org/house/kitchen")), _short(ox.Literal("5"))
    ('kitchen', '5')
    """
    if isinstance(term, ox.NamedNode):
        return term.value.replace("#", "/").replace(":", "/").rpartition("/")[2]
    return str(getattr(term, "value", term))
