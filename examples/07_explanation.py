"""Why did the alarm go off, and why did it not go off elsewhere? The engine reads it off its tables."""

from laser_rdf import Engine, Program
from laser_rdf.values import IRI

EX = "http://example.org/"
RULES = """
PREFIX ex: <http://example.org/>
#external ex:smoke/1, ex:celsius/2, ex:drill/1 .
hot(Room) at T :- ex:celsius(Sensor, V) at T in [30 s], ex:in(Sensor, Room), V > 60.
alarm(Room) :- ex:smoke(Sensor) in [10 s], ex:in(Sensor, Room), hot(Room) in [30 s],
    not ex:drill(Room) in [5 min].
"""


def ex(name: str) -> IRI:
    return IRI(EX + name)


ROOMS = [(ex("in"), (ex("s1"), ex("kitchen"))), (ex("in"), (ex("s2"), ex("lab")))]

engine = Engine(Program.parse(RULES), background=ROOMS)
engine.step(100, [(ex("drill"), (ex("lab"),))])
engine.step(110, [(ex("celsius"), (ex("s1"), 71)), (ex("celsius"), (ex("s2"), 80))])
answer = engine.step(118, [(ex("smoke"), (ex("s1"),)), (ex("smoke"), (ex("s2"),))])

print("alarms:", [room.value for _, (room,) in answer.holds()], "\n")
print(engine.explain("alarm", (ex("kitchen"),)), "\n")
print(engine.explain("alarm", (ex("lab"),)))
