"""Entailment over a window = enrichment of the union of what the window shows, at every time point."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laser_rdf import Program, UsageError
from laser_rdf.entail import Demand, Enricher, InconsistentTriples, TooManyEntailments, interned
from laser_rdf.entail.enricher import Profile
from laser_rdf.entail.scope import ScopedEnricher
from laser_rdf.rdf import Interner
from tests.entail.judging import shown, term, triples
from tests.entail.ontologies import (
    CLASH_AXIOMS,
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
AXIOMS = {"rdfs": RDFS_AXIOMS, "owl-rl": OWL_AXIOMS}
OWN = """
PREFIX x: <urn:x:>
x:r(?a, ?c) :- x:p(?a, ?b), x:q(?b, ?c), ?a != ?c .
x:C(?a) :- triple(?a, ?p, x:i), x:A(?a) .
triple(?a, ?p, x:j) :- { ?a ?p ?b . ?b a x:B . } .
x:D(?a) :- x:d(?a, ?v), ?v > 5 .
"""

Element = tuple[int, list[str]]


class Both:
    """A scoped enricher beside one that gets the whole window at every time point."""

    def __init__(self, background: list[str], profile: Profile, scope: int, **options) -> None:
        self.terms = Interner()
        rows = interned(self.terms, triples(background))
        self.scoped = ScopedEnricher(self.terms, rows, profile, scope, **options)
        self.judge = Enricher(self.terms, rows, profile, **options)
        self.elements: list[tuple[int, list]] = []
        self.known: set = set()

    def step(self, time: int, lines: list[str]) -> set[str]:
        """Take an element; what holds, after it was compared."""
        rows = interned(self.terms, triples(lines))
        self.elements.append((time, rows))
        answer = self.scoped.enrich(time, rows)
        added, removed = set(answer.added), set(answer.removed)
        assert (len(added), len(removed)) == (len(answer.added), len(answer.removed))
        assert removed <= self.known
        assert not added & self.known
        self.known = (self.known - removed) | added
        assert self.known == set(answer.holds())
        said = [row for t, rows in self.elements if t >= time - self.scoped.scope for row in rows]
        wanted = self.judge.enrich(list(dict.fromkeys(said)))
        assert shown(self.known) == shown(wanted.entailed)
        keys = {(clash.rule, frozenset(clash.triples)) for clash in wanted.clashes}
        assert {(clash.rule, frozenset(clash.triples)) for clash in self.scoped.clashing()} == keys
        return shown(self.known)

    def pass_to(self, time: int) -> None:
        """Wake up whenever it is asked for; in between nothing changes."""
        while (wake := self.scoped.next_time()) is not None and wake < time:
            if wake - 1 > self.elements[-1][0]:
                before = set(self.known)
                self.step(wake - 1, [])
                assert self.known == before
            self.step(wake, [])


@st.composite
def streams(draw: st.DrawFn, templates: list[str]) -> list[Element]:
    gaps = draw(st.lists(st.integers(0, 4), min_size=1, max_size=6))
    return [(sum(gaps[: i + 1]), draw(statements(templates, 3))) for i in range(len(gaps))]


def run(both: Both, stream: list[Element]) -> None:
    for time, lines in stream:
        if both.elements:
            both.pass_to(time)
        both.step(time, lines)
    both.pass_to(stream[-1][0] + 20)
    assert both.known == set()
    assert both.scoped.next_time() is None


@pytest.mark.fuzz
@pytest.mark.parametrize("profile", ["rdfs", "owl-rl"])
@given(data=st.data())
@settings(max_examples=EXAMPLES // 6)
def test_instances(profile: Profile, data: st.DataObject) -> None:
    more = [*SAME, *CLASH_AXIOMS] if profile == "owl-rl" else []
    background = data.draw(statements([*AXIOMS[profile], *more], 7)) + data.draw(statements(DATA, 3))
    same = SAME if profile == "owl-rl" else []
    stream = data.draw(streams([*DATA, *DATA, *same, "{i} u {j}", "{i} a U"]))
    both = Both(background, profile, data.draw(st.integers(0, 6)))
    assert both.scoped.recomputes is None
    run(both, stream)


@pytest.mark.fuzz
@pytest.mark.parametrize("profile", ["rdfs", "owl-rl"])
@given(data=st.data())
@settings(max_examples=EXAMPLES // 6)
def test_an_ontology_in_the_stream(profile: Profile, data: st.DataObject) -> None:
    background = data.draw(statements([*AXIOMS[profile], "u spo spo", "U sco owl:Class"], 5))
    same = [*SAME, *SAME_SCHEMA, "u same {p}"] if profile == "owl-rl" else []
    templates = [*DATA, *DATA, *AXIOMS[profile][:8], *same, "{p} u {q}", "{A} a U"]
    run(Both(background, profile, data.draw(st.integers(0, 4))), data.draw(streams(templates)))


@pytest.mark.fuzz
@given(data=st.data())
@settings(max_examples=EXAMPLES // 6)
def test_rules_of_users(data: st.DataObject) -> None:
    profile = data.draw(st.sampled_from(["none", "rdfs", "owl-rl"]))
    axioms = [] if profile == "none" else data.draw(statements(AXIOMS[profile], 4))
    stream = data.draw(streams(DATA))
    both = Both(axioms, profile, data.draw(st.integers(0, 4)), rules=Program.parse(OWN))
    assert both.scoped.recomputes is None
    run(both, stream)


@pytest.mark.fuzz
@pytest.mark.parametrize("policy", ["fact", "ignore"])
@given(data=st.data())
@settings(max_examples=EXAMPLES // 8)
def test_policies(policy: str, data: st.DataObject) -> None:
    background = data.draw(statements([*CLASH_AXIOMS, *OWL_AXIOMS], 5))
    stream = data.draw(streams([*DATA, *SAME]))
    run(Both(background, "owl-rl", data.draw(st.integers(0, 4)), inconsistency=policy), stream)


@pytest.mark.fuzz
@pytest.mark.parametrize("profile", ["rdfs", "owl-rl"])
@given(data=st.data())
@settings(max_examples=EXAMPLES // 6)
def test_demand_has_the_same_answers(profile: Profile, data: st.DataObject) -> None:
    same = [*SAME, *SAME_SCHEMA] if profile == "owl-rl" else []
    background = data.draw(statements(AXIOMS[profile], 6)) + data.draw(statements(DATA, 3))
    stream = data.draw(streams([*DATA, *DATA, *AXIOMS[profile][:2], *same]))
    demand = Demand(
        frozenset(term(p).value for p in data.draw(st.sets(st.sampled_from(PROPERTIES)))),
        frozenset(term(c).value for c in data.draw(st.sets(st.sampled_from(CLASSES)))),
    )
    terms, scope = Interner(), data.draw(st.integers(0, 4))
    rows = interned(terms, triples(background))
    scoped = ScopedEnricher(terms, rows, profile, scope, demand=demand)
    full = ScopedEnricher(terms, rows, profile, scope)
    wanted = {term(name).value for name in ("a", *PROPERTIES)} & {*demand.predicates, term("a").value}
    for time, lines in stream:
        element = interned(terms, triples(lines))
        found, known = (
            {
                (s, p, o)
                for s, p, o in each.enrich(time, element).holds()
                if p.term.value in wanted
                and (p.term.value in demand.predicates or o.term.value in demand.classes)
            }
            for each in (scoped, full)
        )
        assert shown(found) == shown(known)


DATA_OF = [
    "{} p j",
    "{} p k",
    "{} q j",
    "{} q k",
    "{} r l",
    "{} d 5",
    "{} d 6",
    *(f"{{}} a {c}" for c in "RDCBA"),
]
LINES = ["k p l", "l d 5", "j a A", *(line.format(x) for line in DATA_OF for x in "ij"), "k a A", "i same j"]


@pytest.mark.parametrize("axiom", [*OWL_AXIOMS, *CLASH_AXIOMS, "i same j"])
def test_every_construct(axiom: str) -> None:
    """One axiom, and enough data to set off its rules, said one after the other and forgotten again."""
    names = {name: name for name in [*"ABCDRpqrdeijk"]} | {"n": "5"}
    both = Both(axiom.format(**names).split(" . "), "owl-rl", 40)
    found: set[str] = set()
    for time, line in enumerate(LINES):
        found |= {*both.step(time, [line]), *(clash.rule for clash in both.scoped.clashing())}
        if line == LINES[-2]:
            without_same = set(found)
    both.pass_to(100)
    assert both.known == set()
    about_same = ("oneOf", "AllDifferent", "different", "d} range")
    assert without_same or any(word in axiom for word in about_same)


# --- by hand -------------------------------------------------------------------------------------------

TRANSITIVE = ["p a owl:TransitiveProperty"]


def test_the_example_of_the_paper() -> None:
    """Figure 4 of Barbieri et al.: a triple that is derived again lives longer."""
    both = Both(TRANSITIVE, "owl-rl", 10)
    assert both.step(1, ["A p B"]) == set()
    assert both.step(2, ["B p C"]) == {"A p C"}
    assert both.step(3, ["C p D"]) == {"A p C", "B p D", "A p D"}
    assert both.step(4, ["A p E", "E p D"]) == {"A p C", "B p D", "A p D"}
    assert both.step(12, []) == {"B p D", "A p D"}
    assert both.step(13, []) == {"A p D"}
    assert both.step(15, []) == set()


def test_what_was_said_and_still_follows_is_entailed() -> None:
    both = Both(TRANSITIVE, "owl-rl", 2)
    both.step(1, ["A p C"])
    assert both.step(2, ["A p B", "B p C"]) == set()
    assert both.step(4, []) == {"A p C"}
    assert both.step(4, ["A p C"]) == set()


def test_long_chains_keys_and_intersections() -> None:
    background = [
        "p owl:propertyChainAxiom ( q q q q )",
        "A owl:hasKey ( q d )",
        "R owl:intersectionOf ( A B )",
    ]
    both = Both(background, "owl-rl", 10)
    both.step(1, ["i q j", "j q k", "k q l"])
    assert both.step(2, ["l q m"]) == {"i p m"}
    both.step(3, ["x a A", "y a A", "x q z", "y q z", "x d 5"])
    assert {"x same y", "y same x", "y d 5"} & both.step(4, ["y d 5"]) == {"x same y", "y same x"}
    assert {"x a R", "y a R"} <= both.step(5, ["y a B"])


def test_clashes_come_and_go() -> None:
    terms = Interner()
    rows = interned(terms, triples(["A owl:disjointWith B", "k a A", "k a B"]))
    scoped = ScopedEnricher(terms, rows, "owl-rl", 5)
    assert scoped.enrich(1, interned(terms, triples(["i a A"]))).clashes == ()
    [clash] = scoped.enrich(2, interned(terms, triples(["i a B"]))).clashes
    assert (clash.rule, shown([(clash.blamed[0],) * 3])) == ("cax-dw", {"i i i"})
    assert scoped.enrich(3, []).clashes == ()
    assert scoped.clashing() == (clash,)
    scoped.enrich(7, [])
    assert scoped.clashing() == ()


@pytest.mark.parametrize("ontology", [[], ["D sco C"]], ids=["engine", "anew"])
def test_failing_takes_the_time_point_all_the_same(ontology: list[str]) -> None:
    terms = Interner()
    rows = interned(terms, triples(["A owl:disjointWith B", "B sco C"]))
    scoped = ScopedEnricher(terms, rows, "owl-rl", 5, inconsistency="fail")
    with pytest.raises(InconsistentTriples, match="cax-dw"):
        scoped.enrich(1, interned(terms, triples(["i a A", "i a B", *ontology])))
    answer = scoped.enrich(2, interned(terms, triples(["j a B"])))
    assert answer.clashes == ()
    assert shown(answer.added) >= {"i a C", "j a C"}
    assert set(answer.added) == set(answer.holds())
    with pytest.raises(InconsistentTriples, match="cax-dw"):
        scoped.enrich(7, interned(terms, triples(["j a A"])))
    assert "i a C" in shown(scoped.enrich(7, []).removed)


def test_a_background_that_clashes_fails_at_once() -> None:
    terms = Interner()
    rows = interned(terms, triples(["A owl:disjointWith B", "i a A", "i a B"]))
    with pytest.raises(InconsistentTriples, match="cax-dw"):
        ScopedEnricher(terms, rows, "owl-rl", 5, inconsistency="fail")


def test_a_runaway_names_its_rule() -> None:
    terms = Interner()
    scoped = ScopedEnricher(terms, interned(terms, triples(TRANSITIVE)), "owl-rl", 5, max_entailments=20)
    chain = interned(terms, triples([f"n{i} p n{i + 1}" for i in range(10)]))
    with pytest.raises(TooManyEntailments, match="prp-trp"):
        scoped.enrich(1, chain)
    assert scoped.enrich(7, chain[:3]).added == scoped.holds()
    assert len(scoped.holds()) == 3


@pytest.mark.parametrize("options", [{"axioms": True}, {"rules": "{ [] <urn:x:q> ?a } :- <urn:x:A>(?a) ."}])
def test_what_the_engine_cannot_keep_is_computed_anew(options: dict) -> None:
    if "rules" in options:
        options = {"rules": Program.parse(options["rules"])}
    both = Both(["A sco B"], "rdfs", 3, **options)
    assert both.scoped.recomputes is not None
    both.step(1, ["i a A"])
    both.step(3, ["j a A"])
    both.step(6, [])


def test_wrong_numbers_are_refused() -> None:
    with pytest.raises(UsageError, match="is no scope"):
        ScopedEnricher(Interner(), [], "rdfs", -1)
    scoped = ScopedEnricher(Interner(), [], "rdfs", 1)
    scoped.enrich(5, [])
    with pytest.raises(UsageError, match="backwards"):
        scoped.enrich(4, [])
    with pytest.raises(UsageError, match="no time point"):
        scoped.enrich(-1, [])
