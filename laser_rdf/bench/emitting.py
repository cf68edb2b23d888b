"""Answers as graphs: values → terms → bytes, beside pyoxigraph and rdflib writing the same quads, in turns.

Our side starts from rows of values, makes the graphs with what is said about them, and writes them.
pyoxigraph's side serialises quads that are there already, in one call; rdflib's a dataset that is.
`python -m laser_rdf.bench.emitting` prints a line for each format and vocabulary.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import warnings
from collections.abc import Callable
from time import thread_time_ns

import pyoxigraph as ox

from laser_rdf.bench.measuring import alternately, quiet_memory
from laser_rdf.bench.report import Row
from laser_rdf.check import Predicate
from laser_rdf.rdf import Interner
from laser_rdf.rdf.emit import Emitter
from laser_rdf.rdf.emit_atoms import Batch
from laser_rdf.rdf.emit_writing import ResultWriter
from laser_rdf.values import XSD, Clock

GRAPHS, ROUNDS = 20_000, 5
START = 1_577_836_800
"""2020-01-01T00:00:00Z"""
FORMATS = {"trig": ox.RdfFormat.TRIG, "nquads": ox.RdfFormat.N_QUADS}

_EX = "http://example.org/"

Answers = list[tuple[int, list[Batch]]]


def answers(graphs: int, seed: int = 1, fresh: bool = False) -> Answers:
    """One answer a second, ten triples each: a class, a link, decimals and counts of two observations.

    The observations come again and again, or, with `fresh`, never: then each is made into text anew.

    >>> time, batches = answers(1)[0]
    >>> sum(len(rows) for _, rows in batches)
    10
    """
    chance = random.Random(seed)  # noqa: S311 - the same answers in every run are what is wanted
    value = Interner().value
    decimal = ox.NamedNode(XSD + "decimal")
    things = [value(ox.NamedNode(f"{_EX}observation{n}")) for n in range(2000)]
    rooms = [value(ox.NamedNode(f"{_EX}room{n}")) for n in range(100)]
    degrees = [value(ox.Literal(f"{n / 10:.1f}", datatype=decimal)) for n in range(1000)]
    alarm = Predicate(_EX + "Alarm", 1)
    room, temperature, count = (Predicate(_EX + name, 2) for name in ("room", "temperature", "count"))
    found: Answers = []
    for number in range(graphs):
        two = chance.sample(things, 2)
        if fresh:
            two = [value(ox.NamedNode(f"{_EX}observation{number}-{n}")) for n in range(2)]
        batches: list[Batch] = [
            (alarm, [(thing,) for thing in two]),
            (room, [(thing, chance.choice(rooms)) for thing in two]),
            (temperature, [(thing, degree) for thing in two for degree in chance.sample(degrees, 2)]),
            (count, [(thing, chance.randrange(1000)) for thing in two]),
        ]
        found.append((START + number, batches))
    return found


def written(made: Answers, form: str) -> bytes:
    """The bytes of the answers."""
    emitter = Emitter("bench", clock=Clock())
    out = io.BytesIO()
    with ResultWriter(out, form) as writer:
        for time, added in made:
            for graph in emitter.emit(time, added):
                writer.write(graph)
    return out.getvalue()


def _timed(work: Callable[[Answers], object], prepare: Callable[[], Answers]) -> Callable[[], list[int]]:
    def measured() -> list[int]:
        made = prepare()
        with quiet_memory():
            began = thread_time_ns()
            work(made)
            return [thread_time_ns() - began]

    return measured


def measure_emitting(
    form: str, graphs: int = GRAPHS, rounds: int = ROUNDS, seed: int = 1, fresh: bool = False
) -> Row:
    """Seconds of each side, and how many times pyoxigraph's ours takes and rdflib takes ours.

    >>> measure_emitting("nquads", graphs=10, rounds=1)["quads"]
    140
    """
    import rdflib

    made = answers(graphs, seed, fresh)
    data = written(made, form)
    quads = list(ox.parse(data, format=FORMATS[form]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # rdflib warns of its own ways
        dataset = rdflib.Dataset()
        dataset.parse(data=data, format=form)
        # All three have the same number of rounds: the best of more would be better by chance.
        ours, theirs, slow = alternately(
            [
                # Answers made anew each time: no value has its text from the round before.
                _timed(lambda anew: written(anew, form), lambda: answers(graphs, seed, fresh)),
                _timed(lambda _: ox.serialize(quads, format=FORMATS[form]), list),
                _timed(lambda _: dataset.serialize(format=form), list),
            ],
            rounds,
        )
    return {
        "format": form,
        "vocabulary": "fresh" if fresh else "bounded",
        "graphs": graphs,
        "quads": len(quads),
        "rounds": rounds,
        "emit_and_write_s": round(ours / 1e9, 4),
        "pyoxigraph_s": round(theirs / 1e9, 4),
        "rdflib_s": round(slow / 1e9, 4),
        "times_pyoxigraph": round(ours / theirs, 2),
        "faster_than_rdflib": round(slow / ours, 1),
    }


def main() -> None:
    """Print one line of JSON for each format and vocabulary."""
    parser = argparse.ArgumentParser(description="time how answers become graphs")
    parser.add_argument("--graphs", type=int, default=GRAPHS)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    chosen = parser.parse_args()
    for form in FORMATS:
        for fresh in (False, True):
            print(json.dumps(measure_emitting(form, chosen.graphs, chosen.rounds, fresh=fresh)), flush=True)


if __name__ == "__main__":
    main()
