"""Hello, rules: two rules, a window, and what becomes true as time passes."""

from laser_rdf import Engine, Program

RULES = """
#external temp/2, smoke/1 .

% A reading above 60 makes a room hot at the time T of the reading; readings count for three seconds.
hot(Room) at T :- temp(Room, V) at T in [3 s], V > 60.

% Smoke now, and heat in the same room at some time in the last three seconds.
fire(Room) :- smoke(Room), hot(Room) in [3 s].
"""

# What happens at each second: names and numbers, no RDF yet.
HAPPENS = {
    1: [("temp", ("hall", 65)), ("temp", ("lab", 21))],
    2: [("smoke", ("hall",))],
    6: [("smoke", ("hall",))],
}

engine = Engine(Program.parse(RULES))
for time in range(1, 7):
    answer = engine.step(time, HAPPENS.get(time, []))
    print(time, "became true:", sorted(answer.added), "ended:", sorted(answer.removed))
