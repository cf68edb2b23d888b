"""Graph → facts: the triples that programs mention, as rows of values.

    ex:s1 a ex:Sensor           →   ex:Sensor/1         (s1,)
    ex:s1 ex:temperature 21     →   ex:temperature/2    (s1, 21)
    ex:s1 ex:unheard "of"       →   nothing; triple/3 (s1, unheard, "of") if a program looks at any triple

A triple that a program mentions by name is handed over under that name alone; the engine shows it to
`triple/3` too where a program asks for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyoxigraph as ox

from laser_rdf.check import TRIPLE, Mentions, Predicate
from laser_rdf.rdf.interner import Interner, Symbol, Value, from_value
from laser_rdf.reasoning.inputs import Batch
from laser_rdf.values import IRI, RDF_TYPE

Row = tuple[Value, ...]
ValueTriple = tuple[Value, Value, Value]
_TYPE = ox.NamedNode(RDF_TYPE)


def interned(triples: Iterable[ox.Triple], interner: Interner) -> list[ValueTriple]:
    """Triples of terms as triples of values.

    >>> a = ox.NamedNode("http://example.org/a")
    >>> interned([ox.Triple(a, a, a)], Interner())[0][0]
    Symbol(<http://example.org/a>)
    """
    get, make = interner.lookup()
    return [(get(s) or make(s), get(p) or make(p), get(o) or make(o)) for s, p, o in triples]


class GraphMapping:
    """Maps what some program or query mentions, and nothing else.

    >>> known = Mentions(frozenset({Predicate("urn:temperature", 2)}))
    >>> mapping = GraphMapping(Interner(), known)
    >>> a, b = ox.NamedNode("urn:a"), ox.NamedNode("urn:b")
    >>> mapping.batches([ox.Triple(a, ox.NamedNode("urn:temperature"), b), ox.Triple(a, b, a)])
    [(Predicate(name='urn:temperature', arity=2), [(Symbol(<urn:a>), Symbol(<urn:b>))])]
    """

    def __init__(self, interner: Interner, mentions: Mentions) -> None:
        self._interner = interner
        self.mentions = mentions
        self._type = interner.value(_TYPE)
        self._properties: dict[ox.NamedNode, Predicate] = {}
        self._classes: dict[Value, Predicate] = {}
        for predicate in mentions.predicates:
            node = from_value(IRI(predicate.name))
            assert isinstance(node, ox.NamedNode)
            if predicate.arity == 1:
                self._classes[interner.value(node)] = predicate
            elif predicate.arity == 2 and predicate.name != RDF_TYPE:
                self._properties[node] = predicate
        # The same by value, for triples that are interned already.
        self._by_value = {interner.value(node): predicate for node, predicate in self._properties.items()}
        self._all_types = mentions.types or mentions.everything
        self._strange_types = Predicate(RDF_TYPE, 2) in mentions.predicates
        self._wants_others = self._all_types or self._strange_types

    def batches(self, triples: Iterable[ox.Triple]) -> list[Batch]:
        """The rows of the predicates that the triples say something of."""
        if self.mentions.everything or self.mentions.ordered:
            return self.batches_of_values(interned(triples, self._interner))
        found: dict[Predicate, list[Row]] = {}
        properties = self._properties
        get, make = self._interner.lookup()
        for s, p, o in triples:
            predicate = properties.get(p)
            if predicate is not None:
                row = (get(s) or make(s), get(o) or make(o))
                rows = found.get(predicate)
                if rows is None:
                    found[predicate] = [row]
                else:
                    rows.append(row)
            elif p == _TYPE:
                for batch, instance in self._of_type(get(s) or make(s), get(o) or make(o)):
                    found.setdefault(batch, []).append(instance)
        return list(found.items())

    def batches_of_values(self, triples: Iterable[ValueTriple]) -> list[Batch]:
        """The same for triples of values."""
        if self.mentions.ordered:
            return [(predicate, [row]) for predicate, row in self._atoms(triples)]
        # Rows are gathered by the symbols of properties and classes, which are found faster than predicates.
        properties, classes, rdf_type = self._by_value, self._classes, self._type
        of_property: dict[Value, list[Row]] = {}
        of_class: dict[Value, list[Row]] = {}
        rest: list[ValueTriple] = []
        for triple in triples:
            s, p, o = triple
            if p in properties:
                if p in of_property:
                    of_property[p].append((s, o))
                else:
                    of_property[p] = [(s, o)]
            elif p is rdf_type and o in classes:
                if o in of_class:
                    of_class[o].append((s,))
                else:
                    of_class[o] = [(s,)]
            else:
                rest.append(triple)
        found: list[Batch] = [(properties[p], rows) for p, rows in of_property.items()]
        found += [(classes[o], rows) for o, rows in of_class.items()]
        return found + self._others(rest) if self._wants_others else found

    def _others(self, triples: list[ValueTriple]) -> list[Batch]:
        """The triples that nobody mentions by name, for those who look at any."""
        found: dict[Predicate, list[Row]] = {}
        for predicate, row in self._atoms(triples):
            found.setdefault(predicate, []).append(row)
        return list(found.items())

    def _atoms(self, triples: Iterable[ValueTriple]) -> Iterator[tuple[Predicate, Row]]:
        properties, rdf_type, everything = self._by_value, self._type, self.mentions.everything
        for triple in triples:
            s, p, o = triple
            predicate = properties.get(p)
            if predicate is not None:
                yield predicate, (s, o)
            elif p is rdf_type:
                yield from self._of_type(s, o)
            elif everything:
                yield TRIPLE, triple

    def _of_type(self, s: Value, o: Value) -> Iterator[tuple[Predicate, Row]]:
        known = self._classes.get(o)
        if known is not None:
            yield known, (s,)
        elif self._strange_types and not (isinstance(o, Symbol) and type(o.term) is ox.NamedNode):
            yield Predicate(RDF_TYPE, 2), (s, o)
        elif self._all_types:
            yield TRIPLE, (s, self._type, o)
