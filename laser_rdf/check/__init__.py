"""Static checks: from the syntax tree to a program that can be evaluated."""

from laser_rdf.check.canonical import canonical_ground, canonical_pattern
from laser_rdf.check.checked import (
    TRIPLE,
    BodyStep,
    CheckedAggregate,
    CheckedLiteral,
    CheckedProgram,
    CheckedRule,
    Everything,
    GroundAtom,
    HeadAtom,
    LastAtoms,
    LastPer,
    PatternAtom,
    Predicate,
    ResolvedWindow,
    TimeSpan,
)
from laser_rdf.check.checking import check, diagnose
from laser_rdf.check.codes import CODES
from laser_rdf.check.mentions import Mentions, mentions_of

__all__ = [
    "CODES",
    "TRIPLE",
    "BodyStep",
    "CheckedAggregate",
    "CheckedLiteral",
    "CheckedProgram",
    "CheckedRule",
    "Everything",
    "GroundAtom",
    "HeadAtom",
    "LastAtoms",
    "LastPer",
    "Mentions",
    "PatternAtom",
    "Predicate",
    "ResolvedWindow",
    "TimeSpan",
    "canonical_ground",
    "canonical_pattern",
    "check",
    "diagnose",
    "mentions_of",
]
