"""A cooling system, after figure 4 of the Laser paper (ISWC 2017): steam, water or ice, by the temperature.

`always in [2 s]` holds when something holds at every time point of the window, and `at T` in a head says
when the conclusion holds, which need not be now.
"""

import pyoxigraph as ox

from laser_rdf.lang import Program
from laser_rdf.pipeline import Pipeline

EX = "http://example.org/"
RULES = """
PREFIX ex: <http://example.org/>
#show ex:Alarm/1, ex:Normal/1, ex:Freezing/1, ex:Changing/1 .

steam(P) at T  :- ex:celsius(P, V) at T in [2 s], V >= 100.
liquid(P) at T :- ex:celsius(P, V) at T in [2 s], V >= 1, V < 100.
ice(P) at T    :- ex:celsius(P, V) at T in [2 s], V < 1.

ex:Alarm(P)    :- steam(P) always in [2 s].
ex:Normal(P)   :- liquid(P) always in [2 s].
ex:Freezing(P) :- ice(P) always in [2 s].
ex:Changing(P) :- ex:celsius(P, _), not ex:Alarm(P), not ex:Normal(P), not ex:Freezing(P).
"""


def reading(celsius: int) -> list[ox.Triple]:
    return [ox.Triple(ox.NamedNode(EX + "pump1"), ox.NamedNode(EX + "celsius"), ox.Literal(celsius))]


TEMPERATURES = [20, 30, 60, 101, 120, 130, 90, 50, 20, 0, -1, -2]

pipeline = Pipeline(clock="1 s", start=1)
pipeline.stream("water", ((second, reading(t)) for second, t in enumerate(TEMPERATURES, 1)))
pipeline.register("cooling", Program.parse(RULES), emit="R")
for result in pipeline:
    states = [triple.object.value.removeprefix(EX) for triple in result.triples]
    print(f"{result.time:2}  {TEMPERATURES[result.time - 1]:3} °C  {', '.join(states) or '-'}")
