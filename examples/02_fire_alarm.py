"""A fire alarm over RDF: what the stream does not say, the ontology and the background do."""

import pyoxigraph as ox

from laser_rdf.lang import Program
from laser_rdf.pipeline import Pipeline

ONTOLOGY = """
PREFIX ex: <http://example.org/>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
ex:OpticalAlert rdfs:subClassOf ex:SmokeAlert .     # two makers, two words for smoke
ex:IonAlert rdfs:subClassOf ex:SmokeAlert .
ex:celsius rdfs:subPropertyOf ex:temperature .
"""
ROOMS = """
PREFIX ex: <http://example.org/>
ex:s1 ex:mountedIn ex:kitchen . ex:s2 ex:mountedIn ex:kitchen . ex:s3 ex:mountedIn ex:hall .
"""
STREAM = b"""
PREFIX ex: <http://example.org/>
PREFIX prov: <http://www.w3.org/ns/prov#>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
ex:g1 prov:generatedAtTime "2026-01-15T08:00:00Z"^^xsd:dateTime .
ex:g1 { ex:r1 a ex:OpticalAlert ; ex:by ex:s1 }
ex:g2 prov:generatedAtTime "2026-01-15T08:00:04Z"^^xsd:dateTime .
ex:g2 { ex:r2 ex:by ex:s2 ; ex:celsius 71.5 . ex:r3 a ex:IonAlert ; ex:by ex:s3 }
"""
RULES = """
PREFIX ex: <http://example.org/>
% All of a block holds at one time point, together with the background.
ex:OnFire(Room) :-
    { ?r a ex:SmokeAlert ; ex:by ?s . ?s ex:mountedIn ?Room } in [10 s],
    { ?r2 ex:temperature ?v ; ex:by ?s2 . ?s2 ex:mountedIn ?Room . ?v > 60 } in [10 s].
"""


def triples(turtle: str) -> list[ox.Triple]:
    return [quad.triple for quad in ox.parse(turtle, format=ox.RdfFormat.TURTLE)]


pipeline = Pipeline(clock="1 s")
pipeline.stream("alerts", STREAM, format="trig")
pipeline.background(triples(ROOMS))
pipeline.ontology(triples(ONTOLOGY), profile="rdfs")
pipeline.register("fire", Program.parse(RULES))
for result in pipeline:
    print(result.trig(), end="")
