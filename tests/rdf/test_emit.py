"""The policies: what they say agrees, time point by time point, over generated sequences of answers."""

from __future__ import annotations

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laser_rdf.check import TRIPLE, Predicate
from laser_rdf.errors import UsageError
from laser_rdf.rdf import Interner
from laser_rdf.rdf.construct import ConstructTemplate
from laser_rdf.rdf.emit import Emitter
from laser_rdf.rdf.emit_graph import ResultGraph
from laser_rdf.rdf.vocabulary import LASER, TIME
from laser_rdf.values import RDF, Clock
from tests.rdf.graphs import ex, literal

VALUES = Interner()
A, B, TEXT, TERM, BLANK = (
    VALUES.value(term)
    for term in (
        ex("a"),
        ex("b"),
        ox.Literal('say "hi" .\n<x>'),
        ox.Triple(ox.BlankNode("n"), ex("p"), ox.Triple(ex("a"), ex("p"), ox.BlankNode("m"))),
        ox.BlankNode("n"),
    )
)
HOT, IN, NEAR, RAIN = (
    Predicate(ex(n).value, k) for n, k in (("Hot", 1), ("in", 2), ("near", 3), ("rain", 0))
)
ANY_VALUE = st.sampled_from([A, B, TEXT, TERM, BLANK, 5, -1, VALUES.value(literal("05", "integer"))])
ATOMS = st.sampled_from([HOT, IN, NEAR, RAIN]).flatmap(
    lambda p: st.tuples(st.just(p), st.tuples(*[ANY_VALUE] * p.arity))
)
STATES = st.lists(st.tuples(st.integers(1, 3), st.frozensets(ATOMS, max_size=5)), max_size=6)
"""How long after the one before, and what holds then."""


def batches(atoms):
    found: dict[Predicate, list[tuple]] = {}
    for predicate, row in sorted(atoms, key=str):
        found.setdefault(predicate, []).append(row)
    return list(found.items())


def run(states, emit, **options):
    """The graphs of a sequence of answers, by time point; the end of the run beside them."""
    emitter = Emitter("heat", emit, **options)
    time, before, graphs = 0, frozenset(), {}
    for step, now in states:
        time += step
        made = emitter.emit(time, batches(now - before), batches(before - now), lambda now=now: batches(now))
        assert len(made) <= 1
        graphs[time] = made[0] if made else None
        before = now
    return graphs, emitter.finish(time)


def said(graph: ResultGraph | None) -> frozenset[ox.Triple]:
    return frozenset(graph.triples) if graph else frozenset()


@given(STATES)
def test_insertions_and_deletions_folded_give_snapshots(states):
    added, removed, all_of = (run(states, policy)[0] for policy in "IDR")
    held: frozenset[ox.Triple] = frozenset()
    for time, snapshot in all_of.items():
        assert not said(removed[time]) - held
        assert not said(added[time]) & held
        held = (held - said(removed[time])) | said(added[time])
        assert held == said(snapshot)


TEMPLATE = ConstructTemplate(
    "CONSTRUCT { ?x <urn:count> ?n . [] <urn:about> ?x } "
    "WHERE { SELECT ?x (COUNT(*) AS ?n) { ?x ?p ?y } GROUP BY ?x }"
)


@pytest.mark.parametrize("template", [None, TEMPLATE])
@given(STATES)
def test_intervals_agree_with_snapshots(template, states):
    snapshots, _ = run(states, "R", template=template)
    graphs, end = run(states, "intervals", template=template, clock=Clock())
    rows = [row for graph in [*graphs.values(), *end] if graph for row in intervals(graph)]
    for time, snapshot in snapshots.items():
        held = [told for told, begin, until in rows if begin <= time < until]
        assert frozenset().union(*held) == said(snapshot)
        assert sum(map(len, held)) == len(said(snapshot))  # each answer once


def intervals(graph: ResultGraph):
    """What each interval of a graph says held, and from when until when, as a query finds it."""
    store = ox.Store()
    store.extend(ox.Quad(*triple) for triple in graph.triples)
    found = store.query(f"""
        PREFIX laser: <{LASER}> PREFIX time: <{TIME}>
        SELECT ?interval ?answer ?from ?until WHERE {{
            ?interval a laser:AnswerInterval ; laser:answer ?answer ;
                time:hasBeginning/laser:timePoint ?from ; time:hasEnd/laser:timePoint ?until }}""")
    for row in found:
        about = [t for t in graph.triples if t.subject == row["answer"]]
        parts = {t.predicate.value: t.object for t in about}
        if RDF + "subject" in parts:
            told = {ox.Triple(*(parts[RDF + place] for place in ("subject", "predicate", "object")))}
        else:
            told = set(about)
        yield frozenset(told), int(row["from"].value), int(row["until"].value)


def test_an_interval_has_instants_with_date_times():
    states = [(1, frozenset({(HOT, (A,))})), (3, frozenset())]
    graphs, end = run(states, "intervals", clock=Clock(unit_ms=500))
    assert end == []
    stamps = {t.object.value for t in graphs[4].triples if t.predicate.value == TIME + "inXSDDateTimeStamp"}
    assert stamps == {"1970-01-01T00:00:00.5Z", "1970-01-01T00:00:02Z"}
    assert not any(t.object.value == LASER + "OngoingInterval" for t in graphs[4].triples)


def test_what_holds_at_the_end_is_ongoing_and_named_apart():
    states = [(1, frozenset({(HOT, (A,)), (HOT, (B,))})), (3, frozenset({(HOT, (A,))}))]
    graphs, [end] = run(states, "intervals")
    assert graphs[1] is None
    assert end.iri == graphs[4].iri + "/end"
    assert any(t.object == ox.NamedNode(LASER + "OngoingInterval") for t in end.triples)
    assert [(begin, until) for _, begin, until in intervals(end)] == [(1, 5)]


def test_intervals_go_on_from_a_checkpoint():
    before = Emitter("heat", "intervals")
    before.emit(1, [(HOT, [(A,)])])
    after = Emitter("heat", "intervals")
    after.resume(before.ongoing)
    assert after.emit(9, (), [(HOT, [(A,)])]) == before.emit(9, (), [(HOT, [(A,)])]) != []


def test_when_there_is_nothing_to_say():
    assert Emitter("p", "I").emit(1) == Emitter("p", "D").emit(1) == Emitter("p", "intervals").emit(1) == []
    [empty] = Emitter("p", "R").emit(1)
    assert empty.triples == ()
    assert Emitter("p", "R").emit(1, has_input=False) == []
    assert len(Emitter("p", "R").emit(1, (), [(HOT, [(A,)])], has_input=False)) == 1
    assert Emitter("p", "intervals").finish() == []


def test_what_holds_is_asked_for_only_when_needed():
    def never():
        raise AssertionError

    for policy in ("I", "D", "intervals"):
        Emitter("p", policy).emit(1, [(HOT, [(A,)])], [(HOT, [(B,)])], never)


@pytest.mark.parametrize("time", [4, 5])
def test_a_time_point_is_emitted_once_and_in_order(time):
    emitter = Emitter("p")
    emitter.emit(5)
    with pytest.raises(UsageError, match="after time point 5"):
        emitter.emit(time)
    with pytest.raises(UsageError, match="before time point 5"):
        emitter.finish(4)


def test_an_unknown_policy_is_refused():
    with pytest.raises(UsageError, match="use `I`, `D`, `R`, `intervals`"):
        Emitter("p", "X\x1b")


def test_any_triple_is_that_triple():
    a, p, b = (VALUES.value(ex(name)) for name in ("a", "p", "b"))
    [graph] = Emitter("p").emit(1, [(TRIPLE, [(a, p, b)])])
    assert graph.triples == (ox.Triple(ex("a"), ex("p"), ex("b")),)
    [graph] = Emitter("p").emit(1, [(TRIPLE, [(a, 5, b)])])  # no IRI for a predicate: the n-ary form
    assert [t.predicate.value for t in graph.triples] == [
        RDF + "type",
        *(f"{LASER}arg{n}" for n in (1, 2, 3)),
    ]


@given(st.frozensets(ATOMS, min_size=1, max_size=8))
def test_no_literal_and_no_blank_node_leaves_as_a_subject(atoms):
    [graph] = Emitter("p").emit(1, batches(atoms))
    for triple in graph.triples:
        assert type(triple.subject) is ox.NamedNode
        assert "_:" not in str(triple)
    objects = {str(triple.object) for triple in graph.triples}
    if any(TEXT in row[1:] for _, row in atoms):
        assert str(TEXT.term) in objects


def test_values_and_numbers_side_by_side_in_a_column():
    emitter = Emitter("p")
    for time in range(20):
        value = VALUES.value(ex(f"n{time % 7}"))
        [graph] = emitter.emit(time, [(IN, [(value, time), (A, value)])])
        assert graph.triples == (
            ox.Triple(ex(f"n{time % 7}"), ex("in"), literal(str(time), "integer")),
            ox.Triple(ex("a"), ex("in"), ex(f"n{time % 7}")),
        )


def test_a_predicate_that_is_no_iri_is_refused():
    with pytest.raises(UsageError, match="a predicate that leaves as RDF"):
        Emitter("p").emit(1, [(Predicate("a b", 2), [(A, B)])])
