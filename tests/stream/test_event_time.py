"""Elements out of order, twice, too late, from the future: answers as in order, and a word for the rest."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laser_rdf.errors import InputError, UsageError
from laser_rdf.pipeline import Pipeline
from laser_rdf.rdf import TimedGraph
from laser_rdf.stream.event_time import Lateness, Reordering, reordered
from tests.pipeline.building import EX, program, short, triples

RULES = """
ex:Hot(R) :- ex:temp(R, V) in [3 s], V > 60 .
ex:last(R, V) :- ex:temp(R, V) in [#2 per R] .
ex:n(R, N) :- ex:temp(R, _), N := count { V : ex:temp(R, V) in [5 s] } .
"""
Made = tuple[int, list[TimedGraph], list[TimedGraph]]


def element(number: int, time: int, room: str, value: int) -> TimedGraph:
    found = tuple(triples(f"ex:{room} ex:temp {value} ."))
    return TimedGraph(time, found, time, ox.NamedNode(f"{EX}g{number}"), f"test:{number}")


@st.composite
def arrivals(draw: st.DrawFn) -> Made:
    """A lateness, elements in order, and the same out of order by no more than that, some of them twice."""
    lateness = draw(st.integers(0, 5))
    times = sorted(draw(st.lists(st.integers(0, 20), min_size=1, max_size=12)))
    rooms, values = st.sampled_from("abc"), st.integers(50, 70)
    ordered = [element(i, time, draw(rooms), draw(values)) for i, time in enumerate(times)]
    # Whatever is delayed by at most the lateness arrives before anything newer by more than that.
    delays, ties = st.integers(0, lateness), st.integers(0, 9)
    delayed = [(graph.time + draw(delays), draw(ties), i) for i, graph in enumerate(ordered)]
    arriving = [ordered[i] for _, _, i in sorted(delayed)]
    for graph in draw(st.lists(st.sampled_from(arriving), max_size=3)):
        arriving.insert(arriving.index(graph) + 1, graph)
    return lateness, ordered, arriving


def answers(elements: list[TimedGraph], **options: str) -> list[tuple[int, set[str]]]:
    pipeline = Pipeline()
    pipeline.stream("readings", elements, **options)  # type: ignore[arg-type]
    pipeline.register("p", program(RULES), emit="R")
    return [short(graph) for graph in pipeline]


@given(made=arrivals())
def test_any_order_within_the_lateness_gives_the_same_answers(made: Made) -> None:
    lateness, ordered, arriving = made
    assert answers(arriving, lateness=f"{lateness} s") == answers(ordered)


@given(one=arrivals(), two=arrivals(), data=st.data())
def test_pushing_is_the_same_as_reading(one: Made, two: Made, data: st.DataObject) -> None:
    streams = {"one": one, "two": two}

    def reading(sources: dict[str, list[TimedGraph] | None]) -> Pipeline:
        pipeline = Pipeline()
        for name, source in sources.items():
            pipeline.stream(name, source, lateness=f"{streams[name][0]} s")
        pipeline.register("p", program(RULES), emit="R")
        return pipeline

    expected = [short(graph) for graph in reading({name: made[1] for name, made in streams.items()})]
    pipeline = reading(dict.fromkeys(streams))
    waiting = {name: list(made[2]) for name, made in streams.items()}
    told = []
    while any(waiting.values()):
        name = data.draw(st.sampled_from([name for name, left in waiting.items() if left]))
        graph = waiting[name].pop(0)
        quads = [ox.Quad(t.subject, t.predicate, t.object, graph.name) for t in graph.triples]
        told += pipeline.push(name, graph.time, quads)
    told += pipeline.close()
    assert [short(graph) for graph in told] == expected


def test_what_breaks_the_promise_is_counted() -> None:
    pipeline = Pipeline()
    found = [element(i, time, "a", 65) for i, time in enumerate([10, 9, 12, 5, 13, 900, 14])]
    pipeline.stream("s", found, lateness="2 s", max_ahead="1 min")
    pipeline.register("p", program("ex:At(R) :- ex:temp(R, _) ."), emit="R")
    assert [graph.time for graph in pipeline if graph.triples] == [9, 10, 12, 13, 14]
    counts = pipeline.summary().counts
    assert (counts.late, counts.ahead, counts.duplicates) == (1, 1, 0)
    assert "1 late, 1 too far ahead, 0 twice" in str(pipeline.summary())


def test_late_elements_fail_or_are_kept(tmp_path: Path) -> None:
    elements = [element(1, 10, "a", 65), element(2, 3, "b", 65)]
    with pytest.raises(
        InputError, match=r"test:2:1: error\[I110\]: an element of time point 3 came 7 too late"
    ):
        answers(elements, lateness="0 s", late="fail")
    assert len(answers(elements, lateness="0 s", late=f"quarantine:{tmp_path}")) == 1
    [kept] = tmp_path.glob("*.bin")
    assert b"example.org/b" in kept.read_bytes()


def test_memory_does_not_grow_with_names() -> None:
    wait = Reordering("s", Lateness(3))
    assert sum(1 for _ in reordered((element(i, i, "a", 1) for i in range(2000)), wait)) == 2000
    assert len(wait._seen) < 200


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"lateness": "1.5 s"}, "not a whole number of time points"),
        ({"lateness": "soon"}, "not the unit"),
        ({"max_ahead": "1 h"}, "need a `lateness`"),
        ({"lateness": "1 s", "late": "perhaps"}, "no way to treat errors"),
    ],
)
def test_misuse_is_said(options: dict[str, str], text: str) -> None:
    with pytest.raises(UsageError, match=text):
        Pipeline().stream("s", **options)  # type: ignore[arg-type]
