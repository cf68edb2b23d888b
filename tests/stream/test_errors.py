"""What goes wrong is said in one line that tells what to change, before any result is taken."""

from __future__ import annotations

import base64
import http.server
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pyoxigraph as ox
import pytest

from laser_rdf.errors import LaserError, SinkError, UsageError
from laser_rdf.stream import Credentials, open_sink
from tests.stream.results import EX, ex, result
from tests.stream.servers import Store, free_port

WRONG_PASSWORD = "hunter2"


def failure(target: str, **options: object) -> SinkError:
    sink = open_sink(target, **options)  # type: ignore[arg-type]
    try:
        with pytest.raises(SinkError) as caught:
            sink.check()
    finally:
        sink.close()
    message = str(caught.value)
    assert "\n" not in message
    assert WRONG_PASSWORD not in message
    return caught.value


def both(store: Store) -> list[str]:
    return [f"sparql:{store.update_url}", f"gsp:{store.graphs_url}"]


@pytest.mark.parametrize("kind", ["sparql", "gsp"])
def test_an_unreachable_store(kind: str) -> None:
    error = failure(f"{kind}:http://127.0.0.1:{free_port()}/update")
    assert "cannot reach the store at http://127.0.0.1:" in str(error)
    assert "see whether it is running" in str(error)
    assert error.transient


def test_a_read_only_store(read_only: Store) -> None:
    for target in both(read_only):
        assert "does not allow writing (The server is read-only)" in str(failure(target))


def test_a_wrong_path(store: Store) -> None:
    base = store.update_url.rpartition("/")[0]
    for kind in ("sparql", "gsp"):
        assert "correct the path of the address" in str(failure(f"{kind}:{base}/nowhere"))


def test_the_paths_of_oxigraph_mixed_up(oxigraph: Store) -> None:
    assert "does not take SPARQL updates" in str(failure(f"sparql:{oxigraph.graphs_url}"))
    assert "does not take graphs by PUT" in str(failure(f"gsp:{oxigraph.update_url}"))


def auth_targets(store: Store) -> list[str]:
    return [f"sparql:{store.auth_update_url}", f"gsp:{store.auth_graphs_url}"]


def test_digest_authentication(virtuoso: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for target in auth_targets(virtuoso):
        assert "asks for a user name and a password: set LASER_RDF_USER" in str(failure(target))
        wrong = failure(target, credentials=Credentials("dba", WRONG_PASSWORD))
        assert "does not accept user name and password: correct the credentials given" in str(wrong)
        reader = Credentials("reader", "readonly")
        assert "does not allow writing" in str(failure(target, credentials=reader))
    monkeypatch.setenv("LASER_RDF_USER", "dba")
    monkeypatch.setenv("LASER_RDF_PASSWORD", WRONG_PASSWORD)
    for target in auth_targets(virtuoso):
        assert "correct LASER_RDF_USER and LASER_RDF_PASSWORD" in str(failure(target))
    monkeypatch.setenv("LASER_RDF_PASSWORD", "dba")
    secret = tmp_path / "secret"
    secret.write_text("dba:dba\n")
    secret.chmod(0o600)
    for number, target in enumerate(auth_targets(virtuoso)):
        for credentials in (None, secret):
            graphs = [
                result(f"{EX}digest/{number}/{n}", [ox.Triple(ex("a"), ex("b"), ex("c"))]) for n in range(9)
            ]
            with open_sink(target, credentials=credentials) as sink:
                sink.check()
                for graph in graphs:
                    sink.write(graph)
            assert len(virtuoso.graphs(f"{EX}digest/{number}/")) == 9


def test_a_store_rejects_a_request(store: Store) -> None:
    nested = ox.Triple(ex("a"), ex("p"), ox.Triple(ex("a"), ex("p"), ex("b")))
    sink = open_sink(f"sparql:{store.update_url}")
    sink.write(result(f"{EX}nested", [nested]))
    if store.name == "oxigraph":
        sink.close()
        return
    with pytest.raises(
        SinkError, match=r"rejects a request \(HTTP 400\): Virtuoso 37000 Error SP030"
    ) as caught:
        sink.flush()
    assert len(str(caught.value)) < 400
    with pytest.raises(SinkError):  # what was not written is still there
        sink.close()


Answer = Callable[[http.server.BaseHTTPRequestHandler], None]


@contextmanager
def server(answer: Answer) -> Iterator[str]:
    """A server of our own, for what the stores here do not do."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            answer(self)

        do_PUT = do_POST  # noqa: N815 the name is the library's

        def log_message(self, format: str, *args: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{running.server_address[1]}"
        finally:
            running.shutdown()
            thread.join()


def reply(status: int, body: bytes = b"", **headers: str) -> Answer:
    def answer(request: http.server.BaseHTTPRequestHandler) -> None:
        request.send_response(status)
        for name, value in headers.items():
            request.send_header(name.replace("_", "-"), value)
        request.send_header("content-length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    return answer


def test_no_redirect_is_followed() -> None:
    asked = []

    def elsewhere(request: http.server.BaseHTTPRequestHandler) -> None:
        asked.append(dict(request.headers))
        reply(204)(request)

    with server(elsewhere) as other:
        place = f"{other.replace('http://', 'http://u:' + WRONG_PASSWORD + '@')}/update"
        with server(reply(307, location=place)) as url:
            error = failure(f"sparql:{url}/update", credentials=Credentials("u", WRONG_PASSWORD))
    assert "is not followed: give that address" in str(error)
    assert asked == []


def test_what_a_store_says_is_short_and_printable() -> None:
    with server(reply(400, b"bad \x1b[31m\r\n" + b"x" * 5000, content_type="text/plain")) as url:
        error = failure(f"sparql:{url}/update")
    assert "bad \\u001b[31m xxx" in str(error)
    assert len(str(error)) < 400


def test_a_busy_store_is_worth_another_try() -> None:
    with server(reply(503, b"later")) as url:
        assert failure(f"sparql:{url}/update").transient
    with server(reply(400, b"never")) as url:
        assert not failure(f"sparql:{url}/update").transient


def test_a_store_that_does_not_answer() -> None:
    stop = threading.Event()
    with server(lambda request: bool(stop.wait(30)) and None) as url:
        try:
            error = failure(f"sparql:{url}/update", timeout=0.2)
        finally:
            stop.set()
    assert "gave no answer in 0.2 s" in str(error)
    assert error.transient


def test_basic_authentication_when_it_is_asked_for() -> None:
    sent = []

    def guarded(request: http.server.BaseHTTPRequestHandler) -> None:
        sent.append(request.headers.get("authorization"))
        wanted = base64.b64encode(b"anna:s:cret").decode()
        if sent[-1] == f"Basic {wanted}":
            reply(204)(request)
        else:
            reply(401, www_authenticate='Basic realm="store"')(request)

    with server(guarded) as url:
        with open_sink(f"sparql:{url}/update", credentials=Credentials("anna", "s:cret")) as sink:
            sink.check()
            sink.write(result(EX))
        assert sent[0] is None
        assert None not in sent[1:]
        error = failure(f"sparql:{url}/update", credentials=Credentials("anna", WRONG_PASSWORD))
    assert "does not accept user name and password" in str(error)


def test_a_proxy_of_the_environment_is_not_used(oxigraph: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{free_port()}")
    with open_sink(f"sparql:{oxigraph.update_url}") as sink:
        sink.check()


@pytest.mark.parametrize(
    ("target", "says"),
    [
        ("sparql:http://anna:hunter2@localhost/update", "must not hold a password"),
        ("gsp:http://anna@localhost/store", "must not hold a password"),
        ("sparql:ftp://localhost/", "http:// or https://"),
        ("sparql:localhost:7878/update", "http:// or https://"),
        ("sparql:http://", "no address of a store"),
        ("sparql:http://localhost:99999/", "not valid"),
        ("sparql:http://localhost/update#x", "after `#`"),
        ("sparql:", "does not say where"),
        ("file:", "does not say where"),
        ("file:out.txt", "must end in .trig"),
        ("postgres:x", "is no sink"),
        ("http://anna:hunter2@localhost/", "is no sink"),
        ("rdflib:x", "is no sink"),
    ],
)
def test_targets_that_are_none(target: str, says: str) -> None:
    with pytest.raises(UsageError) as caught:
        open_sink(target)
    assert says in str(caught.value)
    assert WRONG_PASSWORD not in str(caught.value)


@pytest.mark.parametrize(
    ("target", "options", "says"),
    [
        ("file:out.trig", {"timeout": 5}, "has no option `timeout`; it has: append, metadata_graph"),
        ("rdflib", {"append": True}, "has no option `append`"),
        ("file:out.trig", {"mode": "diary"}, "use `log` or `state`"),
        ("file:out.trig", {"batch": 0}, "at least one graph"),
        ("file:out.trig", {"batch_seconds": float("nan")}, "0 or more"),
        ("file:out.trig", {"metadata_graph": "no iri"}, "not an IRI"),
        ("file:out.trig", {"mode": "state", "append": True}, "written whole"),
        ("gsp:http://localhost/", {"connections": 0}, "from 1 to 64"),
        ("sparql:http://localhost/", {"max_triples_per_request": 0}, "at least 1"),
        ("sparql:http://localhost/", {"credentials": "/nowhere/secret"}, "cannot read the credentials"),
        ("sparql:http://localhost/", {"credentials": "env:NOT_SET"}, "`NOT_SET_USER` is not set"),
    ],
)
def test_options_that_do_not_fit(target: str, options: dict[str, object], says: str) -> None:
    with pytest.raises(UsageError) as caught:
        open_sink(target, **options)  # type: ignore[arg-type]
    assert says in str(caught.value)


def test_embedded_stores_that_cannot_be_opened(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    assert "with other files in it" in str(failure(f"oxigraph:{tmp_path}"))
    assert "cannot open the store" in str(failure(f"oxigraph:{tmp_path / 'notes.txt'}"))
    held = ox.Store(tmp_path / "store")
    assert "no other process has it open" in str(failure(f"oxigraph:{tmp_path / 'store'}"))
    del held


def test_files_that_cannot_be_written(tmp_path: Path) -> None:
    assert "No such file or directory" in str(file_failure(tmp_path / "no" / "out.trig"))
    (tmp_path / "out.nq").mkdir()
    assert "Is a directory" in str(file_failure(tmp_path / "out.nq"))


def file_failure(path: Path) -> LaserError:
    sink = open_sink(f"file:{path}")
    with pytest.raises(SinkError) as caught:
        sink.check()
    return caught.value


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
def test_a_full_disk(tmp_path: Path) -> None:
    (tmp_path / "out.trig").symlink_to("/dev/full")
    sink = open_sink(f"file:{tmp_path / 'out.trig'}")
    sink.check()
    sink.write(result(EX))
    with pytest.raises(SinkError, match="No space left on device"):
        sink.close()


def test_a_closed_sink_takes_nothing() -> None:
    sink = open_sink(print)
    sink.close()
    sink.close()
    with pytest.raises(UsageError, match="is closed"):
        sink.write(result(EX))
    with pytest.raises(UsageError, match="is closed"):
        sink.flush()
