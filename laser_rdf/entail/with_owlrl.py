"""The profile `owlrl`: the package of that name closes everything anew. For small inputs, and to compare.

Triples of values enter and leave; in between they are rdflib's.
"""

from __future__ import annotations

from collections.abc import Iterable

from laser_rdf.entail.clashes import Clash, ValueTriple
from laser_rdf.errors import EvaluationError, UsageError
from laser_rdf.rdf.interner import Interner, ox_term

_ERROR = "http://www.daml.org/2002/03/agents/agent-ont#error"
_MESSAGE = "http://www.daml.org/2002/03/agents/agent-ont#ErrorMessage"


def owlrl_closure(
    interner: Interner, said: Iterable[ValueTriple]
) -> tuple[set[ValueTriple], tuple[Clash, ...]]:
    """The OWL 2 RL closure, and what owlrl says is wrong; its noise is left out.

    >>> closure, clashes = owlrl_closure(Interner(), [])
    >>> clashes
    ()
    """
    try:
        import owlrl
    except ImportError as missing:  # pragma: no cover - the development environment has it
        raise UsageError("owlrl is not installed: `pip install 'laser-rdf[owlrl]'`") from missing
    import rdflib

    from laser_rdf.rdf.rdflib_terms import from_rdflib, to_rdflib

    graph = rdflib.Graph()
    for triple in said:
        graph.add(tuple(to_rdflib(ox_term(value)) for value in triple))  # type: ignore[arg-type]
    try:
        owlrl.DeductiveClosure(owlrl.OWLRL_Semantics).expand(graph)
    except Exception as problem:  # owlrl lets whatever an odd ontology provokes escape
        raise EvaluationError(f"owlrl cannot close this graph: {problem}") from None
    closed: set[ValueTriple] = set()
    clashes: list[Clash] = []
    for s, p, o in graph:
        if str(p) == _ERROR:
            clashes.append(Clash("owlrl", (), note=str(o)))
        elif str(o) == _MESSAGE or (p == rdflib.OWL.sameAs and s == o):
            continue
        elif isinstance(p, rdflib.URIRef) and not isinstance(s, rdflib.Literal):
            closed.add(tuple(interner.value(from_rdflib(node)) for node in (s, p, o)))  # type: ignore[arg-type]
    return closed, tuple(sorted(clashes, key=lambda clash: clash.note))
