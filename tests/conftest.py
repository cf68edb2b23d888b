"""What all tests share: how much hypothesis does, and how golden files are refreshed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# `make fuzz` raises the number of examples; timing says nothing on a busy machine, so there are no deadlines.
settings.register_profile(
    "laser",
    max_examples=int(os.environ.get("LASER_RDF_EXAMPLES", "200")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    print_blob=True,
)
settings.load_profile("laser")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="write golden files anew instead of comparing"
    )


@pytest.fixture
def golden(request: pytest.FixtureRequest):
    """Compare a text with a golden file; with --update-golden, write it."""
    update = request.config.getoption("--update-golden")

    def compare(path: Path, text: str) -> None:
        if update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.read_text(encoding="utf-8") == text

    return compare


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update-golden"))
