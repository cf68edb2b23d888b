"""Entailment: what follows from a stream element and the background under RDFS, OWL 2 RL and users' rules."""

from laser_rdf.entail.clashes import Clash, Policy
from laser_rdf.entail.enricher import PROFILES, Enriched, Enricher, Profile, interned
from laser_rdf.entail.problems import EntailmentError, InconsistentTriples, TooManyEntailments
from laser_rdf.entail.relevance import Demand
from laser_rdf.entail.scope import ScopedAnswer, ScopedEnricher
from laser_rdf.rdf.vocabulary import INCONSISTENT

__all__ = [
    "INCONSISTENT",
    "PROFILES",
    "Clash",
    "Demand",
    "Enriched",
    "Enricher",
    "EntailmentError",
    "InconsistentTriples",
    "Policy",
    "Profile",
    "ScopedAnswer",
    "ScopedEnricher",
    "TooManyEntailments",
    "interned",
]
