"""What was measured, for machines (JSON), for people (Markdown) and as pictures (PNG, SVG).

A report is a list of rows by section; every row holds its numbers with the parameters they belong to.
"""

from __future__ import annotations

import json
import os
import platform
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from laser_rdf.version import VERSION

Row = dict[str, Any]

TITLES = {
    "micro": "Engine : hand-written loop = ratio, microseconds per atom, by window/rate",
    "ten_rules": "Ten rules that share one body against one rule, changes only, microseconds per atom",
    "window_growth": "Window 80 against window 10, changes only, microseconds per atom",
    "gap": "A gap of empty time points with expiries inside",
    "memory": "Resident memory after distinct atoms through a window of 1,000",
    "recursion": "Transitive closure over a sliding window against recomputing it, microseconds per step",
    "incremental": "Closure of a window: recomputed, deleted and rederived, or expiring; us per step",
    "crossings": "At which changed shares one maintainer is slower than another",
    "dotr_default": "Default scenario of the DOTR paper, milliseconds per graph, by what is selected",
    "dotr_background": "Background size, milliseconds per graph",
    "dotr_rules": "Number of rules, by what is selected and where the thresholds stand; ms per graph",
    "dotr_datalog": "Number of Datalog rules, milliseconds per graph",
    "dotr_length": "Events in a pattern, milliseconds per graph",
    "dotr_targets": "What was promised",
    "peer": "clingo, a fresh program per time point : engine = ratio, microseconds per atom, by window/rate",
}
"""The sections in order, with what each shows."""


SIDES = {"micro": ("engine_us", "loop_us"), "peer": ("clingo_us", "engine_us")}
"""What stands on the left and right of each ratio in sections that are shown by window and rate."""


@dataclass
class Report:
    """A run of a benchmark, perhaps one that was stopped early."""

    benchmark: str
    options: Row
    machine: Row = field(default_factory=lambda: describe_machine())
    sections: dict[str, list[Row]] = field(default_factory=dict)
    stopped_by: str | None = None
    """Why the run ended before everything was measured."""

    def add(self, section: str, row: Row) -> None:
        """One more result."""
        self.sections.setdefault(section, []).append(row)

    def as_json(self) -> Row:
        """The whole report for machines."""
        return {
            "benchmark": self.benchmark,
            "complete": self.stopped_by is None,
            "stopped_by": self.stopped_by,
            "machine": self.machine,
            "options": self.options,
            "results": self.sections,
        }

    def as_markdown(self) -> str:
        """The whole report for people, one table per section."""
        machine = ", ".join(f"{key} {value}" for key, value in self.machine.items())
        lines = [f"# bench {self.benchmark}", "", f"{machine}.", ""]
        if self.stopped_by is not None:
            lines += [f"The run was stopped by {self.stopped_by}: what follows is not everything.", ""]
        for section, title in TITLES.items():
            if section in self.sections:
                rows = self.sections[section]
                if section in SIDES:
                    rows = side_by_side(rows, *SIDES[section])
                lines += [f"## {title}", "", table(rows), ""]
        return "\n".join(lines)


def describe_machine() -> Row:
    """Where and when a report was made."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "cpu": cpu_model(),
        "cores": os.cpu_count() or 0,
        "system": platform.system(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "laser-rdf": VERSION,
    }


def cpu_model() -> str:
    """The name of the processor as the system gives it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    for line in lines:
        key, _, value = line.partition(":")
        if key.strip() == "model name":
            return value.strip()
    return platform.processor() or platform.machine()


def table(rows: list[Row]) -> str:
    """Rows with the same keys as a Markdown table.

    >>> print(table([{"window": 20, "ratio": 1.5, "mode": "full"}]))
    | window | ratio | mode |
    |---:|---:|---|
    | 20 | 1.50 | full |
    """
    keys = list(rows[0])
    numeric = [not isinstance(rows[0][key], str) for key in keys]
    head = "| " + " | ".join(key.replace("_", " ") for key in keys) + " |"
    rule = "|" + "".join("---:|" if is_number else "---|" for is_number in numeric)
    body = ["| " + " | ".join(_shown(row[key]) for key in keys) + " |" for row in rows]
    return "\n".join([head, rule, *body])


def side_by_side(rows: list[Row], left: str, right: str) -> list[Row]:
    """The rows of the experiments as one for each experiment and mode, with a column per window and rate.

    >>> row = {"experiment": "join", "mode": "full", "window": 20, "rate": 200}
    >>> side_by_side([{**row, "engine_us": 3.0, "loop_us": 2.0}], "engine_us", "loop_us")
    [{'experiment': 'join', 'mode': 'full', '20/200': '3.00 : 2.00 = 1.50'}]
    """
    columns = sorted({(row["rate"], row["window"]) for row in rows})
    found: dict[tuple[str, str], Row] = {}
    for row in rows:
        key = row["experiment"], row["mode"]
        empty = {f"{window}/{rate}": "" for rate, window in columns}
        shown = f"{_shown(row[left])} : {_shown(row[right])} = {row[left] / row[right]:.2f}"
        line = found.setdefault(key, {"experiment": key[0], "mode": key[1], **empty})
        line[f"{row['window']}/{row['rate']}"] = shown
    return list(found.values())


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.2f}" if abs(value) >= 1 else f"{value:.3f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def write(report: Report, folder: Path) -> list[Path]:
    """Write the report into a folder; the files that were written."""
    from laser_rdf.bench.pictures import draw

    folder.mkdir(parents=True, exist_ok=True)
    data, text = folder / f"{report.benchmark}.json", folder / f"{report.benchmark}.md"
    data.write_text(json.dumps(report.as_json(), indent=1) + "\n", encoding="utf-8")
    text.write_text(report.as_markdown(), encoding="utf-8")
    return [data, text, *draw(report, folder)]
