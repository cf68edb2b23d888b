"""A little building: readings of sensors in rooms, as triples and as streams."""

from __future__ import annotations

import re

import pyoxigraph as ox

from laser_rdf import Program
from laser_rdf.rdf.emit_graph import ResultGraph

EX = "http://example.org/"
PREFIXES = f"PREFIX ex: <{EX}>\nPREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\n"


def triples(text: str) -> list[ox.Triple]:
    """Turtle, with `ex:` and `rdfs:` known."""
    return [quad.triple for quad in ox.parse(PREFIXES + text, format=ox.RdfFormat.TURTLE)]


def program(rules: str) -> Program:
    """Rules, with `ex:` known."""
    return Program.parse(PREFIXES.split("\n")[0] + "\n" + rules)


def short(graph: ResultGraph) -> tuple[int, set[str]]:
    """The time point, and the triples with short names."""
    text = {str(t).replace("<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>", "a") for t in graph.triples}
    return graph.time, {re.sub(f"<(?:{EX}|urn:laser:local:)?|>", "", t) for t in text}
