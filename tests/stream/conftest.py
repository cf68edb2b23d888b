"""The stores, started when the first test wants them and stopped at the end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.stream.servers import Store, oxigraph_server, virtuoso_server


@pytest.fixture(autouse=True)
def no_credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the developer has set must not reach the test stores."""
    monkeypatch.delenv("LASER_RDF_USER", raising=False)
    monkeypatch.delenv("LASER_RDF_PASSWORD", raising=False)


@pytest.fixture(scope="session")
def oxigraph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with oxigraph_server(tmp_path_factory.mktemp("oxigraph")) as store:
        yield store


@pytest.fixture(scope="session")
def virtuoso(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with virtuoso_server(tmp_path_factory.mktemp("virtuoso")) as store:
        yield store


@pytest.fixture
def read_only(tmp_path: Path) -> Iterator[Store]:
    """An Oxigraph server that was started for reading."""
    with oxigraph_server(tmp_path):
        pass
    with oxigraph_server(tmp_path, read_only=True) as store:
        yield store


@pytest.fixture(params=["oxigraph", "virtuoso"])
def store(request: pytest.FixtureRequest) -> Store:
    """Each of the servers."""
    found: Store = request.getfixturevalue(request.param)
    return found


@pytest.fixture(params=["oxigraph-sparql", "oxigraph-gsp", "virtuoso-sparql", "virtuoso-gsp"])
def way(request: pytest.FixtureRequest) -> tuple[Store, str]:
    """Each of the servers, by each of the protocols: the store and the name of the sink."""
    name, protocol = request.param.split("-")
    store: Store = request.getfixturevalue(name)
    url = store.update_url if protocol == "sparql" else store.graphs_url
    return store, f"{protocol}:{url}"
