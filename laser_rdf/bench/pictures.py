"""The pictures of a report; matplotlib comes with the extra `bench`."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

from laser_rdf.bench.report import Report, Row
from laser_rdf.errors import UsageError

COLUMNS = 3
FORMATS = ("png", "svg")
DOTR_PANELS = (
    ("dotr_background", "background", "background triples"),
    ("dotr_rules", "rules", "rules"),
    ("dotr_datalog", "datalog", "Datalog rules"),
    ("dotr_length", "length", "events in a pattern"),
)
"""Sections of `bench dotr`, what is varied in each, and how that is called."""


def require_matplotlib() -> Any:
    """The class of figures, or how to get it; asked before measuring, so that nothing is measured in vain."""
    try:
        return import_module("matplotlib.figure").Figure
    except ImportError:
        raise UsageError("pictures need matplotlib: pip install laser-rdf[bench]") from None


def draw(report: Report, folder: Path) -> list[Path]:
    """Draw what the report has results for; the files that were written."""
    figures: dict[str, Any] = {}
    micro = report.sections.get("micro", [])
    for mode in sorted({row["mode"] for row in micro}):
        figures[mode] = _micro([row for row in micro if row["mode"] == mode])
    if "recursion" in report.sections:
        figures["recursion"] = _recursion(report.sections["recursion"])
    if "incremental" in report.sections:
        figures["steps"] = _incremental(report.sections["incremental"])
    if dotr := [panel for panel in DOTR_PANELS if panel[0] in report.sections]:
        figures["sensitivity"] = _dotr(report, dotr)
    written = []
    for name, figure in figures.items():
        for kind in FORMATS:
            path = folder / f"{report.benchmark}-{name}.{kind}"
            figure.savefig(path, dpi=120)
            written.append(path)
    return written


def _micro(rows: list[Row]) -> Any:
    """One plot per experiment: microseconds per atom over the window, a line per rate and side."""
    names = list(dict.fromkeys(row["experiment"] for row in rows))
    across = min(COLUMNS, len(names))
    down = -(-len(names) // across)
    figure = require_matplotlib()(figsize=(4.2 * across, 3.2 * down), layout="constrained")
    for place, name in enumerate(names, start=1):
        axes = figure.add_subplot(down, across, place)
        own = [row for row in rows if row["experiment"] == name]
        for rate in sorted({row["rate"] for row in own}):
            at_rate = sorted((row for row in own if row["rate"] == rate), key=lambda row: row["window"])
            windows = [row["window"] for row in at_rate]
            (line,) = axes.plot(windows, _column(at_rate, "engine_us"), "o-", label=f"engine, {rate}")
            axes.plot(
                windows, _column(at_rate, "loop_us"), "x--", color=line.get_color(), label=f"loop, {rate}"
            )
        axes.set_title(f"{name}, {own[0]['mode']}")
        axes.set_xlabel("window (time points)")
        axes.set_ylabel("µs per atom")
        axes.set_ylim(bottom=0)
        axes.legend(fontsize="x-small")
    return figure


def _recursion(rows: list[Row]) -> Any:
    """Time per step over the changed share."""
    figure = require_matplotlib()(figsize=(5, 3.6), layout="constrained")
    axes = figure.add_subplot(1, 1, 1)
    shares = _column(rows, "changed_percent")
    for key, style, label in (("engine_us", "o-", "engine"), ("recomputed_us", "x--", "recomputed")):
        axes.plot(shares, _column(rows, key), style, label=label)
    axes.set_xscale("log")
    axes.set_xticks(shares, [str(share) for share in shares])
    axes.minorticks_off()
    axes.set_ylim(bottom=0)
    axes.set_xlabel("share of the window that changes per step (%)")
    axes.set_ylabel("µs per step")
    axes.legend()
    return figure


def _incremental(rows: list[Row]) -> Any:
    """Time per step over the changed share, for three maintainers; both scales are logarithmic."""
    figure = require_matplotlib()(figsize=(6, 4), layout="constrained")
    axes = figure.add_subplot(1, 1, 1)
    shares = _column(rows, "changed_percent")
    for key, style, label in (
        ("recompute_us", "x--", "recompute everything"),
        ("rederive_us", "s:", "delete and rederive"),
        ("engine_us", "o-", "engine (expiration times)"),
    ):
        axes.plot(shares, _column(rows, key), style, label=label)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xticks(shares, [f"{share:g}" for share in shares])
    axes.minorticks_off()
    axes.set_xlabel("share of the window that changes per step (%)")
    axes.set_ylabel("µs per step")
    axes.legend()
    return figure


def _dotr(report: Report, panels: list[tuple[str, str, str]]) -> Any:
    """Time per graph over each thing that was varied; a line per selection and place of the thresholds."""
    figure = require_matplotlib()(figsize=(4.2 * 2, 3.4 * -(-len(panels) // 2)), layout="constrained")
    for place, (section, key, label) in enumerate(panels, start=1):
        axes = figure.add_subplot(-(-len(panels) // 2), 2, place)
        lines: dict[str, list[Row]] = {}
        for row in report.sections[section]:
            name = f"{row.get('selection', 'any')}, thresholds in {row.get('filters', 'queries')}"
            lines.setdefault(name, []).append(row)
        for name, rows in lines.items():
            axes.plot(_column(rows, key), _column(rows, "total_ms"), "o-", label=name)
        if key == "length":
            axes.set_xticks(sorted({row["length"] for row in report.sections[section]}))
        else:
            axes.set_xscale("log")
        if key in ("rules", "length"):
            axes.set_yscale("log")
        else:
            axes.set_ylim(0, 1.2 * max(_column(report.sections[section], "total_ms")))
        axes.set_xlabel(label)
        axes.set_ylabel("ms per graph")
        axes.legend(fontsize="x-small")
    return figure


def _column(rows: Iterable[Row], key: str) -> list[Any]:
    return [row[key] for row in rows]
