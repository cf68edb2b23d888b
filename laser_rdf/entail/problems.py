"""What can go wrong while triples are entailed.

EvaluationError
└── EntailmentError
    ├── InconsistentTriples     triples clash, and the policy is `fail`
    └── TooManyEntailments      the limit on derived triples was reached; the message names the rule
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from laser_rdf.errors import EvaluationError

if TYPE_CHECKING:
    from laser_rdf.entail.clashes import Clash


class EntailmentError(EvaluationError):
    """Entailment ended early; the enricher can be used for the next element."""


class InconsistentTriples(EntailmentError):
    """Triples that cannot all be true, with what they break."""

    def __init__(self, clashes: tuple[Clash, ...]) -> None:
        self.clashes = clashes
        more = f" (and {len(clashes) - 1} more)" if len(clashes) > 1 else ""
        super().__init__(f"inconsistent: {clashes[0].message}{more}")


class TooManyEntailments(EntailmentError):
    """A limit on derived triples."""

    def __init__(self, limit: int, rule: str, count: int) -> None:
        self.limit = limit
        self.rule = rule
        super().__init__(
            f"more than {limit} triples follow; {count} of them by rule `{rule}`: "
            "raise the limit (max_entailments) or use a smaller ontology or profile"
        )
