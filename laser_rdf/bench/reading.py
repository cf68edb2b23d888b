"""Timed graphs in and out, beside pyoxigraph and rdflib on the same bytes, in turns.

Reading ends with facts: rows of interned values, by `GraphMapping`. pyoxigraph's side is `list(ox.parse(…))`,
which makes its objects and no more; rdflib's is to parse into a dataset. Writing starts from values;
pyoxigraph's side serialises quads that are there already, rdflib's a dataset that is.
`python -m laser_rdf.bench.reading`, and with `--memory` how the process grows while a long log is read.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import thread_time_ns

import pyoxigraph as ox

from laser_rdf.bench.measuring import alternately, quiet_memory
from laser_rdf.bench.memory import resident_kilobytes
from laser_rdf.bench.report import Row
from laser_rdf.check import Mentions, Predicate
from laser_rdf.errors import EvaluationError
from laser_rdf.rdf import Interner, TimedGraph, ox_term, read_stream, write_stream
from laser_rdf.rdf.mapping import GraphMapping
from laser_rdf.rdf.stamps import stamp_text
from laser_rdf.rdf.writing import VERSION_LABEL

TRIPLES, PER_GRAPH, ROUNDS = 200_000, 10, 5
LONG = 5_000_000
START = 1_577_836_800
"""2020-01-01T00:00:00Z"""
READ = ("trig", "nquads", "turtle-messages", "trig-messages", "ntriples-messages", "nquads-messages")
WRITTEN = ("trig", "nquads")
_PARSERS = {
    "trig": ox.RdfFormat.TRIG,
    "nquads": ox.RdfFormat.N_QUADS,
    "turtle-messages": ox.RdfFormat.TURTLE,
    "trig-messages": ox.RdfFormat.TRIG,
    "ntriples-messages": ox.RdfFormat.N_TRIPLES,
    "nquads-messages": ox.RdfFormat.N_QUADS,
}
_EX, _SOSA = "http://example.org/", "http://www.w3.org/ns/sosa/"
_TYPE = ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
_PREFIXES = {"ex": _EX, "sosa": _SOSA, "prov": "http://www.w3.org/ns/prov#"}


def observations(triples: int, seed: int = 1) -> Iterator[TimedGraph]:
    """Graphs of ten triples, one a second: what some of 500 sensors have measured.

    >>> [(graph.time, len(graph.triples)) for graph in observations(20)][1]
    (1577836801, 10)
    """
    chance = random.Random(seed)  # noqa: S311 - the same stream in every run is what is wanted
    sensors = [ox.NamedNode(f"{_EX}sensor{n}") for n in range(500)]
    rooms = [ox.NamedNode(f"{_EX}room{n}") for n in range(100)]
    kind = ox.NamedNode(_SOSA + "Observation")
    made_by, about, result = (
        ox.NamedNode(_SOSA + n) for n in ("madeBySensor", "hasFeatureOfInterest", "hasSimpleResult")
    )
    decimal = ox.NamedNode("http://www.w3.org/2001/XMLSchema#decimal")
    values = [ox.Literal(f"{n / 10:.1f}", datatype=decimal) for n in range(1000)]
    for number in range(triples // PER_GRAPH):
        found = []
        for one in (f"{_EX}o{number % 1000}a", f"{_EX}o{number % 1000}b"):
            subject = ox.NamedNode(one)
            found.append(ox.Triple(subject, _TYPE, kind))
            found.append(ox.Triple(subject, made_by, chance.choice(sensors)))
            found.append(ox.Triple(subject, about, chance.choice(rooms)))
            found.extend(ox.Triple(subject, result, v) for v in chance.sample(values, 2))
        time = START + number
        yield TimedGraph(time, tuple(found), time, ox.NamedNode(f"{_EX}g{number}"))


def written(graphs: list[TimedGraph], form: str) -> bytes:
    """The graphs in a format; TriG and Turtle with prefixes, as people write it."""
    if form not in ("trig", "trig-messages", "turtle-messages"):
        out = io.BytesIO()
        write_stream(graphs, out, form)
        return out.getvalue()
    parts = ["".join(f"PREFIX {p}: <{iri}>\n" for p, iri in _PREFIXES.items())]
    for graph in graphs:
        body = ox.serialize(graph.triples, format=ox.RdfFormat.TURTLE, prefixes=_PREFIXES)
        assert body is not None
        assert graph.name is not None
        lines = [line for line in body.decode().splitlines() if not line.startswith("@prefix")]
        name = graph.name.value.replace(_EX, "ex:")
        stamp = f"{name} prov:generatedAtTime {stamp_text(graph)} .\n"
        text = "\n".join(lines) + "\n"
        if form == "trig":
            parts.append(f"{stamp}{name} {{\n{text}}}\n")
        else:
            parts.append(f"{stamp}{text}# @message\n")
    return "".join(parts).encode()


def new_mapping() -> tuple[Interner, GraphMapping]:
    """A vocabulary and a mapping of everything that observations say to facts.

    >>> graph = next(observations(10))
    >>> sum(len(rows) for _, rows in new_mapping()[1].batches(graph.triples))
    10
    """
    terms = Interner()
    properties = (
        Predicate(_SOSA + n, 2) for n in ("madeBySensor", "hasFeatureOfInterest", "hasSimpleResult")
    )
    return terms, GraphMapping(terms, Mentions(frozenset({Predicate(_SOSA + "Observation", 1), *properties})))


def _timed(work: Callable[[], object]) -> Callable[[], list[int]]:
    def timed() -> list[int]:
        with quiet_memory():
            began = thread_time_ns()
            result = work()
            took = thread_time_ns() - began
        del result
        return [took]

    return timed


def _read(data: bytes, form: str) -> None:
    terms, mapping = new_mapping()
    for graph in read_stream(data, form):
        mapping.batches(graph.triples)
        terms.sweep()


def _pass(data: bytes, form: str) -> None:
    for _ in read_stream(data, form):
        pass


def measure_reading(form: str, triples: int, rounds: int) -> Row:
    """One format: pyoxigraph, timed graphs, facts."""
    data = written(list(observations(triples)), form)
    plain = data.removeprefix(VERSION_LABEL)  # which pyoxigraph does not know in N-Triples and N-Quads
    works = [
        _timed(lambda: list(ox.parse(plain, format=_PARSERS[form]))),
        _timed(lambda: _pass(data, form)),
        _timed(lambda: _read(data, form)),
    ]
    alone, graphs, facts = alternately(works, rounds)
    return {
        "format": form,
        "bytes": len(data),
        "triples": triples,
        "pyoxigraph_s": round(alone / 1e9, 4),
        "graphs_s": round(graphs / 1e9, 4),
        "facts_s": round(facts / 1e9, 4),
        "graphs_ratio": round(graphs / alone, 2),
        "facts_ratio": round(facts / alone, 2),
    }


def measure_rdflib(form: str, triples: int, rounds: int) -> Row:
    """How often reading ends with facts while rdflib parses the same bytes once."""
    import rdflib

    data = written(list(observations(triples)), form)
    works = [
        _timed(lambda: rdflib.Dataset().parse(data=data, format=form)),
        _timed(lambda: _read(data, form)),
    ]
    parsed, facts = alternately(works, rounds)
    return {
        "format": form,
        "triples": triples,
        "rdflib_s": round(parsed / 1e9, 4),
        "facts_s": round(facts / 1e9, 4),
        "times_faster": round(parsed / facts, 1),
    }


def measure_writing(form: str, triples: int, rounds: int) -> Row:
    """Values → terms → bytes, beside pyoxigraph and rdflib serialising what they have already."""
    import rdflib

    graphs = list(observations(triples))
    known = Interner()
    rows = [
        (g.time, g.name, [(known.value(s), known.value(p), known.value(o)) for s, p, o in g.triples])
        for g in graphs
    ]
    whole = written(graphs, "nquads")
    quads = list(ox.parse(whole, format=ox.RdfFormat.N_QUADS))
    dataset = rdflib.Dataset()
    dataset.parse(data=whole, format="nquads")

    def ours() -> None:
        made = (
            TimedGraph(
                time,
                tuple(ox.Triple(ox_term(s), ox_term(p), ox_term(o)) for s, p, o in found),  # type: ignore[arg-type]
                time,
                name,
            )
            for time, name, found in rows
        )
        write_stream(made, io.BytesIO(), form)

    alone, all_ours = alternately(
        [_timed(lambda: ox.serialize(quads, format=_PARSERS[form])), _timed(ours)], rounds
    )
    (other,) = alternately([_timed(lambda: dataset.serialize(format=form, encoding="utf-8"))], 1)
    return {
        "format": form,
        "triples": triples,
        "pyoxigraph_s": round(alone / 1e9, 4),
        "rdflib_s": round(other / 1e9, 4),
        "ours_s": round(all_ours / 1e9, 4),
        "ratio": round(all_ours / alone, 2),
        "times_faster": round(other / all_ours, 1),
    }


def measure(
    triples: int = TRIPLES,
    rounds: int = ROUNDS,
    *,
    rdflib: bool = True,
    progress: Callable[[Row], None] = print,
) -> dict[str, list[Row]]:
    """Everything but memory; rdflib can be left out, it takes most of the time."""
    sections: dict[str, list[Row]] = {"reading": [], "reading_rdflib": [], "writing": []}

    def add(section: str, row: Row) -> None:
        sections[section].append(row)
        progress({"section": section, **row})

    for form in READ:
        add("reading", measure_reading(form, triples, rounds))
    for form in WRITTEN if rdflib else ():
        add("reading_rdflib", measure_rdflib(form, triples, 1))
    for form in WRITTEN if rdflib else ():
        add("writing", measure_writing(form, triples, rounds))
    return sections


def sampled(path: str, form: str, samples: int) -> list[int]:
    """Read a log to its end, with facts; the resident kilobytes now and then, the first after a tenth."""
    terms, mapping = new_mapping()
    size = os.path.getsize(path)
    found: list[int] = []
    with open(path, "rb") as file:
        for graph in read_stream(file, form):
            mapping.batches(graph.triples)
            terms.sweep()
            if file.tell() >= size * (len(found) + 1) / samples:
                found.append(resident_kilobytes())
    return found


def measure_memory(triples: int = LONG, form: str = "trig", samples: int = 10) -> Row:
    """A long log, written to a temporary file and read in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "log")
        write_stream(observations(triples), path, form)
        package = Path(__file__).parents[2]
        known = os.pathsep.join(filter(None, [str(package), os.environ.get("PYTHONPATH", "")]))
        done = subprocess.run(  # noqa: S603 - this program itself
            [sys.executable, "-m", "laser_rdf.bench.reading", "--sample", str(path), form, str(samples)],
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": known},
            check=False,
        )
        size = path.stat().st_size
    if done.returncode != 0:
        raise EvaluationError(f"the memory experiment failed in its process: {done.stderr.strip()[-400:]}")
    found = json.loads(done.stdout)
    return {
        "format": form,
        "triples": triples,
        "bytes": size,
        "resident_kb": found,
        "ratio": round(found[-1] / found[0], 3),
    }


def main(arguments: list[str] | None = None) -> int:
    """Measure and print one JSON object per line."""
    parser = argparse.ArgumentParser(prog="python -m laser_rdf.bench.reading", description=__doc__)
    parser.add_argument("--triples", type=int, help=f"how many (default: {TRIPLES}, with --memory {LONG})")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="the best of so many counts")
    parser.add_argument("--memory", action="store_true", help="read a long log and watch the process")
    parser.add_argument("--format", action="append", choices=READ, help="with --memory: only this one")
    parser.add_argument("--no-rdflib", action="store_true", help="only reading beside pyoxigraph")
    parser.add_argument("--sample", nargs=3, metavar=("FILE", "FORMAT", "N"), help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.sample:
        path, form, samples = given.sample
        print(json.dumps(sampled(path, form, int(samples))))
    elif given.memory:
        for form in given.format or READ:
            print(json.dumps(measure_memory(given.triples or LONG, form)), flush=True)
    else:
        measure(
            given.triples or TRIPLES,
            given.rounds,
            rdflib=not given.no_rdflib,
            progress=lambda row: print(json.dumps(row), flush=True),
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
