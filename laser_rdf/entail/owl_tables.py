"""The rules of OWL 2 RL: tables 4 to 9 of the W3C recommendation "OWL 2 Profiles", section 4.3.

Rules with an empty body and eq-ref, whose consequences are noise, are in `axioms.py`.
"""

from __future__ import annotations

from laser_rdf.entail.rules import Rule, Step, Vocabulary

EQUALITY = {
    "eq-sym": "?x owl:sameAs ?y => ?y owl:sameAs ?x",
    "eq-trans": "?x owl:sameAs ?y . ?y owl:sameAs ?z => ?x owl:sameAs ?z",
    "eq-rep-s": "?s owl:sameAs ?t . ?s ?p ?o => ?t ?p ?o",
    "eq-rep-p": "?p owl:sameAs ?q . ?s ?p ?o => ?s ?q ?o",
    "eq-rep-o": "?o owl:sameAs ?t . ?s ?p ?o => ?s ?p ?t",
    "eq-diff1": "?x owl:sameAs ?y . ?x owl:differentFrom ?y => false ?x ?y",
    "eq-diff2": "?d a owl:AllDifferent . ?d owl:members ?l . ?l list:member ?x . ?l list:member ?y "
    ". ?x owl:sameAs ?y => false ?x ?y",
    "eq-diff3": "?d a owl:AllDifferent . ?d owl:distinctMembers ?l . ?l list:member ?x . ?l list:member ?y "
    ". ?x owl:sameAs ?y => false ?x ?y",
}

PROPERTIES = {
    "prp-dom": "?p rdfs:domain ?c . ?x ?p ?y => ?x a ?c",
    "prp-rng": "?p rdfs:range ?c . ?x ?p ?y => ?y a ?c",
    "prp-fp": "?p a owl:FunctionalProperty . ?x ?p ?y . ?x ?p ?z => ?y owl:sameAs ?z",
    "prp-ifp": "?p a owl:InverseFunctionalProperty . ?y ?p ?x . ?z ?p ?x => ?y owl:sameAs ?z",
    "prp-irp": "?p a owl:IrreflexiveProperty . ?x ?p ?x => false ?x",
    "prp-symp": "?p a owl:SymmetricProperty . ?x ?p ?y => ?y ?p ?x",
    "prp-asyp": "?p a owl:AsymmetricProperty . ?x ?p ?y . ?y ?p ?x => false ?x ?y",
    "prp-trp": "?p a owl:TransitiveProperty . ?x ?p ?y . ?y ?p ?z => ?x ?p ?z",
    "prp-spo1": "?p rdfs:subPropertyOf ?q . ?x ?p ?y => ?x ?q ?y",
    "prp-spo2": "?p owl:propertyChainAxiom ?l . ?l list:path ?k . ?k list:of ?m . ?x ?m ?y => ?u ?p ?v",
    "prp-eqp1": "?p owl:equivalentProperty ?q . ?x ?p ?y => ?x ?q ?y",
    "prp-eqp2": "?p owl:equivalentProperty ?q . ?x ?q ?y => ?x ?p ?y",
    "prp-pdw": "?p owl:propertyDisjointWith ?q . ?x ?p ?y . ?x ?q ?y => false ?x",
    "prp-adp": "?d a owl:AllDisjointProperties . ?d owl:members ?l . ?l list:member ?p . ?l list:member ?q "
    ". ?x ?p ?y . ?x ?q ?y => false ?x",
    "prp-inv1": "?p owl:inverseOf ?q . ?x ?p ?y => ?y ?q ?x",
    "prp-inv2": "?p owl:inverseOf ?q . ?x ?q ?y => ?y ?p ?x",
    "prp-key": "?c owl:hasKey ?l . ?l list:path ?k . ?k list:of ?m . ?x a ?c . ?y a ?c . ?x ?m ?z . ?y ?m ?z "
    "=> ?x owl:sameAs ?y",
    "prp-npa1": "?n owl:sourceIndividual ?x . ?n owl:assertionProperty ?p . ?n owl:targetIndividual ?y "
    ". ?x ?p ?y => false ?x",
    "prp-npa2": "?n owl:sourceIndividual ?x . ?n owl:assertionProperty ?p . ?n owl:targetValue ?y "
    ". ?x ?p ?y => false ?x",
}

CLASSES = {
    "cls-nothing2": "?x a owl:Nothing => false ?x",
    "cls-int1": "?c owl:intersectionOf ?l . ?l list:path ?k . ?k list:of ?m . ?x a ?m => ?x a ?c",
    "cls-int2": "?c owl:intersectionOf ?l . ?l list:member ?m . ?x a ?c => ?x a ?m",
    "cls-uni": "?c owl:unionOf ?l . ?l list:member ?m . ?x a ?m => ?x a ?c",
    "cls-com": "?c owl:complementOf ?d . ?x a ?c . ?x a ?d => false ?x",
    "cls-svf1": "?r owl:someValuesFrom ?c . ?r owl:onProperty ?p . ?x ?p ?y . ?y a ?c => ?x a ?r",
    "cls-svf2": "?r owl:someValuesFrom owl:Thing . ?r owl:onProperty ?p . ?x ?p ?y => ?x a ?r",
    "cls-avf": "?r owl:allValuesFrom ?c . ?r owl:onProperty ?p . ?x a ?r . ?x ?p ?y => ?y a ?c",
    "cls-hv1": "?r owl:hasValue ?y . ?r owl:onProperty ?p . ?x a ?r => ?x ?p ?y",
    "cls-hv2": "?r owl:hasValue ?y . ?r owl:onProperty ?p . ?x ?p ?y => ?x a ?r",
    "cls-maxc1": "?r owl:maxCardinality ?n . ?r owl:onProperty ?p . ?x a ?r . ?x ?p ?y => false ?x",
    "cls-maxc2": "?r owl:maxCardinality ?n . ?r owl:onProperty ?p . ?x a ?r . ?x ?p ?y . ?x ?p ?z "
    "=> ?y owl:sameAs ?z",
    "cls-maxqc1": "?r owl:maxQualifiedCardinality ?n . ?r owl:onProperty ?p . ?r owl:onClass ?c "
    ". ?x a ?r . ?x ?p ?y . ?y a ?c => false ?x",
    "cls-maxqc2": "?r owl:maxQualifiedCardinality ?n . ?r owl:onProperty ?p . ?r owl:onClass owl:Thing "
    ". ?x a ?r . ?x ?p ?y => false ?x",
    "cls-maxqc3": "?r owl:maxQualifiedCardinality ?n . ?r owl:onProperty ?p . ?r owl:onClass ?c "
    ". ?x a ?r . ?x ?p ?y . ?y a ?c . ?x ?p ?z . ?z a ?c => ?y owl:sameAs ?z",
    "cls-maxqc4": "?r owl:maxQualifiedCardinality ?n . ?r owl:onProperty ?p . ?r owl:onClass owl:Thing "
    ". ?x a ?r . ?x ?p ?y . ?x ?p ?z => ?y owl:sameAs ?z",
    "cls-oo": "?c owl:oneOf ?l . ?l list:member ?x => ?x a ?c",
}

CLASS_AXIOMS = {
    "cax-sco": "?c rdfs:subClassOf ?d . ?x a ?c => ?x a ?d",
    "cax-eqc1": "?c owl:equivalentClass ?d . ?x a ?c => ?x a ?d",
    "cax-eqc2": "?c owl:equivalentClass ?d . ?x a ?d => ?x a ?c",
    "cax-dw": "?c owl:disjointWith ?d . ?x a ?c . ?x a ?d => false ?x",
    "cax-adc": "?a a owl:AllDisjointClasses . ?a owl:members ?l . ?l list:member ?c . ?l list:member ?d "
    ". ?x a ?c . ?x a ?d => false ?x",
}

SCHEMA = {
    "scm-cls": "?c a owl:Class => ?c rdfs:subClassOf ?c . ?c owl:equivalentClass ?c "
    ". ?c rdfs:subClassOf owl:Thing . owl:Nothing rdfs:subClassOf ?c",
    "scm-sco": "?c rdfs:subClassOf ?d . ?d rdfs:subClassOf ?e => ?c rdfs:subClassOf ?e",
    "scm-eqc1": "?c owl:equivalentClass ?d => ?c rdfs:subClassOf ?d . ?d rdfs:subClassOf ?c",
    "scm-eqc2": "?c rdfs:subClassOf ?d . ?d rdfs:subClassOf ?c => ?c owl:equivalentClass ?d",
    "scm-op": "?p a owl:ObjectProperty => ?p rdfs:subPropertyOf ?p . ?p owl:equivalentProperty ?p",
    "scm-dp": "?p a owl:DatatypeProperty => ?p rdfs:subPropertyOf ?p . ?p owl:equivalentProperty ?p",
    "scm-spo": "?p rdfs:subPropertyOf ?q . ?q rdfs:subPropertyOf ?r => ?p rdfs:subPropertyOf ?r",
    "scm-eqp1": "?p owl:equivalentProperty ?q => ?p rdfs:subPropertyOf ?q . ?q rdfs:subPropertyOf ?p",
    "scm-eqp2": "?p rdfs:subPropertyOf ?q . ?q rdfs:subPropertyOf ?p => ?p owl:equivalentProperty ?q",
    "scm-dom1": "?p rdfs:domain ?c . ?c rdfs:subClassOf ?d => ?p rdfs:domain ?d",
    "scm-dom2": "?q rdfs:domain ?c . ?p rdfs:subPropertyOf ?q => ?p rdfs:domain ?c",
    "scm-rng1": "?p rdfs:range ?c . ?c rdfs:subClassOf ?d => ?p rdfs:range ?d",
    "scm-rng2": "?q rdfs:range ?c . ?p rdfs:subPropertyOf ?q => ?p rdfs:range ?c",
    "scm-hv": "?c owl:hasValue ?i . ?c owl:onProperty ?p . ?d owl:hasValue ?i . ?d owl:onProperty ?q "
    ". ?p rdfs:subPropertyOf ?q => ?c rdfs:subClassOf ?d",
    "scm-svf1": "?c owl:someValuesFrom ?y . ?c owl:onProperty ?p . ?d owl:someValuesFrom ?z "
    ". ?d owl:onProperty ?p . ?y rdfs:subClassOf ?z => ?c rdfs:subClassOf ?d",
    "scm-svf2": "?c owl:someValuesFrom ?y . ?c owl:onProperty ?p . ?d owl:someValuesFrom ?y "
    ". ?d owl:onProperty ?q . ?p rdfs:subPropertyOf ?q => ?c rdfs:subClassOf ?d",
    "scm-avf1": "?c owl:allValuesFrom ?y . ?c owl:onProperty ?p . ?d owl:allValuesFrom ?z "
    ". ?d owl:onProperty ?p . ?y rdfs:subClassOf ?z => ?c rdfs:subClassOf ?d",
    "scm-avf2": "?c owl:allValuesFrom ?y . ?c owl:onProperty ?p . ?d owl:allValuesFrom ?y "
    ". ?d owl:onProperty ?q . ?p rdfs:subPropertyOf ?q => ?d rdfs:subClassOf ?c",
    "scm-int": "?c owl:intersectionOf ?l . ?l list:member ?m => ?c rdfs:subClassOf ?m",
    "scm-uni": "?c owl:unionOf ?l . ?l list:member ?m => ?m rdfs:subClassOf ?c",
}

DIFFERENT = {
    "eq-diff2": ("?x", "?y"),
    "eq-diff3": ("?x", "?y"),
    "prp-adp": ("?p", "?q"),
    "cax-adc": ("?c", "?d"),
}
"""Members of one list at two places; the tables count places, these rules compare members."""

STEPS: dict[str, tuple[Step, ...]] = {
    "prp-spo2": (Step("chain_ends", ("?k", "?m", "?x", "?y"), ("?u", "?v")),),
    "prp-key": (Step("shares_key", ("?x", "?y", "?k")),),
    "cls-int1": (Step("has_types", ("?x", "?k")),),
    "cls-maxc1": (Step("is_zero", ("?n",)),),
    "cls-maxc2": (Step("is_one", ("?n",)),),
    "cls-maxqc1": (Step("is_zero", ("?n",)),),
    "cls-maxqc2": (Step("is_zero", ("?n",)),),
    "cls-maxqc3": (Step("is_one", ("?n",)),),
    "cls-maxqc4": (Step("is_one", ("?n",)),),
    **{name: (Step("differ", pair),) for name, pair in DIFFERENT.items()},
}

TABLES = {**EQUALITY, **PROPERTIES, **CLASSES, **CLASS_AXIOMS, **SCHEMA}


def owl_rules(words: Vocabulary) -> list[Rule]:
    """All of them.

    >>> from laser_rdf.rdf import Interner
    >>> len(owl_rules(Vocabulary(Interner())))
    69
    """
    return [words.rule(name, text, STEPS.get(name, ())) for name, text in TABLES.items()]
