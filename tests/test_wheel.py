"""The wheel is whole: installed elsewhere, away from the repository, it runs the demo.

Building needs setuptools, which pip fetches; with nowhere to fetch it from, the tests that build skip.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NEEDED = ("pyproject.toml", "README.md", "LICENSE", "laser_rdf", "vocab", "queries")


def test_every_package_is_listed() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        listed = tomllib.load(file)["tool"]["setuptools"]["packages"]
    code = {path.parent.relative_to(ROOT) for path in (ROOT / "laser_rdf").rglob("__init__.py")}
    data = {
        "laser_rdf" / path.parent.relative_to(ROOT)
        for folder in ("vocab", "queries")
        for path in (ROOT / folder).rglob("*.*")
    }
    there = {".".join(path.parts) for path in code | data | {Path("laser_rdf/queries")}}
    assert sorted(listed) == sorted(there)


def has_setuptools() -> bool:
    """Whether the one that pyproject.toml asks for is here already."""
    try:
        return int(version("setuptools").partition(".")[0]) >= 77
    except PackageNotFoundError:
        return False


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy, so that nothing left over from another build gets in."""
    source = tmp_path_factory.mktemp("source")
    unwanted = shutil.ignore_patterns("__pycache__")
    for name in NEEDED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, ignore=unwanted)
        else:
            shutil.copy(ROOT / name, source / name)
    out = source / "wheels"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--no-deps", "-w", str(out)]
    isolation = ["--no-build-isolation"] if has_setuptools() else []
    built = subprocess.run(
        [*pip, *isolation, str(source)], capture_output=True, text=True, timeout=300, check=False
    )
    if built.returncode and "setuptools" in built.stderr and "No matching distribution" in built.stderr:
        pytest.skip("no setuptools to build with, and nowhere to get it from")
    assert built.returncode == 0, built.stderr
    [found] = out.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def elsewhere(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with the wheel; what it depends on is taken from the one the tests run in."""
    place = tmp_path_factory.mktemp("elsewhere")
    venv.create(place / "env", with_pip=False)
    installed = place / "env" / "lib" / f"python{sysconfig.get_python_version()}" / "site-packages"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(place / "env")]
    done = subprocess.run(
        [*pip, "install", "--no-deps", str(wheel)], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    # A bare path: the .pth files there, the editable installation among them, are not read.
    (installed / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return place


def run(elsewhere: Path, command: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(elsewhere / "env" / "bin" / command), *arguments],
        cwd=elsewhere,
        capture_output=True,
        encoding="utf-8",
        env={name: value for name, value in os.environ.items() if not name.startswith("PYTHON")},
        timeout=120,
        check=False,
    )


def test_the_wheel_has_the_files_that_are_no_code(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder in ("vocab", "queries"):
        files = [path for path in (ROOT / folder).rglob("*") if path.is_file()]
        assert files
        assert {f"laser_rdf/{path.relative_to(ROOT).as_posix()}" for path in files} <= names
    assert {"laser_rdf/py.typed", "laser_rdf/lang/grammar.lark"} <= names
    tops = {name.partition("/")[0] for name in names}
    assert {top.partition("-")[0] for top in tops} == {"laser_rdf"}, "nothing beside the package"


def test_the_installed_demo_runs(elsewhere: Path) -> None:
    where = run(elsewhere, "python", "-c", "import laser_rdf; print(laser_rdf.__file__)")
    assert where.stdout.startswith(str(elsewhere)), where.stderr or where.stdout
    ran = run(elsewhere, "laser-rdf", "demo")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "08:06:31  FireAlarm     kitchen" in ran.stdout
    assert (elsewhere / "laser-rdf-demo" / "results.trig").stat().st_size > 0
