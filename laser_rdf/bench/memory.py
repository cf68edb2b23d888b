"""How large the process is after many distinct atoms went through a small window.

Each size runs in a process of its own: `python -m laser_rdf.bench.memory ATOMS` prints its kilobytes.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from laser_rdf.bench.report import Row
from laser_rdf.errors import EvaluationError

FEW, MANY = 200_000, 2_000_000
RATE, WINDOW = 100, 9
"""100 atoms at each of 10 time points: the window shows 1,000."""


def resident_kilobytes() -> int:
    """The memory of this process: resident now where the system says it, else at its largest."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        import resource

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak // 1024 if sys.platform == "darwin" else peak
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))


def push(atoms: int) -> int:
    """Push distinct atoms through the window; the resident kilobytes at the end."""
    from laser_rdf import Engine, Program

    engine = Engine(Program.parse(f"#external p/2 .\nq(A, B) :- p(A, B) in [{WINDOW}].\n"))
    for t in range(atoms // RATE):
        engine.step(t, [("p", (f"a{k}", f"b{k}")) for k in range(t * RATE, (t + 1) * RATE)])
    return resident_kilobytes()


def in_a_process(atoms: int) -> int:
    """The same in a fresh process."""
    package = Path(__file__).parents[2]
    path = os.pathsep.join(filter(None, [str(package), os.environ.get("PYTHONPATH", "")]))
    done = subprocess.run(  # noqa: S603 - this program itself
        [sys.executable, "-m", "laser_rdf.bench.memory", str(atoms)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
        check=False,
    )
    if done.returncode != 0:
        raise EvaluationError(f"the memory experiment failed in its process: {done.stderr.strip()[-400:]}")
    return int(done.stdout)


def measure_memory(few: int = FEW, many: int = MANY) -> Row:
    """Both sizes."""
    small, large = in_a_process(few), in_a_process(many)
    return {
        "window_atoms": RATE * (WINDOW + 1),
        "few_atoms": few,
        "many_atoms": many,
        "few_kb": small,
        "many_kb": large,
        "ratio": round(large / small, 4),
    }


if __name__ == "__main__":
    print(push(int(sys.argv[1])))
