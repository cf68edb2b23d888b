"""Heads that define something built in (E134).

`lt(X, Y)` and its kin with arguments are conditions already to the parser, which rejects them in a head; a
full IRI means a predicate of that name. What is left are the bare words and `triple` of a wrong arity.
"""

from __future__ import annotations

from collections.abc import Iterator

from laser_rdf.check.checked import TRIPLE
from laser_rdf.check.codes import problem
from laser_rdf.check.context import Context
from laser_rdf.errors import Diagnostic
from laser_rdf.lang.ast import Atom
from laser_rdf.lang.names import BUILT_IN_CONDITIONS
from laser_rdf.values import LOCAL_BASE


def built_ins_stay(context: Context) -> Iterator[Diagnostic]:
    """The heads that mean something else already."""
    bases = (context.program.base, LOCAL_BASE)
    words = {base + word: word for base in bases for word in BUILT_IN_CONDITIONS}
    for rule in context.program.rules:
        head = rule.head.formula
        if not isinstance(head, Atom):
            continue
        if head.predicate in words and not head.args:
            word = words[head.predicate]
            yield problem("E134", f"`{word}` is built in", head.span, "choose another name for the predicate")
        if head.predicate == TRIPLE.name and len(head.args) != TRIPLE.arity:
            yield problem(
                "E134",
                f"`triple` with {len(head.args)} arguments",
                head.span,
                "write `triple(?s, ?p, ?o)`, or choose another name for the predicate",
            )
