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


def _column(rows: Iterable[Row], key: str) -> list[Any]:
    return [row[key] for row in rows]
