"""User names and passwords: where they come from, and that they are never shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from laser_rdf.errors import UsageError
from laser_rdf.stream import Credentials
from laser_rdf.stream.credentials import find_credentials

NETRC = "machine store.example.org login anna password hunter2\nmachine other login bob password b\n"


def secret(tmp_path: Path, text: str, mode: int = 0o600) -> Path:
    path = tmp_path / "secret"
    path.write_text(text)
    path.chmod(mode)
    return path


def test_they_are_not_shown() -> None:
    assert "hunter2" not in repr(Credentials("anna", "hunter2"))


def test_the_environment() -> None:
    assert find_credentials(None, "host", {}) is None
    found = find_credentials(None, "host", {"LASER_RDF_USER": "anna", "LASER_RDF_PASSWORD": ""})
    assert found is not None
    assert (found.user, found.password) == ("anna", "")
    with pytest.raises(UsageError, match="`LASER_RDF_PASSWORD` is not set"):
        find_credentials(None, "host", {"LASER_RDF_USER": "anna"})


@pytest.mark.parametrize("text", ["anna:hunter2:x\n", "anna:hunter2:x", "anna:hunter2:x\r\n"])
def test_a_file_with_a_line(text: str, tmp_path: Path) -> None:
    found = find_credentials(secret(tmp_path, text), "host")
    assert found is not None
    assert (found.user, found.password) == ("anna", "hunter2:x")


def test_a_file_in_the_form_of_netrc(tmp_path: Path) -> None:
    path = secret(tmp_path, NETRC)
    found = find_credentials(str(path), "store.example.org")
    assert found is not None
    assert (found.user, found.password) == ("anna", "hunter2")
    with pytest.raises(UsageError, match="no entry for `machine elsewhere`"):
        find_credentials(path, "elsewhere")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("hunter2\n", "no line `user:password`"),
        (":hunter2\n", "no line `user:password`"),
        ("anna:hunter2\nbob:hunter2\n", "no line `user:password`"),
        ("", "no line `user:password`"),
        ("machine x login anna hunter2 hunter2\n", "not in the form of a netrc file, see line 1"),
    ],
)
def test_files_that_are_wrong(text: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        find_credentials(secret(tmp_path, text), "x")
    assert says in str(caught.value)
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620])
def test_a_file_that_others_may_read_is_refused(mode: int, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="chmod 600"):
        find_credentials(secret(tmp_path, "anna:hunter2", mode), "host")


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    path = secret(tmp_path, "")
    path.write_bytes(b"anna:\xff")
    with pytest.raises(UsageError, match="not UTF-8"):
        find_credentials(path, "host")
