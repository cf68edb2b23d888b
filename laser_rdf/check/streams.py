"""`on NAME` that can never match (W207): no stream has the name, or the predicate comes on none."""

from __future__ import annotations

from collections.abc import Iterator

from laser_rdf.check.checked import Predicate
from laser_rdf.check.codes import problem
from laser_rdf.check.context import Context
from laser_rdf.errors import Diagnostic


def streams_are_given(context: Context) -> Iterator[Diagnostic]:
    """One warning for each literal; what is streamed is only known when the caller says so."""
    for draft in context.rules:
        for found in draft.literals:
            name = found.literal.stream
            if name is None:
                continue
            if context.streams is not None and name not in context.streams:
                known = ", ".join(f"`{given}`" for given in sorted(context.streams))
                yield problem(
                    "W207",
                    f"no stream is named `{name}`",
                    found.written.span,
                    f"the names are: {known}" if known else f"name it: `--stream {name}=FILE`",
                )
                continue
            for atom, span in zip(found.literal.atoms, found.spans, strict=True):
                if _is_only_derived(atom.predicate, context):
                    yield problem(
                        "W207",
                        f"`{context.signature(atom.predicate)}` comes on no stream: rules derive it",
                        span,
                        "`on` looks at input only: leave it out, or write it in the rules that derive this",
                    )


def _is_only_derived(predicate: Predicate, context: Context) -> bool:
    if predicate not in context.graph.derived:
        return False
    if context.inputs is not None:
        return predicate not in context.inputs
    # Names of RDF vocabularies may always be input too, and so may what the program declares.
    external = any(
        ref.predicate == predicate.name and ref.arity in (None, predicate.arity)
        for ref in context.program.externals
    )
    return context.is_local(predicate.name) and not external
