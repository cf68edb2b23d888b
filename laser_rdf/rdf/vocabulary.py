"""The terms that answers are written with; `vocab/laser.ttl` says what those of our own mean.

Every IRI in the namespace `laser:` that leaves the package is named here, and nowhere else.
"""

from __future__ import annotations

from laser_rdf.errors import UsageError
from laser_rdf.values import RDF

LASER = "urn:laser:vocab:"
PROV = "http://www.w3.org/ns/prov#"
TIME = "http://www.w3.org/2006/time#"

WAS_GENERATED_BY = PROV + "wasGeneratedBy"

HAS_BEGINNING = TIME + "hasBeginning"
HAS_END = TIME + "hasEnd"
INSTANT = TIME + "Instant"
IN_DATE_TIME_STAMP = TIME + "inXSDDateTimeStamp"

STATEMENT = RDF + "Statement"
SUBJECT = RDF + "subject"
PREDICATE = RDF + "predicate"
OBJECT = RDF + "object"

TIME_POINT = LASER + "timePoint"
EMIT = LASER + "emit"
INSERTIONS = LASER + "Insertions"
DELETIONS = LASER + "Deletions"
SNAPSHOT = LASER + "Snapshot"
INTERVALS = LASER + "Intervals"

INCONSISTENT = LASER + "Inconsistent"

ANSWER = LASER + "answer"
ANSWER_INTERVAL = LASER + "AnswerInterval"
ONGOING_INTERVAL = LASER + "OngoingInterval"

MAX_ARGUMENTS = 32


def argument(place: int) -> str:
    """The property of an atom's argument, from 1.

    >>> argument(2)
    'urn:laser:vocab:arg2'
    """
    if not 1 <= place <= MAX_ARGUMENTS:
        raise UsageError(
            f"an answer has over {MAX_ARGUMENTS} arguments, more than the vocabulary has properties for: "
            "derive class and property atoms instead, as with a block in the head"
        )
    return f"{LASER}arg{place}"


LASER_TERMS = frozenset(
    [
        TIME_POINT,
        EMIT,
        INSERTIONS,
        DELETIONS,
        SNAPSHOT,
        INTERVALS,
        INCONSISTENT,
        ANSWER,
        ANSWER_INTERVAL,
        ONGOING_INTERVAL,
        *map(argument, range(1, MAX_ARGUMENTS + 1)),
    ]
)
"""All terms of our own that the code emits."""
