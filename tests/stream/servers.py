"""Real triple stores for tests: each starts on free loopback ports under a temporary directory, and stops.

A store whose program is not installed skips the test; with LASER_RDF_REQUIRE_STORES=1 it fails it instead.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pyoxigraph as ox
import pytest

DEADLINE = 90.0
"""How long a server may take to start on a busy machine; on an idle one none takes more than seconds."""

VIRTUOSO_INI = """\
[Database]
DatabaseFile = {home}/virtuoso.db
ErrorLogFile = {home}/virtuoso.log
LockFile = {home}/virtuoso.lck
TransactionFile = {home}/virtuoso.trx
xa_persistent_file = {home}/virtuoso.pxa
FileExtend = 200
TempStorage = TempDatabase
[TempDatabase]
DatabaseFile = {home}/virtuoso-temp.db
TransactionFile = {home}/virtuoso-temp.trx
[Parameters]
ServerPort = 127.0.0.1:{sql}
DisableUnixSocket = 1
CaseMode = 2
NumberOfBuffers = 4000
MaxDirtyBuffers = 3000
CheckpointInterval = 0
MaxQueryMem = 256M
ThreadsPerQuery = 2
AsyncQueueMaxThreads = 2
DirsAllowed = {home}
[HTTPServer]
ServerPort = 127.0.0.1:{http}
ServerRoot = {home}
ServerThreads = 8
MaxKeepAlives = 8
KeepAliveTimeout = 30
[SPARQL]
ResultSetMaxRows = 1000000
"""

# The first lines let everybody write through /sparql, as a private server on loopback may; the user `reader`
# can log in but has no right to update.
VIRTUOSO_GRANTS = """\
DB.DBA.RDF_DEFAULT_USER_PERMS_SET('nobody', 7);
GRANT SPARQL_UPDATE TO "SPARQL";
DB.DBA.USER_CREATE('reader', 'readonly');
GRANT SPARQL_SELECT TO "reader";
DB.DBA.RDF_DEFAULT_USER_PERMS_SET('reader', 1);
"""


@dataclass(frozen=True)
class Store:
    """Where a running store takes queries, updates and graphs."""

    name: str
    query_url: str
    update_url: str
    graphs_url: str
    auth_update_url: str = ""
    auth_graphs_url: str = ""

    def graphs(self, prefix: str) -> dict[str, set[ox.Triple]]:
        """The graphs whose names begin so, with what they hold, in one query."""
        query = (
            f'SELECT ?g ?s ?p ?o WHERE {{ GRAPH ?g {{ ?s ?p ?o }} FILTER(STRSTARTS(STR(?g), "{prefix}")) }}'
        )
        answer = httpx.post(
            self.query_url,
            data={"query": query},
            headers={"accept": "application/sparql-results+xml"},
            timeout=120,
        )
        answer.raise_for_status()
        solutions = ox.parse_query_results(answer.content, format=ox.QueryResultsFormat.XML)
        assert isinstance(solutions, ox.QuerySolutions)
        found: dict[str, set[ox.Triple]] = {}
        for solution in solutions:
            g, s, p, o = solution
            found.setdefault(g.value, set()).add(ox.Triple(s, p, o))
        return found

    def graph(self, name: str) -> set[ox.Triple]:
        """What one graph holds, by CONSTRUCT: N-Triples have every character, XML has not."""
        answer = httpx.post(
            self.query_url,
            data={"query": f"CONSTRUCT {{ ?s ?p ?o }} WHERE {{ GRAPH <{name}> {{ ?s ?p ?o }} }}"},
            headers={"accept": "application/n-triples" if self.name == "oxigraph" else "text/plain"},
            timeout=60,
        )
        answer.raise_for_status()
        return {quad.triple for quad in ox.parse(answer.content, format=ox.RdfFormat.N_TRIPLES)}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def required(program: str | None, advice: str) -> str:
    """The program; a test that needs it is skipped without, or fails where stores are required."""
    if program is not None:
        return program
    if os.environ.get("LASER_RDF_REQUIRE_STORES") == "1":
        pytest.fail(f"a store is missing and LASER_RDF_REQUIRE_STORES=1: {advice}")
    pytest.skip(advice)


def _wait(process: subprocess.Popen[bytes], ready: Callable[[], bool], log: Path) -> None:
    end = time.monotonic() + DEADLINE
    while time.monotonic() < end:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended at once:\n{log.read_text(errors='replace')[-4000:]}")
        if ready():
            return
        time.sleep(0.02)
    raise RuntimeError(
        f"the server was not ready in {DEADLINE} s:\n{log.read_text(errors='replace')[-4000:]}"
    )


@contextmanager
def _running(command: list[str], home: Path, ready: Callable[[], bool]) -> Iterator[None]:
    log = home / "server.log"
    with log.open("wb") as out:
        process = subprocess.Popen(command, cwd=home, stdin=subprocess.DEVNULL, stdout=out, stderr=out)
    try:
        _wait(process, ready, log)
        yield
    finally:
        process.kill()  # what it has stored goes with the directory
        process.wait()


def _answers(url: str) -> bool:
    try:
        return httpx.get(url, timeout=5).status_code < 500
    except httpx.HTTPError:
        return False


def _oxigraph_program() -> str:
    beside = Path(sys.executable).with_name("oxigraph")
    found = str(beside) if beside.exists() else shutil.which("oxigraph")
    return required(found, "the Oxigraph server is not installed: pip install oxigraph")


@contextmanager
def oxigraph_server(home: Path, read_only: bool = False) -> Iterator[Store]:
    """`oxigraph serve`, or `serve-read-only` over what an earlier server left in the directory."""
    program, port = _oxigraph_program(), free_port()
    data = home / "data"
    command = [program, "serve-read-only" if read_only else "serve"]
    command += ["--location", str(data), "--bind", f"127.0.0.1:{port}"]
    base = f"http://127.0.0.1:{port}"
    with _running(command, home, lambda: _answers(f"{base}/query?query=ASK%7B%7D")):
        yield Store("oxigraph", f"{base}/query", f"{base}/update", f"{base}/store")


@contextmanager
def virtuoso_server(home: Path) -> Iterator[Store]:
    """Virtuoso with a fresh database; `dba` has the password `dba`, `reader` the password `readonly`."""
    advice = "Virtuoso 7 is not installed: apt-get install virtuoso-opensource"
    program = required(shutil.which("virtuoso-t"), advice)
    isql = required(shutil.which("isql-vt") or shutil.which("isql-v"), advice)
    http, sql = free_port(), free_port()
    ini = home / "virtuoso.ini"
    ini.write_text(VIRTUOSO_INI.format(home=home, http=http, sql=sql))
    base = f"http://127.0.0.1:{http}"
    with _running(
        [program, "+foreground", "+configfile", str(ini)],
        home,
        lambda: _answers(f"{base}/sparql?query=ASK%7B%7D"),
    ):
        subprocess.run(
            [isql, f"127.0.0.1:{sql}", "dba", "dba", "ERRORS=STDOUT"],
            input=VIRTUOSO_GRANTS.encode(),
            check=True,
            capture_output=True,
            timeout=60,
        )
        yield Store(
            "virtuoso",
            f"{base}/sparql",
            f"{base}/sparql",
            f"{base}/sparql-graph-crud",
            f"{base}/sparql-auth",
            f"{base}/sparql-graph-crud-auth",
        )
