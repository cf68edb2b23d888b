"""The pictures of `bench citybench`: latency, throughput over copies and background, memory over time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from laser_rdf.bench.citybench.report import CityReport, label
from laser_rdf.bench.pictures import FORMATS, require_matplotlib
from laser_rdf.bench.report import Row

COLOURS = 10
STYLES = ("-", "--", ":")


def draw(report: CityReport, folder: Path) -> list[Path]:
    """Draw what the report has results for; the files that were written."""
    figures: dict[str, Any] = {}
    plain = [row for row in report.series if row["copies"] == row["background"] == 1]
    if plain:
        figures["latency"] = _latency(plain)
    for parameter, other in (("copies", "background"), ("background", "copies")):
        rows = [row for row in report.rows if row[other] == 1]
        if len({row[parameter] for row in rows}) > 1:
            figures[parameter] = _throughput(rows, parameter)
    if report.series:
        figures["memory"] = _memory(report.series)
    written = []
    for name, figure in figures.items():
        for kind in FORMATS:
            path = folder / f"{report.benchmark}-{name}.{kind}"
            figure.savefig(path, dpi=120)
            written.append(path)
    return written


def _axes() -> tuple[Any, Any]:
    figure = require_matplotlib()(figsize=(7, 4.4), layout="constrained")
    return figure, figure.add_subplot(1, 1, 1)


def _style(number: int) -> dict[str, str]:
    """More queries than colours: then other strokes."""
    return {"color": f"C{number % COLOURS}", "linestyle": STYLES[number // COLOURS % len(STYLES)]}


def _latency(series: Sequence[Row]) -> Any:
    """The distribution of the time per graph: which share of graphs took at most so long."""
    figure, axes = _axes()
    for number, row in enumerate(series):
        times = row["graph_ms_quantiles"]
        shares = [100 * step / (len(times) - 1) for step in range(len(times))]
        axes.plot([max(time, 1e-4) for time in times], shares, label=row["query"], **_style(number))
    axes.set_xscale("log")
    axes.set_xlabel("ms per graph")
    axes.set_ylabel("share of graphs (%)")
    axes.grid(alpha=0.3)
    axes.legend(fontsize="x-small", ncols=2)
    return figure


def _throughput(rows: Sequence[Row], parameter: str) -> Any:
    """Graphs per second over the copies of a query or the size of the background."""
    figure, axes = _axes()
    values = sorted({row[parameter] for row in rows})
    for number, query in enumerate(dict.fromkeys(row["query"] for row in rows)):
        own = sorted((row for row in rows if row["query"] == query), key=lambda row: row[parameter])
        axes.plot(
            [row[parameter] for row in own],
            [row["graphs_per_second"] for row in own],
            marker="o",
            label=query,
            **_style(number),
        )
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xticks(values, [f"{value:g}" for value in values])
    axes.minorticks_off()
    axes.set_xlabel(
        "concurrent copies of the query" if parameter == "copies" else "background (× repository)"
    )
    axes.set_ylabel("graphs per second")
    axes.grid(alpha=0.3)
    axes.legend(fontsize="x-small", ncols=2)
    return figure


def _memory(series: Sequence[Row]) -> Any:
    """Resident memory over the time of a run."""
    figure, axes = _axes()
    for number, row in enumerate(series):
        seconds, megabytes = zip(*row["memory"], strict=True) if row["memory"] else ((), ())
        axes.plot(seconds, megabytes, label=label(row), **_style(number))
    axes.set_ylim(bottom=0)
    axes.set_xlabel("seconds since the run began")
    axes.set_ylabel("resident memory (MB)")
    axes.grid(alpha=0.3)
    if len(series) <= 16:  # more names than lines that can be told apart
        axes.legend(fontsize="xx-small")
    return figure
