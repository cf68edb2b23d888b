"""Triples that cannot all be true, and what happens then: warn, ignore, fail, or fact.

`warn` hands the clashes to the caller, who knows the time point; `fact` also derives
`x rdf:type laser:Inconsistent` for those to blame.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal as OneOf

import pyoxigraph as ox

from laser_rdf.entail.rules import Node
from laser_rdf.errors import escape_control
from laser_rdf.rdf.interner import Value, ox_term

Policy = OneOf["warn", "ignore", "fail", "fact"]
POLICIES: tuple[Policy, ...] = ("warn", "ignore", "fail", "fact")

MAX_CLASHES = 1000
"""Of one element or background; more help nobody."""

ValueTriple = tuple[Value, Value, Value]


@dataclass(frozen=True, slots=True)
class Clash:
    """The triples that clash, by which rule of the tables, and who is to blame."""

    rule: str
    triples: tuple[ValueTriple, ...]
    blamed: tuple[Value, ...] = ()
    note: str = ""
    """What is wrong, where no triples are known: owlrl gives texts only."""

    @property
    def message(self) -> str:
        """What a person reads."""
        if self.note:
            return f"{self.rule}: {escape_control(self.note)}"
        shown = " . ".join(" ".join(map(_text, triple)) for triple in self.triples)
        return f"{self.rule}: {shown}"

    def __str__(self) -> str:
        return self.message


def _text(value: Value) -> str:
    term = ox_term(value)
    if isinstance(term, ox.NamedNode) and term.value.endswith("#type"):
        return "a"
    return escape_control(str(term))


class Clashes:
    """Collects clashes, each once."""

    def __init__(self, hidden: frozenset[Node]) -> None:
        self._hidden = hidden
        self.tell: Callable[[Node], None] | None = None
        """Told who is to blame, when that is to become a fact."""
        self._found: dict[tuple[str, frozenset[ValueTriple]], Clash] = {}

    def found(
        self, rule: str, blamed: tuple[Node, ...], triples: tuple[tuple[Node, Node, Node], ...]
    ) -> None:
        """A clash was found; triples about lists are left out."""
        shown = tuple(dict.fromkeys(triple for triple in triples if triple[1] not in self._hidden))
        key = rule, frozenset(shown)
        if key not in self._found:
            if len(self._found) < MAX_CLASHES:
                self._found[key] = Clash(rule, shown, tuple(dict.fromkeys(blamed)))
            if self.tell is not None:
                for node in blamed:
                    self.tell(node)

    def take(self) -> tuple[Clash, ...]:
        """The clashes found since the last call."""
        found = tuple(self._found.values())
        self._found.clear()
        return found
