"""A user name and a password for a store: from the environment or a file, never from a URL or a command line.

None          LASER_RDF_USER and LASER_RDF_PASSWORD, if they are set
env:STORE     STORE_USER and STORE_PASSWORD
PATH          a file that only its owner can read: one line `user:password`, or the form of ~/.netrc
"""

from __future__ import annotations

import netrc
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from laser_rdf.errors import UsageError, escape_control

USUAL = "LASER_RDF"
_ENVIRONMENT = "env:"
_MAX_BYTES = 65_536


@dataclass(frozen=True, slots=True)
class Credentials:
    """Who writes. The password is never shown; `source` says where to correct it.

    >>> Credentials("anna", "secret")
    Credentials(user='anna', source='the credentials given')
    """

    user: str
    password: str = field(repr=False)
    source: str = "the credentials given"


Given = Credentials | str | os.PathLike[str] | None


def find_credentials(
    given: Given, host: str, environment: Mapping[str, str] | None = None
) -> Credentials | None:
    """The credentials for a host; None if there are none.

    >>> find_credentials("env:STORE", "localhost", {"STORE_USER": "anna", "STORE_PASSWORD": "secret"})
    Credentials(user='anna', source='STORE_USER and STORE_PASSWORD')
    """
    if isinstance(given, Credentials):
        return given
    known = os.environ if environment is None else environment
    if given is None:
        return _from_environment(USUAL, known) if f"{USUAL}_USER" in known else None
    if isinstance(given, str) and given.startswith(_ENVIRONMENT):
        return _from_environment(given.removeprefix(_ENVIRONMENT), known)
    return _from_file(Path(given), host)


def _from_environment(prefix: str, known: Mapping[str, str]) -> Credentials:
    names = f"{prefix}_USER", f"{prefix}_PASSWORD"
    for name in names:
        if name not in known:
            raise UsageError(f"the environment variable `{escape_control(name)}` is not set")
    return Credentials(known[names[0]], known[names[1]], " and ".join(names))


def _from_file(path: Path, host: str) -> Credentials:
    shown = escape_control(str(path))
    try:
        with path.open("rb") as file:
            # Asked of the open file: the path may lead elsewhere a moment later.
            if os.name == "posix" and os.fstat(file.fileno()).st_mode & (stat.S_IRWXG | stat.S_IRWXO):
                raise UsageError(f"others may read the credentials in `{shown}`: chmod 600 it")
            text = file.read(_MAX_BYTES).decode()
    except OSError as problem:
        raise UsageError(f"cannot read the credentials in `{shown}`: {problem.strerror or problem}") from None
    except UnicodeDecodeError:
        raise UsageError(f"the credentials in `{shown}` are not UTF-8") from None
    source = f"`{shown}`"
    if text.split(None, 1)[:1] in (["machine"], ["default"]):
        return _from_netrc(path, shown, host)
    user, colon, password = text.rstrip("\r\n").partition(":")
    if not colon or not user or "\n" in password:
        raise UsageError(f"there is no line `user:password` in `{shown}`")
    return Credentials(user, password, source)


def _from_netrc(path: Path, shown: str, host: str) -> Credentials:
    try:
        found = netrc.netrc(str(path)).authenticators(host)
    except (netrc.NetrcParseError, OSError) as problem:
        # What the parser stumbled over may be the password: only the line is shown.
        line = getattr(problem, "lineno", None)
        raise UsageError(f"`{shown}` is not in the form of a netrc file, see line {line}") from None
    if found is None:
        raise UsageError(f"`{shown}` has no entry for `machine {escape_control(host)}`")
    return Credentials(found[0], found[2] or "", f"`{shown}`")
