"""What a run has done so far: the figures of the live line, the summary and `--stats`."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Counts:
    """Counted as the run goes."""

    time: int | None = None
    points: int = 0
    elements: dict[str, int] = field(default_factory=dict)
    triples: int = 0
    entailed: int = 0
    clashes: int = 0
    skipped: int = 0
    late: int = 0
    ahead: int = 0
    duplicates: int = 0
    answers: dict[str, int] = field(default_factory=dict)
    graphs: int = 0

    @property
    def all_elements(self) -> int:
        """Elements of all streams."""
        return sum(self.elements.values())

    @property
    def all_answers(self) -> int:
        """Answers of all programs."""
        return sum(self.answers.values())
