"""The graphs that always equal the current answer: what they hold, and what has changed since the last flush.

Changes between two flushes collapse: of several changes of a triple the last one counts. Triples are lines of
N-Triples here.
"""

from __future__ import annotations

from laser_rdf.stream.lines import Triples, iri, lines
from laser_rdf.stream.results import Change


def _split(triples: Triples) -> list[str]:
    # Not splitlines: a literal may hold other characters that it takes for ends of lines.
    return lines(triples).split("\n")[:-1]


def _joined(found: list[str]) -> str:
    return "".join([f"{line}\n" for line in found])


class State:
    """What each graph holds, and what of that is not written yet.

    >>> state, a, b = State(), "<urn:a> <urn:p> <urn:o> .\\n", "<urn:b> <urn:p> <urn:o> .\\n"
    >>> state.change("urn:g", a + b, "")
    2
    >>> [(c.added == a + b, c.anew) for c in state.changes()]
    [(True, True)]
    >>> state.written()
    >>> state.replace("urn:g", b)
    1
    >>> [(c.added, c.removed == a, c.anew) for c in state.changes()]
    [('', True, False)]
    """

    def __init__(self) -> None:
        self._holds: dict[str, dict[str, None]] = {}
        self._pending: dict[str, dict[str, bool]] = {}
        self._begun: set[str] = set()

    def change(self, graph: str, added: Triples, removed: Triples) -> int:
        """Some triples go, then some come; gives how many really did."""
        iri(graph)  # for what it refuses, before anything has changed
        coming, going = _split(added), _split(removed)
        held = self._holds.setdefault(graph, {})
        pending = self._pending.setdefault(graph, {})
        count = 0
        for line in going:
            if line in held:
                del held[line]
                pending[line] = False
                count += 1
        for line in coming:
            if line not in held:
                held[line] = None
                pending[line] = True
                count += 1
        return count

    def replace(self, graph: str, triples: Triples) -> int:
        """The graph is exactly these triples now; gives how many changed."""
        wanted = lines(triples)
        kept = set(wanted.split("\n"))
        return self.change(graph, wanted, _joined([x for x in self._holds.get(graph, ()) if x not in kept]))

    def held(self) -> dict[str, str]:
        """What each graph holds."""
        return {graph: self.content(graph) for graph in self._holds}

    def content(self, graph: str) -> str:
        """What a graph holds."""
        return _joined(list(self._holds[graph]))

    def changes(self) -> list[Change]:
        """What is to be written, one change per graph."""
        found = []
        for graph, pending in self._pending.items():
            # What a run before has left is not the current answer; and emptying a graph needs no list.
            anew = graph not in self._begun or not self._holds[graph]
            added = _joined([line for line, here in pending.items() if here])
            removed = "" if anew else _joined([line for line, here in pending.items() if not here])
            found.append(Change(graph, added, removed, anew))
        return found

    def written(self) -> None:
        """All changes have been written."""
        self._begun.update(self._pending)
        self._pending.clear()
