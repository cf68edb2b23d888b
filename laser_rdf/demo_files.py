"""The directory of the demo: streams that are made, programs and vocabularies that are copied.

    laser-rdf-demo/  readings.trig  notices.trig  rooms.ttl  building.ttl  smoke.rq  alarms.lars  …

All a user needs to change something and run it again is there.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from laser_rdf.demo_readings import notices, readings
from laser_rdf.errors import UsageError, escape_control
from laser_rdf.shipped import shipped

USUAL_PLACE = "laser-rdf-demo"
COPIED = (
    ("vocab", "building.ttl"),
    ("queries", "building", "rooms.ttl"),
    ("queries", "building", "smoke.rq"),
    ("queries", "building", "alarms.lars"),
    ("queries", "building", "evacuation.lars"),
    ("queries", "building", "fires.rq"),
    ("queries", "building", "pipeline.toml"),
)
_MARK = "made-by-laser-rdf-demo.txt"
"""Only a directory with this file is written over."""


def make_files(place: str | Path, seed: int) -> Path:
    """Write the files of the demo to a directory; UsageError if it holds anything else."""
    directory = Path(place)
    shown = escape_control(str(place))
    try:
        if directory.exists() and not (directory / _MARK).exists() and any(directory.iterdir()):
            raise UsageError(f"`{shown}` has other files in it: give a new or empty directory, `--out DIR`")
        directory.mkdir(parents=True, exist_ok=True)
        (directory / _MARK).write_text("`laser-rdf demo` writes over what is here.\n", encoding="utf-8")
        shutil.rmtree(directory / "store", ignore_errors=True)
        with (directory / "readings.trig").open("w", encoding="utf-8") as file:
            file.writelines(readings(seed))
        (directory / "notices.trig").write_text(notices(), encoding="utf-8")
        for parts in COPIED:
            (directory / parts[-1]).write_bytes(shipped(*parts).read_bytes())
    except (OSError, ValueError) as problem:
        reason = escape_control(getattr(problem, "strerror", None) or str(problem))
        raise UsageError(f"cannot write to `{shown}`: {reason}: choose a place with `--out DIR`") from None
    return directory
