"""What a run did, for people and for machines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from laser_rdf.pipeline.counts import Counts


@dataclass(frozen=True, slots=True)
class Summary:
    """The figures of a run; `phases` are seconds, `held` the facts each program holds at the end."""

    counts: Counts
    seconds: float
    phases: Mapping[str, float]
    held: Mapping[str, int]
    sinks: Mapping[str, Mapping[str, int]]

    def as_json(self) -> dict[str, object]:
        """The same for machines."""
        return {
            **asdict(self.counts),
            "seconds": round(self.seconds, 6),
            "phases": {phase: round(spent, 6) for phase, spent in self.phases.items()},
            "held": dict(self.held),
            "sinks": {name: dict(found) for name, found in self.sinks.items()},
        }

    def __str__(self) -> str:
        """A table."""
        counts = self.counts
        rate = counts.all_elements / self.seconds if self.seconds else 0.0
        reached = "" if counts.time is None else f", up to time point {counts.time}"
        lines = [
            ("time", f"{self.seconds:.2f} s{reached}"),
            ("elements", f"{counts.all_elements:,} with {counts.triples:,} triples ({rate:,.0f}/s)"),
        ]
        lines += [(f"  {name}", f"{n:,}") for name, n in counts.elements.items() if len(counts.elements) > 1]
        if counts.entailed or counts.clashes:
            clashes = f", {counts.clashes:,} clashes" if counts.clashes else ""
            lines.append(("entailed", f"{counts.entailed:,} triples{clashes}"))
        if counts.skipped:
            lines.append(("left out", f"{counts.skipped:,} elements that were wrong"))
        if counts.late or counts.ahead or counts.duplicates:
            told = f"{counts.late:,} late, {counts.ahead:,} too far ahead, {counts.duplicates:,} twice"
            lines.append(("dropped", told))
        lines += [
            (f"{name}", f"{n:,} answers, {self.held.get(name, 0):,} facts held")
            for name, n in counts.answers.items()
        ]
        lines += [
            (name, f"{found['graphs']:,} graphs, {found['triples']:,} triples")
            for name, found in self.sinks.items()
        ]
        spent = sum(self.phases.values()) or 1.0
        shares = [f"{phase} {100 * part / spent:.0f} %" for phase, part in self.phases.items() if part]
        if shares:
            lines.append(("phases", ", ".join(shares)))
        width = max(len(name) for name, _ in lines)
        return "\n".join(f"{name:<{width}}  {text}" for name, text in lines)
