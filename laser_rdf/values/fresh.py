"""Names for the fresh resources of rule heads: the same answer gets the same name, in every process."""

from __future__ import annotations

from collections.abc import Sequence

from laser_rdf.values.rounding import integer_text
from laser_rdf.values.terms import IRI, Term, ntriples

FRESH_BASE = "urn:laser:fresh:"

_HEX_DIGITS = 32


def fresh_resource(rule_text: str, label: str, values: Sequence[Term], time: int | None) -> IRI:
    """The name of a fresh resource: a hash over rule, label, values of the head and, for `at T`, the time.

    >>> print(fresh_resource("{ [] a ex:Fire } :- smoke(X) .", "b1", [IRI("urn:laser:local:hall")], None))
    <urn:laser:fresh:30f5fa147a743f4f5d12f8b5ff0cb8cc>
    """
    import hashlib  # loads OpenSSL: only programs with fresh resources pay for it

    time_text = "" if time is None else integer_text(time)
    digest = hashlib.sha256()
    for part in (rule_text, label, *map(ntriples, values), time_text):
        # Each part says its length first: ("ab", "c") and ("a", "bc") are different lists.
        encoded = part.encode("utf-8", "surrogatepass")
        digest.update(b"%d:" % len(encoded))
        digest.update(encoded)
    return IRI(FRESH_BASE + digest.hexdigest()[:_HEX_DIGITS])
