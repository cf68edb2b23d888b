"""`laser-rdf run` into real stores: results arrive; a store that does not take them is one clear line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from laser_rdf.cli import main
from tests.pipeline.fire import FIRE, FLAGS, short, write_files
from tests.stream.servers import Store, free_port, oxigraph_server, virtuoso_server

Said = Callable[..., tuple[int, str]]


@pytest.fixture
def said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Said:
    """The exit code and standard error of a run whose input must not be touched if the store is wrong."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LASER_RDF_USER", raising=False)
    monkeypatch.delenv("LASER_RDF_PASSWORD", raising=False)
    write_files(tmp_path)

    def run(sink: str, *more: str) -> tuple[int, str]:
        code = main(["run", *FLAGS, "--quiet", "--sink", sink, *more])
        captured = capsys.readouterr()
        assert captured.out == ""
        return code, captured.err

    return run


@pytest.fixture(scope="module")
def oxigraph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with oxigraph_server(tmp_path_factory.mktemp("oxigraph")) as store:
        yield store


@pytest.fixture(scope="module")
def virtuoso(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with virtuoso_server(tmp_path_factory.mktemp("virtuoso")) as store:
        yield store


@pytest.mark.parametrize("protocol", ["sparql", "gsp"])
def test_results_arrive(said: Said, oxigraph: Store, protocol: str) -> None:
    url = oxigraph.update_url if protocol == "sparql" else oxigraph.graphs_url
    assert said(f"{protocol}:{url}") == (0, "")
    for name, triples in FIRE.items():
        found = oxigraph.graph("urn:laser:result:" + name)
        shown = {(short(t.subject), short(t.predicate), short(t.object)) for t in found}
        # Oxigraph writes 65.0 as 65.
        assert shown >= {(s, p, o.removesuffix(".0")) for s, p, o in triples}


@pytest.mark.parametrize("protocol", ["sparql", "gsp"])
def test_a_store_that_is_not_there(said: Said, protocol: str) -> None:
    url = f"http://127.0.0.1:{free_port()}/update"
    code, err = said(f"{protocol}:{url}", "--stats", "s.json")
    assert code == 1
    assert err.startswith(f"laser-rdf: cannot reach the store at {url}: ")
    assert err.endswith("see whether it is running and the address is right\n")
    assert err.count("\n") == 1
    assert not Path("s.json").exists()  # nothing was run


def test_a_wrong_path(said: Said, oxigraph: Store) -> None:
    code, err = said(f"sparql:{oxigraph.update_url}s")
    assert code == 1
    assert "does not take SPARQL" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("protocol", ["sparql", "gsp"])
def test_a_store_that_is_read_only(said: Said, tmp_path: Path, protocol: str) -> None:
    home = tmp_path / "home"
    home.mkdir()
    with oxigraph_server(home):
        pass
    with oxigraph_server(home, read_only=True) as store:
        url = store.update_url if protocol == "sparql" else store.graphs_url
        code, err = said(f"{protocol}:{url}")
    assert code == 1
    assert err.startswith(f"laser-rdf: the store at {url} does not allow writing")
    assert err.count("\n") == 1


def test_credentials(said: Said, virtuoso: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked for, wrong, without the right to write, and right."""
    url = virtuoso.auth_update_url
    sink = f"sparql:{url}"
    assert said(sink) == (
        1,
        f"laser-rdf: the store at {url} asks for a user name and a password: set LASER_RDF_USER and "
        "LASER_RDF_PASSWORD, or name a file with `credentials`\n",
    )
    monkeypatch.setenv("LASER_RDF_USER", "dba")
    monkeypatch.setenv("LASER_RDF_PASSWORD", "wrong")
    assert said(sink) == (
        1,
        f"laser-rdf: the store at {url} does not accept user name and password: correct LASER_RDF_USER and "
        "LASER_RDF_PASSWORD\n",
    )
    secret = Path("secret")
    secret.write_text("reader:readonly\n")
    secret.chmod(0o600)
    code, err = said(sink, "--credentials", "secret")
    assert code == 1
    assert err.startswith(f"laser-rdf: the store at {url} does not allow writing")
    secret.write_text("dba:dba\n")
    assert said(sink, "--credentials", "secret") == (0, "")
    assert set(virtuoso.graphs("urn:laser:result:fire/")) == {"urn:laser:result:" + name for name in FIRE}
