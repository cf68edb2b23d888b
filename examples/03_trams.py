"""Trams and connections, the scenario of the LARS paper (AAAI 2015), as RDF. A time point is a minute.

Bob sits in tram a3 and changes at stop m. Which trams come there within five minutes of his?
"""

import pyoxigraph as ox

from laser_rdf.lang import Program
from laser_rdf.pipeline import Pipeline

CITY = """
PREFIX : <http://example.org/city/>
:a1 :line :l1 . :a2 :line :l2 . :a3 :line :l3 .
[] :of :l1 ; :from :b ; :to :m ; :minutes 8 .
[] :of :l2 ; :from :g ; :to :m ; :minutes 7 .
[] :of :l3 ; :from :h ; :to :m ; :minutes 3 .
"""
STREAM = b"""
PREFIX : <http://example.org/city/>
PREFIX prov: <http://www.w3.org/ns/prov#>
:g36 prov:generatedAtTime 36 .  :g36 { :a1 :arrivedAt :b }
:g38 prov:generatedAtTime 38 .  :g38 { :a2 :arrivedAt :g }
:g40 prov:generatedAtTime 40 .  :g40 { :a3 :arrivedAt :h }
:g42 prov:generatedAtTime 42 .  :g42 { :b a :Jam }
"""
RULES = """
PREFIX c: <http://example.org/city/>
#external c:Jam/1 .
#show c:connection/2 .

% A tram was last seen at X and needs Z minutes to Y. With a jam at X nobody knows.
expected(Tram, Y) at T :-
    c:arrivedAt(Tram, X) at S in [#1 per Tram], not c:Jam(X) in [20 min], c:line(Tram, L),
    { ?p c:of ?L ; c:from ?X ; c:to ?Y ; c:minutes ?Z }, T = S + Z.

% Another tram is expected within five minutes after the first.
c:connection(A, B) :- expected(A, X) at T in [10 min, +10 min], expected(B, X) at U in [10 min, +15 min],
    A != B, T <= U, U <= T + 5.
"""

pipeline = Pipeline(clock="1 min", until=62)
pipeline.stream("trams", STREAM, format="trig")
pipeline.background([quad.triple for quad in ox.parse(CITY, format=ox.RdfFormat.TURTLE)])
for name, emit in (("found", "I"), ("lost", "D")):
    pipeline.register(name, Program.parse(RULES), emit=emit)
for result in pipeline:
    word = result.origin.emission.word
    for triple in sorted(result.triples, key=str):
        print(result.time, word, triple.subject.value[-2:], "→", triple.object.value[-2:])
