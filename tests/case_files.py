"""Cases as data: a program, a stream and the expected answers, run on every evaluator there is.

tests/cases/<group>/<case>/
    program.lars        the program
    stream.atoms        the stream (or stream.<name>.atoms for streams with names)
    background.atoms    background atoms, if any
    expected.txt        what `laser-rdf eval` prints: one line per time point
    answer.txt          what `laser-rdf eval --emit answer` prints, if the case is about `at` heads
    options.json        further options of `eval`, if any: {"clock": "1 min", "until": 50, "start": 35}
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

CASES = Path(__file__).parent / "cases"


@dataclass(frozen=True)
class Case:
    """One directory of tests/cases."""

    path: Path

    def __str__(self) -> str:
        return str(self.path.relative_to(CASES))

    def arguments(self) -> list[str]:
        """The command line that runs it, without engine and output options."""
        arguments = ["eval", str(self.path / "program.lars")]
        for stream in sorted(self.path.glob("stream*.atoms")):
            name = stream.name.removesuffix(".atoms").removeprefix("stream").removeprefix(".")
            arguments += ["--stream", f"{name}={stream}" if name else str(stream)]
        if (self.path / "background.atoms").exists():
            arguments += ["--background", str(self.path / "background.atoms")]
        options = self.path / "options.json"
        for option, value in (json.loads(options.read_text()) if options.exists() else {}).items():
            arguments += [f"--{option}", str(value)]
        return arguments


def all_cases() -> list[Case]:
    """Every case there is."""
    return [Case(program.parent) for program in sorted(CASES.rglob("program.lars"))]
