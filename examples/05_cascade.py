"""Programs that read programs: jams from the speeds of cars, detours from jams.

The second program sees the answers of the first as a stream of its own, with windows of its own.
"""

from laser_rdf.lang import Program
from laser_rdf.pipeline import Pipeline

STREAM = b"""
PREFIX : <http://example.org/>
PREFIX prov: <http://www.w3.org/ns/prov#>
:g1 prov:generatedAtTime 1 .  :g1 { :car1 :on :bridge . :car1 :speed 8 }
:g2 prov:generatedAtTime 2 .  :g2 { :car2 :on :bridge . :car2 :speed 5 . :car9 :on :tunnel . :car9 :speed 70 }
:g4 prov:generatedAtTime 4 .  :g4 { :car3 :on :bridge . :car3 :speed 60 }
:g9 prov:generatedAtTime 9 .  :g9 { :car4 :on :tunnel . :car4 :speed 3 . :car5 :on :tunnel . :car5 :speed 4 }
"""
JAMS = """
PREFIX ex: <http://example.org/>
% Two slow cars within five minutes are a jam.
slow(Road, Car) at T :- { ?Car ex:on ?Road ; ex:speed ?v . ?v < 20 } at T in [5 min].
ex:Jam(Road) :- slow(Road, A) in [5 min], slow(Road, B) in [5 min], A != B.
#show ex:Jam/1 .
"""
DETOURS = """
PREFIX ex: <http://example.org/>
#external ex:Jam/1 .
% A new jam is news for ten minutes. Two roads at once are a case for the police.
ex:Avoid(Road) :- ex:Jam(Road) in [10 min].
ex:callPolice(A, B) :- ex:Jam(A) in [10 min], ex:Jam(B) in [10 min], str(A) < str(B).
"""

pipeline = Pipeline(clock="1 min", until=30)
pipeline.stream("traffic", STREAM, format="trig")
pipeline.register("jams", Program.parse(JAMS), on=["traffic"])
pipeline.register("detours", Program.parse(DETOURS), on=["jams"])
for result in pipeline:
    program = result.origin.program.value.rpartition(":")[2]
    for triple in sorted(result.triples, key=str):
        print(result.time, program, *(term.value.rpartition("/")[2].rpartition("#")[2] for term in triple))
