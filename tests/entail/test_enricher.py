"""Policies, limits, users' rules, demand, axioms: what the façade promises beyond the closure itself."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laser_rdf import Program
from laser_rdf.entail import (
    INCONSISTENT,
    Demand,
    Enricher,
    InconsistentTriples,
    TooManyEntailments,
    interned,
)
from laser_rdf.errors import LaserError, ProgramError, UsageError
from laser_rdf.rdf import Interner
from tests.entail.judging import shown, term, triples
from tests.entail.ontologies import (
    CLASSES,
    DATA,
    OWL_AXIOMS,
    PROPERTIES,
    RDFS_AXIOMS,
    SAME,
    SAME_SCHEMA,
    statements,
)

EXAMPLES = settings.default.max_examples
PREFIX = "PREFIX x: <urn:x:> "


def make(background: str | list[str], profile: str = "owl-rl", **options: object) -> Enricher:
    terms = Interner()
    return Enricher(terms, interned(terms, triples(background)), profile, **options)  # type: ignore[arg-type]


def entailed(enricher: Enricher, element: str | list[str]) -> set[str]:
    return shown(enricher.enrich(interned(enricher.interner, triples(element))).entailed)


# --- demand --------------------------------------------------------------------------------------------


@pytest.mark.fuzz
@pytest.mark.parametrize("profile", ["rdfs", "owl-rl"])
@given(data=st.data())
@settings(max_examples=EXAMPLES)
def test_demand_changes_no_answer_that_is_asked_for(profile: str, data: st.DataObject) -> None:
    owl = profile == "owl-rl"
    axioms = OWL_AXIOMS if owl else RDFS_AXIOMS
    same = [*SAME, *SAME_SCHEMA] if owl else []
    background = data.draw(statements([*axioms, *same], 6)) + data.draw(statements(DATA, 6))
    element = data.draw(statements([*DATA] * 4 + [*axioms, *same], 5, 1))
    classes = data.draw(st.sets(st.sampled_from(CLASSES), max_size=2))
    properties = data.draw(st.sets(st.sampled_from(PROPERTIES), max_size=2))
    demand = Demand(frozenset("urn:x:" + p for p in properties), frozenset("urn:x:" + c for c in classes))

    def asked(lines: set[str]) -> set[str]:
        parts = {line: line.split(" ", 2) for line in lines}
        return {x for x, (_, p, o) in parts.items() if p in properties or (p == "a" and o in classes)}

    full, narrow = make(background, profile), make(background, profile, demand=demand)
    assert asked(shown(full.background_triples())) == asked(shown(narrow.background_triples()))
    # Clashes are found with demand as without it.
    assert {c.message for c in full.background_clashes} == {c.message for c in narrow.background_clashes}
    for _ in range(2):
        assert asked(entailed(full, element)) == asked(entailed(narrow, element))


def test_demand_keeps_what_the_demanded_follows_from_and_drops_the_rest() -> None:
    text = "A sco B . p domain A . q domain C . i p j . i q j . k a D"
    enricher = make(text, demand=Demand(classes=frozenset({"urn:x:B"})))
    kept = shown(enricher.background_triples())
    assert {"i p j", "i a A", "i a B"} <= kept
    assert not {"i q j", "i a C", "k a D"} & kept
    assert entailed(enricher, "l p k . l q k") == {"l a A", "l a B"}


def test_an_element_that_changes_the_ontology_brings_back_what_demand_dropped() -> None:
    enricher = make("i q j . A sco B", demand=Demand(classes=frozenset({"urn:x:B"})))
    assert "i q j" not in shown(enricher.background_triples())
    assert {"i a A", "i a B"} <= entailed(enricher, "q domain A")
    assert entailed(enricher, "k q l") == set()


# --- clashes -------------------------------------------------------------------------------------------


def test_the_policies() -> None:
    text, element = "A owl:disjointWith B", "i a A . i a B"
    warning = make(text)
    [clash] = warning.enrich(interned(warning.interner, triples(element))).clashes
    assert clash.rule == "cax-dw"
    assert shown(clash.triples) == {"A owl:disjointWith B", "i a A", "i a B"}
    assert shown([clash.blamed]) == {"i"}
    failing = make(text, inconsistency="fail")
    with pytest.raises(InconsistentTriples, match="cax-dw"):
        entailed(failing, element)
    assert entailed(failing, "i a A") == set()
    fact = make(text, inconsistency="fact")
    assert entailed(fact, element) == {f"i a {INCONSISTENT}"}
    with pytest.raises(InconsistentTriples):
        make(f"{text} . {element}", inconsistency="fail")


def test_rules_can_use_that_something_is_inconsistent() -> None:
    program = Program.parse(f"{PREFIX} x:Bad(?x) :- <{INCONSISTENT}>(?x) .")
    enricher = make("A owl:disjointWith B", inconsistency="fact", rules=program)
    assert "i a Bad" in entailed(enricher, "i a A . i a B")


# --- limits --------------------------------------------------------------------------------------------


def test_a_runaway_ends_with_the_rule_that_ran_and_the_next_element_is_enriched() -> None:
    enricher = make("p a owl:TransitiveProperty", max_entailments=50)
    chain = [f"i{n} p i{n + 1}" for n in range(30)]
    with pytest.raises(TooManyEntailments, match=r"more than 50 .*prp-trp"):
        entailed(enricher, chain)
    assert entailed(enricher, "i p j . j p k") == {"i p k"}


def test_a_runaway_of_a_user_s_rule_names_the_rule() -> None:
    program = Program.parse(f"{PREFIX} x:n(?x, ?m) :- x:n(?x, ?n), ?m := ?n + 1 .")
    enricher = make("", "none", rules=program, max_entailments=100)
    with pytest.raises(TooManyEntailments, match="urn:x:n"):
        entailed(enricher, "i n 1")


# --- rules of users ------------------------------------------------------------------------------------


def test_the_room_of_an_observation() -> None:
    program = Program.parse(f"{PREFIX} x:isInRoom(?o, ?room) :- x:observedBy(?o, ?s), x:isIn(?s, ?room) .")
    enricher = make(
        "s isIn hall . inRoom spo isIn . t inRoom attic . isInRoom range Room", "rdfs", rules=program
    )
    assert entailed(enricher, "o observedBy s") == {"o isInRoom hall", "hall a Room"}
    assert "u isInRoom attic" in entailed(enricher, "u observedBy t")


def test_comparisons_assignments_functions_and_any_triple() -> None:
    program = Program.parse(
        f"{PREFIX} x:Hot(?x) :- x:temp(?x, ?v), ?v > 30 . x:twice(?x, ?w) :- x:temp(?x, ?v), ?w := ?v * 2 . "
        "x:seen(?s, ?o) :- triple(?s, ?p, ?o), ?p = x:sees . x:fact(x:a, x:b) . "
        "x:named(?x, ?n) :- x:temp(?x, ?v), ?n := abs(?v) ."
    )
    enricher = make("", "none", rules=program)
    found = entailed(enricher, "i temp 40 . j temp 20 . i sees j")
    assert found == {"i a Hot", "i twice 80", "j twice 40", "i seen j", "i named 40", "j named 20"}
    assert "a fact b" in shown(enricher.background_triples())


@pytest.mark.parametrize(
    "text",
    ["x:q(?a) :- x:p(?a) in [5] .", "x:q(?a) :- x:p(?a), not x:r(?a) .", "x:q(?a, ?a, ?a) :- x:p(?a) .",
     "x:q(?n) :- ?n := count { ?a : x:p(?a) } ."],
)  # fmt: skip
def test_what_is_more_than_datalog_is_refused(text: str) -> None:
    with pytest.raises(ProgramError, match="E136"):
        make("", "none", rules=Program.parse(PREFIX + text))


def test_a_long_body_is_joined() -> None:
    body = ", ".join(f"x:p(?v{n}, ?v{n + 1})" for n in range(40))
    program = Program.parse(f"{PREFIX} x:far(?v0, ?v40) :- {body} .")
    enricher = make([f"i{n} p i{n + 1}" for n in range(39)], "none", rules=program)
    assert entailed(enricher, "i39 p i40") == {"i0 far i40"}


# --- noise, axioms, owlrl ------------------------------------------------------------------------------


def test_noise_stays_out_unless_asked_for() -> None:
    text = "d range A . d a owl:FunctionalProperty"
    assert entailed(make(text), "i d 5 . i d 6") == set()
    with_axioms = entailed(make(text, axioms=True), "i d 5")
    assert {"5 a A", "i same i"} <= with_axioms
    assert {"i a rdfs:Resource", "p a rdf:Property"} <= entailed(make("", "rdfs", axioms=True), "i p j")
    assert "rdf:_7 spo rdfs:member" in entailed(make("", "rdfs", axioms=True), "i rdf:_7 j")
    assert not shown(make("").background_triples())


def test_the_profile_owlrl() -> None:
    enricher = make("A sco B . A owl:disjointWith C", "owlrl")
    assert entailed(enricher, "i a A") == {"i a B"}
    assert enricher.enrich(interned(enricher.interner, triples("i a A . i a C"))).clashes


def test_what_is_not_there_is_refused() -> None:
    for options in ({"profile": "owl"}, {"inconsistency": "panic"}):
        with pytest.raises(UsageError):
            make("", **{"profile": "rdfs", **options})
    assert issubclass(TooManyEntailments, LaserError)
    assert term("i").value == "urn:x:i"
