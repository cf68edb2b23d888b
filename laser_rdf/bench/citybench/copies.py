"""A larger background of the same shape: copies of the sensor repository with renamed resources.

:AarhusTrafficData158505 ssn:observes :property-1 .
  →  :AarhusTrafficData158505-copy-2 ssn:observes :property-1-copy-2 .

No stream speaks of a copy, so the answers stay what they were. Classes, properties and literals stay, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pyoxigraph as ox

from laser_rdf.values import RDF_TYPE

MARK = "\x00"  # in no N-Triples text
_COPY = re.compile(r"-copy-[0-9]+>")


def write_copies(triples: Iterable[ox.Triple], times: int, path: Path) -> int:
    """Write copies 2 to `times` as N-Triples; how many triples these are."""
    templates = renamable(list(triples))
    text = "".join(templates)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for number in range(2, times + 1):
            file.write(text.replace(MARK, f"-copy-{number}"))
    return len(templates) * (times - 1)


def renamable(triples: list[ox.Triple]) -> list[str]:
    """The triples as N-Triples with a mark behind the name of each resource that is described.

    >>> a, p, c = (ox.NamedNode(f"urn:{name}") for name in "apc")
    >>> line, _ = renamable([ox.Triple(a, p, a), ox.Triple(a, ox.NamedNode(RDF_TYPE), c)])
    >>> line.replace(MARK, "-copy-2")
    '<urn:a-copy-2> <urn:p> <urn:a-copy-2> .\\n'
    """
    vocabulary: set[object] = {t.predicate for t in triples}
    vocabulary |= {t.object for t in triples if t.predicate.value == RDF_TYPE}
    described = {t.subject for t in triples if _is_iri(t.subject)} - vocabulary

    def shown(term: object) -> str:
        if isinstance(term, ox.BlankNode):
            return f"{term}{MARK}"
        if term in described:
            return f"{str(term)[:-1]}{MARK}>"
        return str(term)

    return [f"{shown(t.subject)} {t.predicate} {shown(t.object)} .\n" for t in triples]


def _is_iri(term: object) -> bool:
    return isinstance(term, ox.NamedNode)


def without_copies(said: Iterable[str]) -> frozenset[str]:
    """The statements that speak of no copy.

    >>> without_copies(["<urn:a> <urn:p> <urn:b>", "<urn:a-copy-2> <urn:p> <urn:b>"])
    frozenset({'<urn:a> <urn:p> <urn:b>'})
    """
    return frozenset(line for line in said if _COPY.search(line) is None)
