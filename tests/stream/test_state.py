"""In state mode a graph always equals the current answer, whatever came and went."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as configured
from hypothesis import strategies as st

from laser_rdf.errors import UsageError
from laser_rdf.stream import Change, Mode, Sink, open_sink
from laser_rdf.stream.embedded_sink import EmbeddedSink
from tests.stream.results import EX, ex, result
from tests.stream.servers import Store

POOL = [ox.Triple(ex(f"s{n % 3}"), ex(f"p{n % 2}"), ox.Literal(f'"{n}\\ }} }} ;')) for n in range(8)]
SOME = st.lists(st.sampled_from(POOL), max_size=5, unique=True)
STEPS = st.lists(st.tuples(SOME, SOME, st.booleans(), st.booleans()), max_size=6)
few = configured(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])


Steps = list[tuple[list[ox.Triple], list[ox.Triple], bool, bool]]


def follow(sink: Sink, graph: str, steps: Steps) -> set[ox.Triple]:
    """Lead the sink through the steps; gives what the graph should hold then."""
    holds: set[ox.Triple] = set()
    sink.update(graph)
    for added, removed, whole, flush in steps:
        if whole:
            sink.replace(graph, added)
            holds = set(added)
        else:
            sink.update(graph, added, removed)
            holds = (holds - set(removed)) | set(added)
        if flush:
            sink.flush()
    sink.flush()
    return holds


@pytest.mark.fuzz
@few
@given(steps=STEPS, most=st.sampled_from([None, 2]))
def test_state_in_stores(way: tuple[Store, str], steps: Steps, most: int | None) -> None:
    store, target = way
    options = {"max_triples_per_request": most} if most and target.startswith("sparql") else {}
    graph = f"{EX}state/{target[:3]}"
    with open_sink(target, mode="state", **options) as sink:
        wanted = follow(sink, graph, steps)
    assert store.graph(graph) == wanted


@given(steps=STEPS)
def test_state_elsewhere(steps: Steps) -> None:
    graph, store, seen = f"{EX}state", ox.Store(), set[ox.Triple]()

    def receive(change: Change) -> None:
        if change.anew:
            seen.clear()
        seen.difference_update(change.removed_triples)
        seen.update(change.added_triples)

    with EmbeddedSink(store, Mode.STATE) as sink:
        wanted = follow(sink, graph, steps)
    assert {quad.triple for quad in store} == wanted
    with open_sink(receive, mode="state") as sink:
        follow(sink, graph, steps)
    assert seen == wanted
    with open_sink("rdflib", mode="state") as sink:
        follow(sink, graph, steps)
    assert len(sink.dataset.graph(graph)) == len(wanted)  # type: ignore[attr-defined]


@pytest.mark.parametrize("suffix", ["trig", "nq", "jsonl", "trig.gz"])
def test_a_file_holds_the_state_after_each_flush(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"state.{suffix}"
    form = {"trig": ox.RdfFormat.TRIG, "nq": ox.RdfFormat.N_QUADS, "jsonl": ox.RdfFormat.JSON_LD}

    def held() -> set[ox.Triple]:
        data = path.read_bytes()
        if suffix.endswith(".gz"):
            import gzip

            data = gzip.decompress(data)
        return {quad.triple for quad in ox.parse(data, format=form[suffix.removesuffix(".gz")])}

    with open_sink(f"file:{path}", mode="state") as sink:
        sink.update(ex("one"), POOL[:3])
        sink.update(ex("two"), POOL[3:5])
        sink.flush()
        assert held() == set(POOL[:5])
        sink.update(ex("one"), (), POOL[:3])
        sink.flush()
        assert held() == set(POOL[3:5])
    assert [found.name for found in tmp_path.iterdir()] == [path.name]


def test_what_a_run_before_left_goes_at_the_first_update(way: tuple[Store, str]) -> None:
    store, target = way
    graph = f"{EX}left/{target[:3]}"
    with open_sink(target, mode="state") as sink:
        sink.update(graph, POOL)
    assert store.graph(graph) == set(POOL)
    with open_sink(target, mode="state") as sink:
        sink.update(graph)
    assert store.graph(graph) == set()


def test_large_changes_in_virtuoso(virtuoso: Store) -> None:
    graph = f"{EX}large-state"
    many = [ox.Triple(ex(f"s{n}"), ex("p"), ox.Literal(str(n))) for n in range(4_000)]
    with open_sink(f"sparql:{virtuoso.update_url}", mode="state") as sink:
        sink.update(graph, many)
        sink.flush()
        assert virtuoso.graph(graph) == set(many)
        sink.update(graph, (), many[:3_000])
        sink.flush()
        assert virtuoso.graph(graph) == set(many[3_000:])
        sink.replace(graph, ())
    assert virtuoso.graph(graph) == set()


def test_each_mode_has_its_calls() -> None:
    with pytest.raises(UsageError, match="takes `write`"):
        open_sink(print).update(ex("g"))
    with pytest.raises(UsageError, match="takes `update` or `replace`"):
        open_sink(print, mode="state").write(result(EX))
