"""Generated ontologies, backgrounds and elements over a few names, with every construct of the tables."""

from __future__ import annotations

from hypothesis import strategies as st

CLASSES = ["A", "B", "C", "D", "R", "Q"]
"""R and Q are those that restrictions describe; they occur in other axioms, too."""
PROPERTIES = ["p", "q", "r"]
VALUES = ["d", "e"]
INDIVIDUALS = ["i", "j", "k", "l"]
LITERALS = ["5", "6", '"x"^^xsd:string', '"1.5"^^xsd:decimal']

RDFS_AXIOMS = [
    "{A} sco {B}",
    "{p} spo {q}",
    "{p} domain {A}",
    "{p} range {A}",
    "{d} range {A}",
    "{d} spo {e}",
]
OWL_AXIOMS = [
    *RDFS_AXIOMS,
    "{A} eqc {B}",
    "{p} eqp {q}",
    "{p} owl:inverseOf {q}",
    "{p} a owl:FunctionalProperty",
    "{d} a owl:FunctionalProperty",
    "{p} a owl:InverseFunctionalProperty",
    "{p} a owl:SymmetricProperty",
    "{p} a owl:TransitiveProperty",
    "{p} owl:propertyChainAxiom ( {q} {r} )",
    "{p} owl:propertyChainAxiom ( {q} {r} {d} )",
    "{A} owl:hasKey ( {p} )",
    "{A} owl:hasKey ( {p} {d} )",
    "{A} owl:intersectionOf ( {B} {C} )",
    "{A} owl:intersectionOf ( {B} {C} {D} )",
    "{A} owl:unionOf ( {B} {C} )",
    "{A} owl:oneOf ( {i} {j} )",
    "{R} owl:onProperty {p} . {R} owl:someValuesFrom {A}",
    "{R} owl:onProperty {p} . {R} owl:someValuesFrom owl:Thing",
    "{R} owl:onProperty {d} . {R} owl:someValuesFrom xsd:integer",
    "{R} owl:onProperty {d} . {R} owl:someValuesFrom xsd:decimal",
    "{R} owl:onProperty {p} . {R} owl:allValuesFrom {A}",
    "{R} owl:onProperty {p} . {R} owl:hasValue {i}",
    "{R} owl:onProperty {d} . {R} owl:hasValue {n}",
    "{R} owl:onProperty {p} . {R} owl:maxCardinality 1",
    "{R} owl:onProperty {p} . {R} owl:maxCardinality 0",
    "{R} owl:onProperty {p} . {R} owl:maxQualifiedCardinality 1 . {R} owl:onClass {A}",
    "{R} owl:onProperty {p} . {R} owl:maxQualifiedCardinality 1 . {R} owl:onClass owl:Thing",
    "{R} owl:onProperty {p} . {R} owl:maxQualifiedCardinality 0 . {R} owl:onClass {A}",
    "{R} owl:onProperty {p} . {R} owl:maxQualifiedCardinality 0 . {R} owl:onClass owl:Thing",
]
CLASH_AXIOMS = [
    "{A} owl:disjointWith {B}",
    "{A} owl:complementOf {B}",
    "{p} owl:propertyDisjointWith {q}",
    "{p} a owl:IrreflexiveProperty",
    "{p} a owl:AsymmetricProperty",
    "x1 a owl:AllDisjointClasses . x1 owl:members ( {A} {B} {C} )",
    "x2 a owl:AllDisjointProperties . x2 owl:members ( {p} {q} )",
    "x3 a owl:AllDifferent . x3 owl:members ( {i} {j} {k} )",
    "x4 a owl:AllDifferent . x4 owl:distinctMembers ( {i} {j} )",
    "x5 owl:sourceIndividual {i} . x5 owl:assertionProperty {p} . x5 owl:targetIndividual {j}",
    "x6 owl:sourceIndividual {i} . x6 owl:assertionProperty {d} . x6 owl:targetValue {n}",
    "{A} sco owl:Nothing",
    "{i} different {j}",
]
DATA = ["{i} a {A}", "{i} a {A}", "{i} {p} {j}", "{i} {p} {j}", "{i} {d} {n}"]
SAME = ["{i} same {j}"]
SAME_SCHEMA = ["{A} same {B}", "{p} same {q}"]

DECLARED = [
    *(f"{c} a owl:Class" for c in CLASSES),
    *(f"{p} a owl:ObjectProperty" for p in PROPERTIES),
    *(f"{d} a owl:DatatypeProperty" for d in VALUES),
]

_PLACES = {
    **dict.fromkeys(["A", "B", "C", "D"], CLASSES),
    "R": ["R", "Q"],
    **dict.fromkeys(["p", "q", "r"], PROPERTIES),
    **dict.fromkeys(["d", "e"], VALUES),
    **dict.fromkeys(["i", "j", "k"], INDIVIDUALS),
    "n": LITERALS,
}


@st.composite
def statements(draw: st.DrawFn, templates: list[str], most: int, least: int = 0) -> list[str]:
    """Instances of templates, as lines of one triple or list each."""
    chosen = draw(st.lists(st.sampled_from(templates), min_size=least, max_size=most))
    lines: list[str] = []
    for template in chosen:
        names = {
            place: draw(st.sampled_from(words))
            for place, words in _PLACES.items()
            if f"{{{place}}}" in template
        }
        lines += template.format(**names).split(" . ")
    return list(dict.fromkeys(lines))
