"""What enrichment takes: `python -m laser_rdf.bench.entailment [--citybench DIR] [--owlrl] [--million N]`.

    growth      the same element with the same neighbourhood, in backgrounds of 1,000 to 1,000,000 triples
    citybench   an element of ten triples of observations over the repository with the ontologies; with
                `--owlrl` also the closure by owlrl, once, and whether both derive the same
    million     a background is read, interned and closed in a process of its own: seconds and peak memory

Times are CPU seconds of this thread, wall seconds beside them; the best of several rounds in turns.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from time import perf_counter, thread_time
from typing import Any

import pyoxigraph as ox

from laser_rdf.bench.measuring import quiet_memory
from laser_rdf.bench.report import Row
from laser_rdf.entail import Demand, Enricher, interned
from laser_rdf.errors import EvaluationError
from laser_rdf.rdf import Interner, Value
from laser_rdf.values import XSD_DOUBLE

SIZES = (1_000, 10_000, 100_000, 1_000_000)
ROUNDS, REPEATS = 7, 200
EX = "http://example.org/"
SSN, SAO = "http://purl.oclc.org/NET/ssnx/ssn#", "http://purl.oclc.org/NET/sao/"
ONTOLOGY = """
@prefix : <http://example.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:TemperatureSensor rdfs:subClassOf :Sensor . :Sensor rdfs:subClassOf :Device .
:Device rdfs:subClassOf :Thing .
:Room rdfs:subClassOf :Place . :Floor rdfs:subClassOf :Place . :Observation rdfs:subClassOf :Event .
:observedBy rdfs:domain :Observation ; rdfs:range :Sensor ; owl:inverseOf :madeObservation .
:isIn a owl:TransitiveProperty . :inRoom rdfs:subPropertyOf :isIn ; rdfs:range :Room .
:observedIn owl:propertyChainAxiom ( :observedBy :inRoom ) .
:Placed owl:onProperty :inRoom ; owl:someValuesFrom :Room .
"""
DEMAND = Demand(frozenset({EX + "observedIn", EX + "value"}), frozenset({EX + "Sensor"}))
"""A typical program: where something was observed, and how much."""

ValueTriple = tuple[Value, Value, Value]


def parse(text: str) -> Iterator[ox.Triple]:
    """The triples of a Turtle text."""
    return (quad.triple for quad in ox.parse(text, format=ox.RdfFormat.TURTLE))


def repository(size: int) -> Iterator[str]:
    """A background in N-Triples, line by line: five triples for each sensor, ten sensors in a room."""
    a = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
    for n in range(size // 5):
        sensor, room = f"<{EX}sensor{n}>", f"<{EX}room{n // 10}>"
        yield f"{sensor} {a} <{EX}TemperatureSensor> .\n"
        yield f"{sensor} <{EX}inRoom> {room} .\n"
        yield f'{sensor} <{EX}label> "sensor {n}" .\n'
        yield f'{sensor} <{EX}height> "{n % 300}" .\n'
        yield f"{room} <{EX}isIn> <{EX}floor{n // 100}> .\n"


def observations(sensors: list[int]) -> str:
    """Observations of sensors, in Turtle: four triples each."""
    return f"@prefix : <{EX}> .\n" + "".join(
        f":obs{n} a :Observation ; :observedBy :sensor{n} ; :value {n}.5 ; :unit :celsius .\n"
        for n in sensors
    )


def timed(enricher: Enricher, elements: list[list[ValueTriple]]) -> tuple[float, float]:
    """CPU and wall seconds for one element, over all of them."""
    wall, began = perf_counter(), thread_time()
    for element in elements:
        enricher.enrich(element)
    return (thread_time() - began) / len(elements), (perf_counter() - wall) / len(elements)


def measure_growth(sizes: tuple[int, ...] = SIZES) -> list[Row]:
    """The same element in larger and larger backgrounds."""
    works = []
    for size in sizes:
        terms = Interner()
        lines = ox.parse("".join(repository(size)), format=ox.RdfFormat.N_TRIPLES)
        background = interned(terms, (quad.triple for quad in lines))
        enricher = Enricher(terms, [*interned(terms, parse(ONTOLOGY)), *background], "owl-rl")
        element = interned(terms, islice(parse(observations([1, 12, 23])), 10))
        works.append((enricher, [element] * REPEATS))
    with quiet_memory():
        best = [
            min(times) for times in zip(*([timed(*w) for w in works] for _ in range(ROUNDS)), strict=True)
        ]
    return [
        {
            "background": size,
            "entailed": len(enricher.enrich(elements[0]).entailed),
            "cpu_ms": round(cpu * 1000, 4),
            "wall_ms": round(wall * 1000, 4),
            "ratio": round(cpu / best[0][0], 2),
        }
        for size, (enricher, elements), (cpu, wall) in zip(sizes, works, best, strict=True)
    ]


# --- CityBench -----------------------------------------------------------------------------------------


def city_triples(directory: Path, everything: bool) -> list[ox.Triple]:
    """The sensor repository, all of the data set if asked for, and the ontologies."""
    data = sorted((directory / "dataset").glob("*.n3" if everything else "SensorRepository.n3"))
    found: list[ox.Triple] = []
    for path in [*data, *sorted((directory / "ontology").iterdir())]:
        form = ox.RdfFormat.RDF_XML if path.suffix == ".owl" else ox.RdfFormat.TURTLE
        found += (quad.triple for quad in ox.parse(path=str(path), format=form))
    return found


def city_elements(background: list[ox.Triple], count: int) -> list[list[ox.Triple]]:
    """Elements of ten triples: two observations and a half, as CityBench makes them of rows.

    Doubles are spelt as rdflib spells them, which would else change what is said.
    """
    observed = [(t.subject, t.object) for t in background if t.predicate.value == SSN + "observes"]
    elements = []
    for n in range(count):
        text = f"@prefix ssn: <{SSN}> . @prefix sao: <{SAO}> .\n"
        for k in range(3):
            service, observable = observed[(3 * n + k) % len(observed)]
            text += (
                f"<urn:obs-{n}-{k}> a ssn:Observation ; ssn:observedBy {service} ; "
                f'ssn:observedProperty {observable} ; sao:hasValue "{n}.5"^^<{XSD_DOUBLE}> .\n'
            )
        elements.append(list(islice(parse(text), 10)))
    return elements


def measure_citybench(directory: Path, with_owlrl: bool) -> Row:
    """Elements over the whole data set; the repository with the ontologies closed, by us and by owlrl."""
    terms = Interner()
    everything = city_triples(directory, True)
    enricher = Enricher(terms, interned(terms, everything), "owl-rl")
    elements = [interned(terms, element) for element in city_elements(everything, REPEATS)]
    with quiet_memory():
        cpu, wall = min(timed(enricher, elements) for _ in range(ROUNDS))
    row: Row = {
        "background": len(everything),
        "closure": len(enricher.background),
        "entailed": len(enricher.enrich(elements[0]).entailed),
        "cpu_ms": round(cpu * 1000, 4),
        "wall_ms": round(wall * 1000, 4),
    }
    smaller = city_triples(directory, False)
    values = interned(terms, smaller)
    closings = []
    for _ in range(3):
        began = thread_time()
        enricher = Enricher(terms, values, "owl-rl")
        closings.append(thread_time() - began)
    row |= {"repository": len(smaller), "closing_s": round(min(closings), 3)}
    return row | _against_owlrl(enricher, smaller, terms, min(closings)) if with_owlrl else row


def _against_owlrl(enricher: Enricher, background: list[ox.Triple], terms: Interner, closing: float) -> Row:
    """Ours and owlrl's closure of the repository with one element, in this run."""
    element = city_elements(background, 1)[0]
    said = interned(terms, element)
    with quiet_memory():
        cpu = min(timed(enricher, [said] * REPEATS) for _ in range(ROUNDS))[0]
    began = thread_time()
    before = _owlrl_closure(background)
    took = thread_time() - began
    began = thread_time()
    after = _owlrl_closure([*background, *element])
    again = thread_time() - began
    ours = {_named(t) for t in enricher.enrich(said).entailed}
    theirs = {t for t in after - before if t not in set(map(_text, element))}
    return {
        "element_cpu_ms": round(cpu * 1000, 4),
        "owlrl_closing_s": round(took, 2),
        "owlrl_reclosing_s": round(again, 2),
        "closing_times_faster": round(took / closing, 1),
        "element_times_faster": round(again / cpu),
        "only_ours": len(ours - theirs),
        "only_owlrl": len(theirs - ours),
        "compared": len(ours),
    }


def _owlrl_closure(triples: list[ox.Triple]) -> set[str]:
    """owlrl's closure as lines, without reflexive owl:sameAs and without literals as subjects."""
    import owlrl
    import rdflib

    graph = rdflib.Graph()
    text = "".join(f"{triple} .\n" for triple in triples)
    graph.parse(
        data=text, format="nt", bnode_context={label: rdflib.BNode(label) for label in _labels(triples)}
    )
    owlrl.DeductiveClosure(owlrl.OWLRL_Semantics).expand(graph)
    same = rdflib.OWL.sameAs
    return {
        " ".join(str(node) for node in (s, p, o))
        for s, p, o in graph
        if not isinstance(s, rdflib.Literal) and not (p == same and s == o)
    }


def _labels(triples: list[ox.Triple]) -> set[str]:
    return {n.value for t in triples for n in (t.subject, t.object) if isinstance(n, ox.BlankNode)}


def _text(triple: ox.Triple) -> str:
    return " ".join(node.value for node in (triple.subject, triple.predicate, triple.object))  # type: ignore[union-attr]


def _named(triple: ValueTriple) -> str:
    return " ".join(str(node) if type(node) is int else node.term.value for node in triple)  # type: ignore[union-attr]


# --- a million -----------------------------------------------------------------------------------------


def load(path: str, with_demand: bool) -> Row:
    """Read, intern and close a file; what it took this process."""
    began, wall = thread_time(), perf_counter()
    terms = Interner()
    background = interned(terms, parse(ONTOLOGY))
    background += interned(terms, (q.triple for q in ox.parse(path=path, format=ox.RdfFormat.N_TRIPLES)))
    enricher = Enricher(terms, background, "owl-rl", demand=DEMAND if with_demand else None)
    return {
        "said": len(background),
        "kept": len(enricher.background),
        "demand": with_demand,
        "cpu_s": round(thread_time() - began, 2),
        "wall_s": round(perf_counter() - wall, 2),
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def measure_million(size: int = 1_000_000) -> list[Row]:
    """With and without demand, each in a fresh process."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "background.nt"
        with path.open("w", encoding="utf-8") as file:
            file.writelines(repository(size))
        for flag in ("full", "demand"):
            done = subprocess.run(  # noqa: S603 - this program itself
                [sys.executable, "-m", "laser_rdf.bench.entailment", "--load", str(path), flag],
                capture_output=True,
                text=True,
                env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
                check=False,
            )
            if done.returncode != 0:
                raise EvaluationError(f"the background was not loaded: {done.stderr.strip()[-400:]}")
            rows.append(json.loads(done.stdout))
    return rows


def main(arguments: list[str]) -> None:
    """Print the rows as JSON lines."""
    if arguments[:1] == ["--load"]:
        print(json.dumps(load(arguments[1], arguments[2] == "demand")))
        return
    parser = argparse.ArgumentParser(prog="python -m laser_rdf.bench.entailment")
    parser.add_argument("--citybench", type=Path, help="a directory with CityBench's data set and ontologies")
    parser.add_argument("--owlrl", action="store_true", help="close with owlrl, too: takes minutes")
    parser.add_argument("--million", type=int, default=1_000_000, metavar="N", help="triples to load")
    options = parser.parse_args(arguments)
    rows: list[tuple[str, Any]] = [("million", row) for row in measure_million(options.million)]
    if options.citybench is not None:
        rows.append(("citybench", measure_citybench(options.citybench, options.owlrl)))
    rows += [("growth", row) for row in measure_growth()]
    for name, row in rows:
        print(json.dumps({"measure": name, **row}))


if __name__ == "__main__":
    main(sys.argv[1:])
