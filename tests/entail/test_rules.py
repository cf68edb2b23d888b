"""One tiny case for each rule of the tables, in one element, and split between background and element."""

from __future__ import annotations

import pytest

from laser_rdf.entail import Enricher, interned
from laser_rdf.entail.owl_tables import TABLES
from laser_rdf.entail.rdfs_table import TABLE
from laser_rdf.rdf import Interner
from tests.entail.judging import shown, triples

DERIVE = {
    "eq-sym": ("i same j", "j same i"),
    "eq-trans": ("i same j . j same k", "i same k"),
    "eq-rep-s": ("i same j . i p k", "j p k"),
    "eq-rep-p": ("p same q . i p k", "i q k"),
    "eq-rep-o": ("k same j . i p k", "i p j"),
    "prp-dom": ("p domain A . i p j", "i a A"),
    "prp-rng": ("p range A . i p j", "j a A"),
    "prp-fp": ("p a owl:FunctionalProperty . i p j . i p k", "j same k"),
    "prp-ifp": ("p a owl:InverseFunctionalProperty . i p k . j p k", "i same j"),
    "prp-symp": ("p a owl:SymmetricProperty . i p j", "j p i"),
    "prp-trp": ("p a owl:TransitiveProperty . i p j . j p k", "i p k"),
    "prp-spo1": ("p spo q . i p j", "i q j"),
    "prp-spo2": ("p owl:propertyChainAxiom ( q r s ) . i q j . j r k . k s l", "i p l"),
    "prp-eqp1": ("p eqp q . i p j", "i q j"),
    "prp-eqp2": ("p eqp q . i q j", "i p j"),
    "prp-inv1": ("p owl:inverseOf q . i p j", "j q i"),
    "prp-inv2": ("p owl:inverseOf q . i q j", "j p i"),
    "prp-key": ("A owl:hasKey ( p q ) . i a A . j a A . i p 1 . j p 1 . i q 2 . j q 2", "i same j"),
    "cls-int1": ("A owl:intersectionOf ( B C ) . i a B . i a C", "i a A"),
    "cls-int2": ("A owl:intersectionOf ( B C ) . i a A", "i a C"),
    "cls-uni": ("A owl:unionOf ( B C ) . i a C", "i a A"),
    "cls-svf1": ("R owl:onProperty p . R owl:someValuesFrom A . i p j . j a A", "i a R"),
    "cls-svf2": ("R owl:onProperty p . R owl:someValuesFrom owl:Thing . i p j", "i a R"),
    "cls-avf": ("R owl:onProperty p . R owl:allValuesFrom A . i p j . i a R", "j a A"),
    "cls-hv1": ("R owl:onProperty p . R owl:hasValue j . i a R", "i p j"),
    "cls-hv2": ("R owl:onProperty p . R owl:hasValue j . i p j", "i a R"),
    "cls-maxc2": ("R owl:onProperty p . R owl:maxCardinality 1 . i a R . i p j . i p k", "j same k"),
    "cls-maxqc3": (
        "R owl:onProperty p . R owl:maxQualifiedCardinality 1 . R owl:onClass A "
        ". i a R . i p j . j a A . i p k . k a A",
        "j same k",
    ),
    "cls-maxqc4": (
        "R owl:onProperty p . R owl:maxQualifiedCardinality 1 . R owl:onClass owl:Thing "
        ". i a R . i p j . i p k",
        "j same k",
    ),
    "cls-oo": ("A owl:oneOf ( i j )", "j a A"),
    "cax-sco": ("A sco B . i a A", "i a B"),
    "cax-eqc1": ("A eqc B . i a A", "i a B"),
    "cax-eqc2": ("A eqc B . i a B", "i a A"),
    "scm-cls": ("A a owl:Class", "A sco owl:Thing"),
    "scm-sco": ("A sco B . B sco C", "A sco C"),
    "scm-eqc1": ("A eqc B", "B sco A"),
    "scm-eqc2": ("A sco B . B sco A", "A eqc B"),
    "scm-op": ("p a owl:ObjectProperty", "p spo p"),
    "scm-dp": ("p a owl:DatatypeProperty", "p eqp p"),
    "scm-spo": ("p spo q . q spo r", "p spo r"),
    "scm-eqp1": ("p eqp q", "q spo p"),
    "scm-eqp2": ("p spo q . q spo p", "p eqp q"),
    "scm-dom1": ("p domain A . A sco B", "p domain B"),
    "scm-dom2": ("p domain A . q spo p", "q domain A"),
    "scm-rng1": ("p range A . A sco B", "p range B"),
    "scm-rng2": ("p range A . q spo p", "q range A"),
    "scm-hv": (
        "R owl:hasValue i . R owl:onProperty p . Q owl:hasValue i . Q owl:onProperty q . p spo q",
        "R sco Q",
    ),
    "scm-svf1": (
        "R owl:someValuesFrom A . R owl:onProperty p . Q owl:someValuesFrom B . Q owl:onProperty p . A sco B",
        "R sco Q",
    ),
    "scm-svf2": (
        "R owl:someValuesFrom A . R owl:onProperty p . Q owl:someValuesFrom A . Q owl:onProperty q . p spo q",
        "R sco Q",
    ),
    "scm-avf1": (
        "R owl:allValuesFrom A . R owl:onProperty p . Q owl:allValuesFrom B . Q owl:onProperty p . A sco B",
        "R sco Q",
    ),
    "scm-avf2": (
        "R owl:allValuesFrom A . R owl:onProperty p . Q owl:allValuesFrom A . Q owl:onProperty q . p spo q",
        "Q sco R",
    ),
    "scm-int": ("A owl:intersectionOf ( B C )", "A sco C"),
    "scm-uni": ("A owl:unionOf ( B C )", "C sco A"),
}
CLASH = {
    "eq-diff1": "i same j . i different j",
    "eq-diff2": "x a owl:AllDifferent . x owl:members ( i j k ) . j same k",
    "eq-diff3": "x a owl:AllDifferent . x owl:distinctMembers ( i j k ) . j same k",
    "prp-irp": "p a owl:IrreflexiveProperty . i p i",
    "prp-asyp": "p a owl:AsymmetricProperty . i p j . j p i",
    "prp-pdw": "p owl:propertyDisjointWith q . i p j . i q j",
    "prp-adp": "x a owl:AllDisjointProperties . x owl:members ( p q r ) . i q j . i r j",
    "prp-npa1": "x owl:sourceIndividual i . x owl:assertionProperty p . x owl:targetIndividual j . i p j",
    "prp-npa2": "x owl:sourceIndividual i . x owl:assertionProperty d . x owl:targetValue 5 . i d 5",
    "cls-nothing2": "i a owl:Nothing",
    "cls-com": "A owl:complementOf B . i a A . i a B",
    "cls-maxc1": "R owl:maxCardinality 0 . R owl:onProperty p . i a R . i p j",
    "cls-maxqc1": "R owl:maxQualifiedCardinality 0 . R owl:onProperty p . R owl:onClass A "
    ". i a R . i p j . j a A",
    "cls-maxqc2": "R owl:maxQualifiedCardinality 0 . R owl:onProperty p . R owl:onClass owl:Thing "
    ". i a R . i p j",
    "cax-dw": "A owl:disjointWith B . i a A . i a B",
    "cax-adc": "x a owl:AllDisjointClasses . x owl:members ( A B C ) . i a B . i a C",
}
RDFS = {
    "rdfs2": ("p domain A . i p j", "i a A"),
    "rdfs3": ("p range A . i p j", "j a A"),
    "rdfs5": ("p spo q . q spo r", "p spo r"),
    "rdfs7": ("p spo q . i p j", "i q j"),
    "rdfs9": ("A sco B . i a A", "i a B"),
    "rdfs11": ("A sco B . B sco C", "A sco C"),
    "rdfs12": ("p a rdfs:ContainerMembershipProperty", "p spo rdfs:member"),
    "rdfs13": ("A a rdfs:Datatype", "A sco rdfs:Literal"),
}


def test_every_rule_has_a_case() -> None:
    assert set(TABLES) == {*DERIVE, *CLASH}
    assert set(TABLE) == set(RDFS)


@pytest.mark.parametrize(
    ("profile", "text", "wanted"),
    [("owl-rl", *case) for case in DERIVE.values()] + [("rdfs", *case) for case in RDFS.values()],
    ids=[*DERIVE, *RDFS],
)
def test_each_way_to_split_a_body_derives_the_head(profile: str, text: str, wanted: str) -> None:
    parts = triples(text)
    for k in range(len(parts)):
        terms = Interner()
        # The last triple to come is another one each time: it must find all the others.
        element, background = [parts[k]], parts[:k] + parts[k + 1 :]
        enricher = Enricher(terms, interned(terms, background), profile)  # type: ignore[arg-type]
        found = shown(enricher.enrich(interned(terms, element)).entailed)
        assert wanted in found | shown(enricher.background_triples()), parts[k]
    terms = Interner()
    assert wanted in shown(Enricher(terms, [], profile).enrich(interned(terms, parts)).entailed)  # type: ignore[arg-type]


@pytest.mark.parametrize(("rule", "text"), CLASH.items(), ids=CLASH)
def test_each_way_to_split_a_clash_finds_it(rule: str, text: str) -> None:
    parts = triples(text)
    for k in range(len(parts)):
        terms = Interner()
        enricher = Enricher(terms, interned(terms, parts[:k] + parts[k + 1 :]), "owl-rl")
        result = enricher.enrich(interned(terms, [parts[k]]))
        assert rule in {c.rule for c in (*result.clashes, *enricher.background_clashes)}, parts[k]
        for clash in result.clashes:
            assert clash.triples
            assert clash.rule in clash.message
        ignoring = Enricher(terms, interned(terms, parts), "owl-rl", inconsistency="ignore")
        assert ignoring.background_clashes == ()
