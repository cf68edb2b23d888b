"""The arguments of `laser-rdf run`, and the pipeline that they describe.

Only what describes: what runs is in `run_command`, which is imported when it is needed.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

from laser_rdf.errors import UsageError, escape_control

EPILOG = """\
rules over a stream, results on standard output as TriG:

  $ laser-rdf run fire.lars --stream readings.trig --background rooms.ttl

with an ontology and an event query, results into a file and a store:

  $ laser-rdf run fire.lars --stream readings=log.trig --ontology building.ttl --profile owl-rl \\
      --event queries/smoke.rq --sink file:fire.trig --sink sparql:http://127.0.0.1:7878/update

the same as a file, which says it all (docs/pipeline.md), checked and run:

  $ laser-rdf run --check pipeline.toml
  $ laser-rdf run pipeline.toml

Passwords never stand here: LASER_RDF_USER and LASER_RDF_PASSWORD, or `--credentials FILE`.
Ctrl-C ends a run: what has been read is answered and written. A second one ends it at once.
Exit codes: 0 done; 1 the run failed; 2 program, pipeline or arguments are wrong; 130, 143 stopped before
the end of the input (0 with `--follow`, where there is no end).
"""

_OF_RUN = frozenset(
    {"files", "clock", "start", "until", "stats", "log_every", "quiet", "json", "check", "command"}
)
"""Options that go with a pipeline file; the others describe a pipeline, and that is what the file does."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add them all."""
    parser.set_defaults(clock=None)
    parser.add_argument("files", nargs="+", metavar="FILE", help="a pipeline (.toml), or programs (.lars)")

    what = parser.add_argument_group("what comes in")
    _several(what, "--stream", "[NAME=]FILE", "a stream: file, directory or `-`; NAME is for `on NAME`")
    what.add_argument("--format", metavar="F", help="the format of all streams (default: by suffix)")
    _several(what, "--stamp", "IRI", "the predicate of time stamps; several are tried in order")
    what.add_argument("--zone", metavar="Z", help="the zone of time stamps without one, as `+02:00`")
    what.add_argument("--on-error", metavar="HOW", help="wrong elements: `fail`, `skip`, `quarantine:DIR`")
    what.add_argument("--lateness", metavar="TIME", help="elements may be out of order by so much, as `30 s`")
    what.add_argument("--late", metavar="HOW", help="later ones: `drop` (default), `fail`, `quarantine:DIR`")
    what.add_argument("--max-ahead", metavar="TIME", help="refuse elements that far in the future")
    what.add_argument("--follow", action="store_true", default=None, help="wait for streams to grow")
    _several(what, "--background", "FILE", "what always holds: .ttl, .nt, .rdf, .jsonld, …")
    _several(what, "--event", "[NAME=]FILE.rq", "a SELECT query that defines a predicate")

    logic = parser.add_argument_group("what follows")
    _several(logic, "--ontology", "FILE", "axioms")
    logic.add_argument("--profile", metavar="P", help="`rdfs` (with --ontology), `owl-rl`, `owlrl`, `none`")
    logic.add_argument("--rules", metavar="FILE.lars", help="Datalog rules that add to every element")
    logic.add_argument("--inconsistency", metavar="HOW", help="`warn`, `ignore`, `fail` or `fact`")
    logic.add_argument("--max-entailments", type=_count, metavar="N", help="a limit per time point")
    logic.add_argument("--full", action="store_true", default=None, help="derive also what no rule reads")
    logic.add_argument("--axioms", action="store_true", default=None, help="with the axiomatic triples")
    logic.add_argument(
        "--scope", metavar="TIME", help="entail from that much of the streams together, as `10 s`"
    )

    out = parser.add_argument_group("what goes out")
    _several(out, "--sink", "SINK", "file:F, oxigraph:DIR, sparql:URL, gsp:URL (default: standard output)")
    out.add_argument(
        "--emit", metavar="E", help="`I` became true (default), `D` ceased, `R` all, `intervals`"
    )
    out.add_argument("--template", metavar="T.rq", help="a CONSTRUCT query that shapes results")
    out.add_argument("--mode", metavar="M", help="`log`, a graph per time point, or `state`, one per program")
    out.add_argument("--append", action="store_true", default=None, help="add to files that are there")
    out.add_argument("--metadata-graph", metavar="IRI", help="where to say what is known about results")
    out.add_argument("--credentials", metavar="C", help="a file with `user:password`, or `env:NAME`")

    run = parser.add_argument_group("the run")
    run.add_argument("--start", metavar="T", help="where the timeline starts (default: first element)")
    run.add_argument("--until", metavar="T", help="go on up to this time point or dateTime")
    run.add_argument("--check", action="store_true", help="check everything, run nothing")
    run.add_argument("--stats", metavar="FILE.json", help="write figures, with the time of each phase")
    run.add_argument(
        "--log-every", type=float, default=5.0, metavar="S", help="seconds between log lines (default: 5)"
    )
    run.add_argument("--quiet", action="store_true", help="errors only: no live line, no summary")


def _several(group: Any, option: str, metavar: str, text: str) -> None:
    group.add_argument(option, action="append", metavar=metavar, help=text)


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        raise argparse.ArgumentTypeError(f"`{text}` is no whole number from 0 on")
    return int(text)


def pipeline_file(options: argparse.Namespace) -> str | None:
    """The pipeline file, if it is one that is given."""
    files: list[str] = options.files
    if not any(file.lower().endswith(".toml") for file in files):
        return None
    if len(files) > 1:
        raise UsageError("give one pipeline file, or programs, which end in .lars")
    for name, value in vars(options).items():
        if name not in _OF_RUN and value is not None:
            flag = "--" + name.replace("_", "-")
            raise UsageError(
                f"`{flag}` does not go with a pipeline file: write it into `{escape_control(files[0])}`"
            )
    return files[0]


def changes(options: argparse.Namespace) -> dict[str, Any]:
    """What the options of a run say about the top of a pipeline."""
    return _given(options, "clock", "start", "until")


def description(options: argparse.Namespace) -> dict[str, Any]:
    """The pipeline that flags describe, as a file would.

    >>> parser = argparse.ArgumentParser()
    >>> add_arguments(parser)
    >>> options = parser.parse_args(["fire.lars", "--stream", "a=log.trig", "--sink", "file:out.nq"])
    >>> description(options)["programs"], description(options)["streams"]
    ({'fire': {'file': 'fire.lars'}}, {'a': {'source': 'log.trig'}})
    """
    if not options.stream:
        raise UsageError("there is nothing to read: give a stream with `--stream FILE`")
    if options.mode == "state" and not options.sink:
        raise UsageError("`--mode state` needs a place where a state can be kept: give a `--sink`")
    reading = _given(options, "format", "stamp", "zone", "on_error", "follow", *WAITING)
    logic = _given(options, "profile", "rules", "inconsistency", "max_entailments", "full", "axioms", "scope")
    program = _given(options, "emit", "template")
    writing = _given(options, "mode", "credentials", "append")
    found: dict[str, Any] = {
        **changes(options),
        **_given(options, "metadata_graph"),
        "streams": {n: {"source": f, **reading} for n, f in named(options.stream or [], "stream").items()},
        "background": {"files": options.background or []},
        "events": named(options.event or [], "event"),
        "programs": {n: {"file": f, **program} for n, f in named(options.files, "program").items()},
        "sinks": [{"to": sink, **_fitting(sink, writing)} for sink in options.sink or []],
    }
    if options.ontology or logic:
        # Rules alone need no profile; an ontology that is given is to be used.
        usual = {"profile": "rdfs" if options.ontology else "none"}
        found["ontology"] = {"files": options.ontology or [], **usual, **logic}
    return found


WAITING = ("lateness", "late", "max_ahead")


def _given(options: argparse.Namespace, *names: str) -> dict[str, Any]:
    return {name: value for name in names if (value := getattr(options, name)) is not None}


def _fitting(sink: str, writing: dict[str, Any]) -> dict[str, Any]:
    """Flags are for all sinks; what a kind of sink has no use for is left out."""
    kind = sink.partition(":")[0]
    without = {"file": {"credentials"}, "sparql": {"append"}, "gsp": {"append"}}
    return {k: v for k, v in writing.items() if k not in without.get(kind, {"append", "credentials"})}


def named(given: list[str], kind: str) -> dict[str, str]:
    """`NAME=FILE` or `FILE`, whose name is that of the file without its suffixes.

    >>> named(["traffic=t.trig", "weather.nq.gz", "-"], "stream")
    {'traffic': 't.trig', 'weather': 'weather.nq.gz', 'input': '-'}
    """
    found: dict[str, str] = {}
    for each in given:
        name, equals, file = each.partition("=")
        if not (equals and name and "/" not in name and not os.path.exists(each)):
            name, file = "input" if each == "-" else Path(each).name.partition(".")[0], each
        if name in found:
            shown = escape_control(file)
            raise UsageError(f"two {kind}s are called `{escape_control(name)}`: write `NAME={shown}`")
        found[name] = file
    return found
