"""Every example runs in a process of its own, as a reader runs it, and prints what is written down here."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
EXPECTED = Path(__file__).parent / "expected"
SCRIPTS = sorted(EXAMPLES.glob("[0-9]*.py"))


def run(script: Path, directory: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", *options, str(script)],
        cwd=directory,
        capture_output=True,
        encoding="utf-8",
        env={"PATH": "/usr/bin:/bin", "PYTHONUTF8": "1"},
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_an_example_prints_what_it_should(script: Path, tmp_path: Path, golden) -> None:
    ran = run(script, tmp_path)
    assert (ran.returncode, ran.stderr) == (0, "")
    golden(EXPECTED / f"{script.stem}.txt", ran.stdout)
    assert list(tmp_path.iterdir()) == [], "an example leaves nothing behind"


def test_the_examples_are_the_ones_that_were_promised() -> None:
    subjects = "hello_rules fire_alarm trams cooling cascade sparql_store explanation rdflib".split()
    assert [path.stem for path in SCRIPTS] == [f"{n:02d}_{name}" for n, name in enumerate(subjects, 1)]
    assert {path.stem for path in EXPECTED.glob("*.txt")} == {path.stem for path in SCRIPTS}


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_an_example_is_short(script: Path) -> None:
    assert len(script.read_text(encoding="utf-8").splitlines()) < 60


def test_without_a_server_the_store_is_in_the_process(tmp_path: Path) -> None:
    """The sixth example says so, and answers the same."""
    script = EXAMPLES / "06_sparql_store.py"
    hidden = tmp_path / "hidden.py"
    hidden.write_text(
        "import runpy, shutil\n"
        "shutil.which = lambda *args, **options: None\n"
        f"runpy.run_path({str(script)!r}, run_name='__main__')\n",
        encoding="utf-8",
    )
    ran = run(hidden, tmp_path)
    assert ran.returncode == 0
    assert ran.stderr == "no `oxigraph` command: using a store in this process instead\n"
    assert ran.stdout == (EXPECTED / "06_sparql_store.txt").read_text(encoding="utf-8")
