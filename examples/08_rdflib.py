"""From rdflib and back: graphs go in with `push`; a Dataset always has the current answer."""

import rdflib
from rdflib import RDF

from laser_rdf.lang import Program
from laser_rdf.pipeline import Pipeline

EX = rdflib.Namespace("http://example.org/")
RULES = """
PREFIX ex: <http://example.org/>
ex:Warm(Room) :- ex:celsius(Room, V) in [#1 per Room], V > 25.
ex:Occupied(Room) :- ex:enters(_, Room) in [10 s].
"""

dataset = rdflib.Dataset()
pipeline = Pipeline(clock="1 s", until=60)
pipeline.stream("house")
pipeline.register("rooms", Program.parse(RULES))
pipeline.sink("rdflib", mode="state", dataset=dataset)


def show(when: str) -> None:
    state = dataset.graph("urn:laser:result:rooms/state")
    found = sorted(f"{s.rsplit('/')[-1]} {o.rsplit('/')[-1]}" for s, o in state[: RDF.type :])
    print(f"{when}: {', '.join(found) or 'nothing'}")


def element(*triples: tuple[rdflib.URIRef, rdflib.URIRef, rdflib.term.Node]) -> rdflib.Graph:
    graph = rdflib.Graph()
    for triple in triples:
        graph.add(triple)
    return graph


# A time point is answered when a later one begins.
pipeline.push("house", 1, element((EX.hall, EX.celsius, rdflib.Literal(30))))
pipeline.push("house", 5, element((EX.anna, EX.enters, EX.hall)))
show("after 1")
pipeline.push("house", 9, element((EX.hall, EX.celsius, rdflib.Literal(19))))
show("after 5")
pipeline.push("house", 20, element((EX.ben, EX.enters, EX.lab)))
show("after 9")
pipeline.close()
show("at the end, 60")
