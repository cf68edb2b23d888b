"""The report of `bench citybench`: tables by query, and an earlier run beside it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from laser_rdf.bench.report import Report, Row, table
from laser_rdf.errors import UsageError

RUNS, COMPARED = "runs", "compared"
KEY = ("query", "copies", "background", "rate", "paced")
"""The parameters by which runs of two reports are told to be the same."""

FIGURES = ("graph_ms_p50", "graph_ms_p99", "graphs_per_second", "peak_mb")
"""What is set beside an earlier run."""

SHOWN = {
    "query": "query",
    "graphs": "graphs",
    "graph_ms_p50": "ms p50",
    "graph_ms_p95": "p95",
    "graph_ms_p99": "p99",
    "graphs_per_second": "graphs/s",
    "peak_mb": "peak MB",
    "answers": "answers",
    "completeness": "complete",
}
"""The columns of the main table, with their heads."""


@dataclass
class CityReport(Report):
    """A run of the benchmark; `rows` are its measurements, `series` what only pictures show."""

    series: list[Row] = field(default_factory=list)

    @property
    def rows(self) -> list[Row]:
        """A row for each query, number of copies and size of background."""
        return self.sections.get(RUNS, [])

    @property
    def incomplete(self) -> list[Row]:
        """The runs with an answer that is missing or wrong."""
        return [row for row in self.rows if row["first_difference"] is not None]

    def as_json(self) -> Row:
        """The whole report for machines."""
        return {**super().as_json(), "series": self.series}

    def as_markdown(self) -> str:
        """The whole report for people."""
        machine = ", ".join(f"{key} {value}" for key, value in self.machine.items())
        lines = [f"# bench {self.benchmark}", "", f"{machine}.", ""]
        if self.stopped_by is not None:
            lines += [f"The run was stopped by {self.stopped_by}: what follows is not everything.", ""]
        for row in self.incomplete:
            lines += [f"**Not complete:** {label(row)}: {row['first_difference']}", ""]
        plain = [row for row in self.rows if row["copies"] == row["background"] == 1]
        if plain:
            lines += ["## One copy of each query: milliseconds per graph", "", table(_shown(plain)), ""]
        if any(row["paced"] for row in self.rows):
            late = [_late(row) for row in self.rows if row["paced"]]
            lines += ["## How late answers are: milliseconds after the end of the time point", ""]
            lines += [table(late), ""]
        for parameter, title in (
            (
                "copies",
                "Concurrent copies of a query: milliseconds per time point, p50, and against one copy",
            ),
            ("background", "Background, times the repository: milliseconds per time point, p50"),
        ):
            found = across(self.rows, parameter)
            if found:
                lines += [f"## {title}", "", table(found), ""]
        if self.sections.get(COMPARED):
            lines += ["## Beside an earlier run", "", table(self.sections[COMPARED]), ""]
        return "\n".join(lines)


def label(row: Mapping[str, Any]) -> str:
    """A run in words.

    >>> label({"query": "Q1", "copies": 20, "background": 1, "rate": 50, "paced": False})
    'Q1, 20 copies, background ×1, 50 rows/s'
    """
    copies = "1 copy" if row["copies"] == 1 else f"{row['copies']} copies"
    pace = ", paced" if row["paced"] else ""
    return f"{row['query']}, {copies}, background ×{row['background']}, {row['rate']:g} rows/s{pace}"


def across(rows: Iterable[Row], parameter: str) -> list[Row]:
    """A row per query, a column per value of a parameter: p50 of a time point, and its ratio to the first.

    >>> run = {"query": "Q1", "copies": 1, "background": 1, "point_ms_p50": 0.5}
    >>> across([run, {**run, "copies": 20, "point_ms_p50": 1.0}], "copies")
    [{'query': 'Q1', '1': '0.500', '20': '1.000 (×2.00)'}]
    """
    other = "background" if parameter == "copies" else "copies"
    found: dict[str, dict[int, float]] = {}
    for row in rows:
        if row[other] == 1:
            found.setdefault(row["query"], {})[row[parameter]] = row["point_ms_p50"]
    values = sorted({value for times in found.values() for value in times})
    if len(values) < 2:
        return []
    lines = []
    for query, times in found.items():
        base = times.get(values[0])
        line: Row = {"query": query}
        for value in values:
            time = times.get(value)
            ratio = f" (×{time / base:.2f})" if time and base and value != values[0] else ""
            line[str(value)] = "" if time is None else f"{time:.3f}{ratio}"
        lines.append(line)
    return lines


def _shown(rows: Iterable[Row]) -> list[Row]:
    return [{head: row[key] for key, head in SHOWN.items()} for row in rows]


def _late(row: Row) -> Row:
    found = {"run": label(row)}
    return found | {f"p{percent}": row[f"late_ms_p{percent}"] for percent in (50, 95, 99)}


def read_earlier(path: str | Path) -> list[Row]:
    """The runs of a report that was written before."""
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or "it is no JSON"
        raise UsageError(f"cannot read `{path}`: {reason}") from None
    is_ours = isinstance(data, dict) and data.get("benchmark") == "citybench"
    results = data.get("results") if is_ours else None
    runs = results.get(RUNS, []) if isinstance(results, dict) else None
    if not isinstance(runs, list) or not all(
        isinstance(row, dict) and {*KEY, *FIGURES} <= row.keys() for row in runs
    ):
        raise UsageError(f"`{path}` is no report of `bench citybench`: give a citybench.json of another run")
    return runs


def beside(rows: Iterable[Row], earlier: Iterable[Row]) -> list[Row]:
    """The figures now, then, and their ratio, for the runs that both reports have."""
    known = {tuple(row[key] for key in KEY): row for row in earlier}
    found = []
    for row in rows:
        then = known.get(tuple(row[key] for key in KEY))
        if then is None:
            continue
        line: Row = {"run": label(row)}
        for figure in FIGURES:
            ratio = f"{row[figure] / then[figure]:.2f}" if then[figure] else "–"
            line[figure] = f"{row[figure]:g} : {then[figure]:g} = {ratio}"
        found.append(line)
    return found


def write(report: CityReport, folder: Path) -> list[Path]:
    """Write the report into a folder; the files that were written."""
    from laser_rdf.bench.citybench.pictures import draw

    folder.mkdir(parents=True, exist_ok=True)
    data, text = folder / f"{report.benchmark}.json", folder / f"{report.benchmark}.md"
    data.write_text(json.dumps(report.as_json(), indent=1) + "\n", encoding="utf-8")
    text.write_text(report.as_markdown(), encoding="utf-8")
    return [data, text, *draw(report, folder)]
