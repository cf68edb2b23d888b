"""Blocks in bodies read the input (E131): a derived predicate in one would never match."""

from __future__ import annotations

from collections.abc import Iterator

from laser_rdf.check.checked import TRIPLE
from laser_rdf.check.codes import problem
from laser_rdf.check.context import Context
from laser_rdf.errors import Diagnostic


def blocks_read_input(context: Context) -> Iterator[Diagnostic]:
    """The patterns of blocks whose predicate some head names.

    A head with a variable predicate is no reason to complain: the block still reads the input.
    """
    for draft in context.rules:
        for found in draft.literals:
            if not found.literal.input_only:
                continue
            for atom, span in zip(found.literal.atoms, found.spans, strict=True):
                if atom.predicate in context.graph.derived and atom.predicate != TRIPLE:
                    name = context.name(atom.predicate)
                    example = f"{name}(?x)" if atom.predicate.arity == 1 else f"{name}(?x, ?y)"
                    yield problem(
                        "E131",
                        f"a block mentions `{context.signature(atom.predicate)}`, which rules derive",
                        span,
                        f"blocks range over input and background: write the atom `{example}` instead",
                    )
