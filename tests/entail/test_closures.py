"""Enrichment = the closure of background and element, minus the closure of the background."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laser_rdf.entail import Demand, Enricher, interned
from laser_rdf.entail.enricher import Profile
from laser_rdf.rdf import Interner
from tests.entail.judging import Naive, is_noise, owlrl_closure, shown, triples
from tests.entail.ontologies import (
    CLASH_AXIOMS,
    DATA,
    DECLARED,
    OWL_AXIOMS,
    RDFS_AXIOMS,
    SAME,
    SAME_SCHEMA,
    statements,
)

EXAMPLES = settings.default.max_examples

AXIOMS = {"rdfs": RDFS_AXIOMS, "owl-rl": OWL_AXIOMS}


def enriched(
    background: list[str], element: list[str], profile: Profile, demand: Demand | None = None
) -> tuple[set[str], Enricher]:
    terms = Interner()
    enricher = Enricher(terms, interned(terms, triples(background)), profile, demand=demand)
    first = enricher.enrich(interned(terms, triples(element)))
    again = enricher.enrich(interned(terms, triples(element)))
    assert first == again, "an element leaves something behind"
    assert len(set(first.entailed)) == len(first.entailed)
    return shown(first.entailed), enricher


def doubled_keys(lines: list[str]) -> list[str]:
    """owlrl, prp-key: the last property of a key is not compared; the last one twice makes up for it."""
    return [f"{line[:-2]} {line.split()[-2]} )" if "owl:hasKey" in line else line for line in lines]


def without_lists(lines: set[str]) -> set[str]:
    return {
        line for line in lines if "rdf:first" not in line and "rdf:rest" not in line and "hasKey" not in line
    }


@pytest.mark.fuzz
@pytest.mark.parametrize("profile", ["rdfs", "owl-rl"])
@given(data=st.data())
@settings(max_examples=EXAMPLES // 3)
def test_enrichment_is_what_owlrl_says(profile: Profile, data: st.DataObject) -> None:
    # Everything is declared: owlrl has `A sco A` from declarations but not from cycles (scm-sco, scm-spo).
    axioms = data.draw(statements(AXIOMS[profile], 6))
    background = [*(DECLARED if profile == "owl-rl" else []), *axioms, *data.draw(statements(DATA, 5))]
    same = SAME if profile == "owl-rl" else []
    element = data.draw(statements([*DATA, *DATA, *AXIOMS[profile], *same], 5, 1))
    before = owlrl_closure(triples(doubled_keys(background)), profile)
    after = owlrl_closure(triples(doubled_keys(background + element)), profile)
    wanted = after - before - owlrl_closure_of_nothing(element)
    found, _ = enriched(background, element, profile)
    found = {line for line in found if not is_noise(line, profile)}
    assert without_lists(found) == without_lists(wanted)


def owlrl_closure_of_nothing(element: list[str]) -> set[str]:
    terms = Interner()
    return shown(interned(terms, triples(doubled_keys(element))))


@pytest.mark.fuzz
@pytest.mark.parametrize("profile", ["rdfs", "owl-rl"])
@given(data=st.data())
@settings(max_examples=EXAMPLES // 2)
def test_enrichment_is_what_the_tables_say(profile: Profile, data: st.DataObject) -> None:
    more = [*SAME, *CLASH_AXIOMS, *DECLARED] if profile == "owl-rl" else []
    background = data.draw(statements([*AXIOMS[profile], *more], 6)) + data.draw(statements(DATA, 4))
    same = [*SAME, *SAME_SCHEMA] if profile == "owl-rl" else []
    element = data.draw(statements([*DATA, *DATA, *AXIOMS[profile], *same], 4, 1))
    terms = Interner()
    before, after = Naive(terms, profile), Naive(terms, profile)
    closed = before.close(interned(terms, triples(background)))
    said = interned(terms, triples(background + element))
    wanted = shown_triples(after.close(said) - closed - set(said))
    enricher = Enricher(terms, interned(terms, triples(background)), profile)
    result = enricher.enrich(interned(terms, triples(element)))
    assert shown(result.entailed) == wanted
    assert {c.rule for c in enricher.background_clashes} - {"dt-not-type"} == before.clashes
    assert {c.rule for c in result.clashes} | before.clashes >= after.clashes
    assert {c.rule for c in result.clashes} - {"dt-not-type"} <= after.clashes, "a clash that is none"


def shown_triples(rows: set[tuple]) -> set[str]:
    from laser_rdf.entail.datatypes import is_literal

    return shown(row for row in rows if not is_literal(row[0]) and not is_literal(row[1]))


@pytest.mark.fuzz
@pytest.mark.parametrize("asked", [None, Demand(frozenset({"urn:x:p"}), frozenset({"urn:x:A"}))])
@pytest.mark.parametrize("profile", ["rdfs", "owl-rl"])
@given(data=st.data())
@settings(max_examples=EXAMPLES // 4)
def test_no_element_changes_what_follows_from_the_next(
    profile: Profile, asked: Demand | None, data: st.DataObject
) -> None:
    same = [*SAME, *SAME_SCHEMA] if profile == "owl-rl" else []
    background = data.draw(statements(AXIOMS[profile], 3)) + data.draw(statements(DATA, 3))
    # Parts of one pool: the same data come again without the axioms that came with them.
    pool = data.draw(statements([*AXIOMS[profile], *same], 3, 1)) + data.draw(statements(DATA, 3, 1))
    parts = st.lists(st.sampled_from(pool), unique=True, min_size=1).map(lambda x: sorted(x, key=pool.index))
    stream = [pool, *data.draw(st.lists(parts, min_size=2, max_size=3))]
    terms = Interner()
    rows = interned(terms, triples(background))
    used = Enricher(terms, rows, profile, demand=asked)
    for element in stream:
        said = interned(terms, triples(element))
        # The order in which rules fire is no part of the answer.
        found, fresh = used.enrich(said), Enricher(terms, rows, profile, demand=asked).enrich(said)
        assert shown(found.entailed) == shown(fresh.entailed)
        assert {c.rule for c in found.clashes} == {c.rule for c in fresh.clashes}


def test_a_domain_is_forgotten_with_the_element_that_said_it() -> None:
    terms = Interner()
    enricher = Enricher(terms, [], "rdfs")
    assert enricher.enrich(interned(terms, triples("p domain A . i p j"))).entailed
    assert not enricher.enrich(interned(terms, triples("i p j"))).entailed
