"""The pipeline, part by part: streams, background, ontology, events, programs, sinks."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph as ox
import pytest

from laser_rdf.entail import EntailmentError
from laser_rdf.errors import InputError, PipelineError, ProgramError, UsageError
from laser_rdf.pipeline import Pipeline
from laser_rdf.rdf.event_query import EventQuery
from tests.pipeline.building import EX, PREFIXES, program, short, triples

HOT = "ex:Hot(R) :- ex:temp(R, V) in [3 s], V > 60 ."


def simple(rules: str = HOT, **options: str) -> Pipeline:
    pipeline = Pipeline()
    pipeline.stream("readings")
    pipeline.register("heat", program(rules), **options)  # type: ignore[arg-type]
    return pipeline


def test_elements_become_answers_and_answers_become_graphs() -> None:
    pipeline = simple()
    assert pipeline.push("readings", 1, triples("ex:hall ex:temp 65 .")) == []
    assert [short(g) for g in pipeline.push("readings", 3, triples("ex:attic ex:temp 70 ."))] == [
        (1, {"hall a Hot"})
    ]
    assert [short(g) for g in pipeline.close()] == [(3, {"attic a Hot"})]


def test_what_ceases_between_two_elements_is_told_at_its_time() -> None:
    pipeline = simple(emit="D")
    pipeline.push("readings", 1, triples("ex:hall ex:temp 65 ."))
    pipeline.push("readings", 2, triples("ex:attic ex:temp 70 ."))
    # Nothing can arrive any more before 50: what happens until then is told at once.
    results = pipeline.push("readings", 50, [])
    assert [short(g) for g in results] == [(5, {"hall a Hot"}), (6, {"attic a Hot"})]
    assert pipeline.close() == []


def test_the_run_goes_on_until() -> None:
    pipeline = Pipeline(until=5)
    pipeline.stream("readings", [(1, triples("ex:hall ex:temp 65 ."))])
    pipeline.register("heat", program(HOT), emit="D")
    assert [short(g) for g in pipeline] == [(5, {"hall a Hot"})]
    assert pipeline.summary().counts.time == 5


def test_files_in_and_files_out(tmp_path: Path) -> None:
    (tmp_path / "log.trig").write_text(
        PREFIXES + "PREFIX prov: <http://www.w3.org/ns/prov#>\n"
        "ex:g1 prov:generatedAtTime 1 . ex:g1 { ex:hall ex:temp 65 . ex:hall ex:name 'Hall' }\n"
    )
    (tmp_path / "heat.lars").write_text(f"PREFIX ex: <{EX}>\n{HOT}")
    pipeline = Pipeline(directory=tmp_path)
    pipeline.stream("readings", "log.trig")
    pipeline.register("heat", "heat.lars")
    pipeline.sink("file:out.nq")
    summary = pipeline.run()
    assert summary.counts.elements == {"readings": 1}
    assert summary.counts.answers == {"heat": 1}
    quads = list(ox.parse(path=str(tmp_path / "out.nq")))
    assert [str(q.object) for q in quads if q.graph_name != ox.DefaultGraph()] == [f"<{EX}Hot>"]


def test_background_and_ontology() -> None:
    pipeline = Pipeline()
    pipeline.stream("readings", [(1, triples("ex:r1 ex:by ex:s1 ; ex:level 9 ."))])
    pipeline.background(triples("ex:s1 ex:in ex:hall ."))
    pipeline.ontology(triples("ex:by rdfs:domain ex:Reading . ex:level rdfs:subPropertyOf ex:value ."))
    pipeline.register(
        "r", program("ex:seen(Room, V) :- ex:Reading(R), ex:by(R, S), ex:in(S, Room), ex:value(R, V).")
    )
    [graph] = pipeline
    assert len(graph.triples) == 1
    assert str(graph.triples[0].predicate) == f"<{EX}seen>"
    assert pipeline.summary().counts.entailed == 2


def test_no_triple_of_a_large_background_is_lost(tmp_path: Path) -> None:
    (tmp_path / "many.nt").write_text("".join(f"<{EX}n{i}> <{EX}p> <{EX}o> .\n" for i in range(25_001)))
    pipeline = Pipeline(directory=tmp_path)
    pipeline.stream("s", [(1, [])])
    pipeline.background("many.nt")
    pipeline.register("n", program("ex:n(ex:all, N) :- N := count { X : ex:p(X, _) } ."))
    [graph] = pipeline
    assert str(graph.triples[0].object).startswith('"25001"')


QUERY = PREFIXES + "SELECT ?r ?room WHERE { ?r ex:by ?s . ?s ex:in ?room %s }"


@pytest.mark.parametrize("more", ["", "OPTIONAL { ?r ex:unheard ?of }"])
def test_event_queries_compiled_and_by_pyoxigraph(more: str) -> None:
    pipeline = Pipeline()
    pipeline.stream("readings", [(1, triples("ex:r1 ex:by ex:s1 .")), (2, triples("ex:r2 ex:by ex:s1 ."))])
    pipeline.background(triples("ex:s1 ex:in ex:hall . ex:old ex:by ex:s1 ."))
    query = EventQuery.parse("reading", QUERY % more)
    assert (query.rules is None) is bool(more)
    pipeline.event("reading", query)
    pipeline.event("unused", EventQuery.parse("unused", QUERY % ""))
    pipeline.register("r", program("ex:Seen(R) :- reading(R, Room) in [0 s]."), emit="R")
    assert [short(graph) for graph in pipeline] == [
        (1, {"r1 a Seen", "old a Seen"}),
        (2, {"r2 a Seen", "old a Seen"}),
    ]


def test_programs_read_programs() -> None:
    pipeline = simple("ex:Hot(R) :- ex:temp(R, V), V > 60 . far(R, V, V) :- ex:temp(R, V), V > 90 .")
    pipeline.register(
        "alarm", program("ex:Alarm(R) :- ex:Hot(R) in [5 s], far(R, V, V) in [5 s] ."), on=["heat"]
    )
    pipeline.push("readings", 1, triples("ex:hall ex:temp 65 ."))
    pipeline.push("readings", 2, [])  # what held at 1 does not any more
    results = pipeline.push("readings", 3, triples("ex:hall ex:temp 95 ."))
    assert [short(g) for g in results] == []
    assert [short(g)[1] for g in pipeline.close() if "alarm" in g.iri] == [{"hall a Alarm"}]


def test_programs_read_what_a_template_made_of_answers() -> None:
    from laser_rdf.rdf.construct import ConstructTemplate

    pipeline = Pipeline()
    pipeline.stream("readings", [(1, triples("ex:hall ex:temp 65 ."))])
    template = ConstructTemplate(PREFIXES + "CONSTRUCT { ?r ex:state ex:hot } WHERE { ?r a ex:Hot }")
    pipeline.register("heat", program(HOT), template=template)
    pipeline.register("state", program("ex:told(R, S) :- ex:state(R, S), not ex:Hot(R) ."), on=["heat"])
    assert [short(graph) for graph in pipeline] == [(1, {"hall state hot"}), (1, {"hall told hot"})]


def test_rules_can_name_the_stream() -> None:
    pipeline = Pipeline()
    pipeline.stream("inside", [(1, triples("ex:a ex:temp 1 .")), (2, triples("ex:b ex:temp 1 ."))])
    pipeline.stream("outside", [(1, triples("ex:a ex:wind 1 . ex:c ex:temp 2 ."))])
    pipeline.ontology(triples("ex:temp rdfs:domain ex:Warm . ex:wind rdfs:domain ex:Outside ."))
    pipeline.register(
        "on", program("ex:In(X) :- ex:Warm(X) on inside . ex:Out(X) :- ex:temp(X, _) on outside .")
    )
    assert [short(g) for g in pipeline] == [
        (1, {"a a In", "c a Out"}),
        (2, {"b a In"}),
    ]


def test_what_follows_from_two_streams_together_is_on_neither() -> None:
    pipeline = Pipeline()
    pipeline.stream("one", [(1, triples("ex:a ex:knows ex:b ."))])
    pipeline.stream("two", [(1, triples("ex:b ex:knows ex:c ."))])
    pipeline.ontology(
        triples("ex:knows a <http://www.w3.org/2002/07/owl#TransitiveProperty> ."), profile="owl-rl"
    )
    rules = "ex:all(X, Y) :- ex:knows(X, Y) . ex:one(X, Y) :- ex:knows(X, Y) on one ."
    pipeline.register("k", program(rules))
    [graph] = pipeline
    assert short(graph)[1] == {"a all b", "b all c", "a all c", "a one b"}


def test_windows_that_count_see_triples_in_the_order_of_the_contract() -> None:
    pipeline = Pipeline()
    later = '"1970-01-01T00:00:01.5Z"^^xsd:dateTime'
    early = '"1970-01-01T00:00:01Z"^^xsd:dateTime'
    text = (
        PREFIXES
        + "PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> PREFIX prov: <http://www.w3.org/ns/prov#>\n"
        + "ex:g prov:generatedAtTime %s . ex:g { ex:%s ex:temp 2, 1 . ex:%s a ex:Warm }"
    )
    pipeline.stream("first", (text % (later, "late", "late")).encode(), format="trig")
    pipeline.stream("second", (text % (early, "early", "early")).encode(), format="trig")
    pipeline.ontology(triples("ex:temp rdfs:domain ex:Thing ."))
    pipeline.register(
        "last", program("ex:last(X, V) :- ex:temp(X, V) in [#2] . ex:T(X) :- ex:Thing(X) in [#9] .")
    )
    [graph] = pipeline
    # Of each graph: type (`#type` sorts last), temp 1, temp 2; entailed triples are not counted.
    assert short(graph)[1] == {'late last "2"^^http://www.w3.org/2001/XMLSchema#integer'}


def test_copies_of_a_program_share_their_work_and_each_answers() -> None:
    pipeline = simple()
    for number in range(3):
        pipeline.register(f"copy{number}", program(HOT), emit="IDR"[number])
    pipeline.push("readings", 1, triples("ex:hall ex:temp 65 ."))
    found = pipeline.push("readings", 9, triples("ex:attic ex:temp 5 ."))
    pipeline.withdraw("heat")
    results = [(g.iri.split(":")[-1], short(g)[1]) for g in [*found[3:], *pipeline.close()]]
    assert results == [
        ("copy1/deletions/5", {"hall a Hot"}),
        ("copy2/snapshot/5", set()),
        ("copy2/snapshot/9", set()),
    ]
    assert pipeline.summary().counts.answers == {"heat": 1, "copy0": 1, "copy1": 1, "copy2": 1}


# --- while it runs -----------------------------------------------------------------------------------------


def test_programs_come_and_go() -> None:
    pipeline = simple()
    pipeline.push("readings", 1, triples("ex:hall ex:temp 65 ."))
    pipeline.push("readings", 2, triples("ex:hall ex:damp 1 ."))
    pipeline.register("damp", program("ex:Damp(R) :- ex:damp(R, _) in [9 s], not ex:temp(R, _) in [9 s] ."))
    assert [short(g) for g in pipeline.push("readings", 3, [])] == [(2, {"hall a Damp"})]
    pipeline.withdraw("heat")
    pipeline.push("readings", 4, triples("ex:attic ex:temp 99 . ex:attic ex:damp 1 ."))
    assert [short(g) for g in pipeline.close()] == []
    with pytest.raises(UsageError, match="no program `heat`"):
        pipeline.withdraw("heat")


def test_a_program_that_comes_later_needs_other_background(tmp_path: Path) -> None:
    (tmp_path / "rooms.ttl").write_text(PREFIXES + "ex:hall a ex:Room . ex:Room rdfs:subClassOf ex:Place .")
    pipeline = Pipeline(directory=tmp_path)
    pipeline.stream("readings")
    pipeline.ontology("rooms.ttl", profile="rdfs")
    pipeline.register("heat", program(HOT))
    pipeline.push("readings", 1, [])
    pipeline.push("readings", 2, [])
    pipeline.register("places", program("ex:Known(X) :- ex:Place(X) ."))
    assert [short(g) for g in pipeline.push("readings", 3, [])] == [(2, {"hall a Known"})]


@pytest.mark.parametrize("emit", ["I", "D", "R", "intervals"])
def test_replaced_background_is_as_if_it_had_always_been_there(emit: str) -> None:
    """Beside a pipeline that had the new background from the start."""
    elements = [(t, triples(f"ex:r{t} ex:by ex:s{t % 3} .")) for t in range(0, 30, 2)]
    before = triples("ex:s0 ex:in ex:hall . ex:s1 ex:in ex:hall .")
    after = triples("ex:s1 ex:in ex:attic . ex:s2 ex:in ex:hall .")
    rules = (
        "ex:seen(Room, R) :- ex:by(R, S) in [7 s], ex:in(S, Room) ."
        "ex:Quiet(Room) :- ex:in(S, Room), not ex:by(_, S) in [3 s] ."
    )

    def pipeline_with(background: list[ox.Triple]) -> Pipeline:
        made = Pipeline(replaceable_background=True)
        made.stream("readings")
        made.background(background)
        made.register("seen", program(rules), emit=emit)
        made.register(
            "again", program("ex:again(Room, R) :- ex:seen(Room, R) in [4 s] ."), on=["seen"], emit="R"
        )
        return made

    changed, judge = pipeline_with(before), pipeline_with(after)
    told: list[tuple[int, set[str]]] = []
    expected: list[tuple[int, set[str]]] = []
    for time, graph in elements:
        if time == 16:  # 14 is not answered yet, so it is answered with the new background
            changed.replace_background(after)
        told += map(short, changed.push("readings", time, graph))
        expected += map(short, judge.push("readings", time, graph))
    told += map(short, changed.close())
    expected += map(short, judge.close())
    # What became and ceased to be true by the replacement itself is told at the next time point, 14.
    if emit == "intervals":
        assert told[-1] == expected[-1]
    else:
        last = 14 + 5 if emit != "R" else 13  # (the program that reads the other one sees that, too)
        assert [each for each in told if each[0] > last] == [each for each in expected if each[0] > last]


def test_background_cannot_be_replaced_unasked() -> None:
    with pytest.raises(UsageError, match="replaceable_background=True"):
        simple().replace_background()


# --- sinks ----------------------------------------------------------------------------------------------


def test_a_state_always_equals_the_answer() -> None:
    store: list[tuple[int, int]] = []
    pipeline = Pipeline()
    pipeline.stream("readings")
    pipeline.register("heat", program(HOT))
    pipeline.sink(
        lambda change: store.append((len(change.added), len(change.removed))), mode="state", batch=1
    )
    pipeline.push("readings", 1, triples("ex:hall ex:temp 65 . ex:attic ex:temp 70 ."))
    pipeline.push("readings", 4, triples("ex:hall ex:temp 65 ."))
    pipeline.push("readings", 9, [])
    pipeline.close()
    assert [change for change in store if change != (0, 0)] == [(2, 0), (0, 1), (0, 1)] or store[-1] == (0, 0)


def test_sinks_take_the_programs_they_are_for() -> None:
    names: list[str] = []
    pipeline = simple()
    pipeline.register("other", program("ex:Other(R) :- ex:temp(R, _) ."))
    pipeline.sink(lambda result: names.append(result.name.value), programs=["other"])
    pipeline.push("readings", 1, triples("ex:hall ex:temp 65 ."))
    pipeline.close()
    assert names == ["urn:laser:result:other/insertions/1"]


# --- what is wrong --------------------------------------------------------------------------------------


def test_all_problems_are_told_together(tmp_path: Path) -> None:
    pipeline = Pipeline()
    pipeline.stream("readings")
    pipeline.register("one", program("ex:p(X, Y) :- ex:q(X, _) ."))
    pipeline.register("two", program("ex:p(X) :- ex:q(X, Z) ."), on=["nowhere"])
    pipeline.sink(print, programs=["three"])
    with pytest.raises(PipelineError) as caught:
        pipeline.run()
    text = str(caught.value)
    assert "E101" in text
    assert "`nowhere`, which is no stream; there are: `one`, `readings`" in text
    assert "takes `three`" in text


def test_circles_are_refused() -> None:
    pipeline = Pipeline()
    pipeline.register("a", program("ex:p(X) :- ex:q(X) ."), on=["b"])
    pipeline.register("b", program("ex:p(X) :- ex:q(X) ."), on=["a"])
    with pytest.raises(UsageError, match="in a circle: a reads b reads a"):
        pipeline.run()


def test_misuse_is_said(tmp_path: Path) -> None:
    pipeline = simple()
    for wrong, text in [
        (lambda: pipeline.stream("readings"), "a stream `readings` already"),
        (lambda: pipeline.register("heat", program(HOT)), "`heat` is taken"),
        (lambda: pipeline.stream("s", tmp_path / "none.trig"), "no file"),
        (lambda: pipeline.background("none.ttl"), "no file"),
        (lambda: pipeline.register("x", "none.lars"), "cannot read `none.lars`"),
        (lambda: pipeline.push("nowhere", 1, []), "no stream `nowhere`"),
        (
            lambda: pipeline.register("x", program(HOT), emit="X") or pipeline.push("readings", 1, []),
            "`X` is no way",
        ),
    ]:
        with pytest.raises(UsageError, match=text):
            wrong()
    good = simple()
    good.push("readings", 5, [])
    with pytest.raises(UsageError, match="time goes back: 4 after 5"):
        good.push("readings", 4, [])
    with pytest.raises(UsageError, match="while the pipeline runs"):
        good.stream("other")
    good.close()
    assert good.close() == []
    with pytest.raises(UsageError, match="has ended"):
        good.push("readings", 6, [])
    with pytest.raises(UsageError, match="no program to run"):
        Pipeline().run()
    with pytest.raises(ProgramError):
        simple("ex:p(X) :- ex:q(X").run()


def test_what_came_before_a_mistake_is_answered_and_written(tmp_path: Path) -> None:
    head = PREFIXES + "PREFIX prov: <http://www.w3.org/ns/prov#>\n"
    good = "ex:g%d prov:generatedAtTime %d . ex:g%d { ex:hall ex:temp 65 }\n"
    (tmp_path / "a.trig").write_text(
        head + good % (1, 1, 1) + "ex:g2 prov:generatedAtTime 2 . ex:g2 { oops }\n"
    )
    (tmp_path / "b.trig").write_text(head + good % (1, 1, 1) + good % (9, 9, 9))
    pipeline = Pipeline(directory=tmp_path)
    pipeline.stream("a", "a.trig")
    pipeline.stream("b", "b.trig")
    pipeline.register("heat", program(HOT))
    pipeline.sink("file:out.trig")
    with pytest.raises(InputError, match=r"a\.trig:5"):
        pipeline.run()
    assert "insertions/1>" in (tmp_path / "out.trig").read_text()


def test_inconsistency_is_noticed_with_its_time() -> None:
    noticed: list[str] = []
    pipeline = Pipeline(notice=noticed.append)
    pipeline.stream("readings", [(7, triples("ex:a a ex:Hot, ex:Cold ."))])
    pipeline.ontology(
        triples("ex:Hot <http://www.w3.org/2002/07/owl#disjointWith> ex:Cold ."), profile="owl-rl"
    )
    pipeline.register("r", program("ex:Seen(X) :- ex:Hot(X) ."))
    pipeline.run()
    assert len(noticed) == 1
    assert noticed[0].startswith("inconsistent at 7: ")


TRANSITIVE = "ex:knows a <http://www.w3.org/2002/07/owl#TransitiveProperty> ."


def test_a_scope_entails_from_several_time_points_together() -> None:
    pipeline = Pipeline()
    pipeline.stream("one", [(1, triples("ex:a ex:knows ex:b .")), (9, triples("ex:c ex:knows ex:d ."))])
    pipeline.stream("two", [(4, triples("ex:b ex:knows ex:c ."))])
    pipeline.ontology(triples(TRANSITIVE), profile="owl-rl", scope="5 s")
    pipeline.register("all", program("ex:all(X, Y) :- ex:knows(X, Y) ."), emit="R")
    pipeline.register("first", program("ex:all(X, Y) :- ex:knows(X, Y) ."), on=["one"], emit="R")
    found = [(graph.iri.split(":")[-1].split("/")[0], *short(graph)) for graph in pipeline]
    assert [each for each in found if each[2]] == [
        ("all", 1, {"a all b"}),
        ("first", 1, {"a all b"}),
        ("all", 4, {"b all c", "a all c"}),
        ("all", 9, {"c all d", "b all d"}),
        ("first", 9, {"c all d"}),
    ]
    with pytest.raises(UsageError, match="not a whole number of time points"):
        Pipeline().ontology(profile="rdfs", scope="1.5 s")


@pytest.mark.parametrize("policy", ["fail", "skip", "quarantine"])
def test_elements_from_which_too_much_follows(policy: str, tmp_path: Path) -> None:
    noticed: list[str] = []
    on_error = f"quarantine:{tmp_path}" if policy == "quarantine" else policy
    chain = " ".join(f"ex:n{i} ex:knows ex:n{i + 1} ." for i in range(20))
    pipeline = Pipeline(notice=noticed.append)
    pipeline.stream("s", [(1, triples(chain)), (2, triples("ex:a ex:knows ex:b ."))], on_error=on_error)
    pipeline.ontology(triples(TRANSITIVE), profile="owl-rl", max_entailments=50)
    pipeline.register("k", program("ex:all(X, Y) :- ex:knows(X, Y) ."))
    if policy == "fail":
        with pytest.raises(EntailmentError, match=r"more than 50 triples follow; .* by rule `prp-trp`"):
            pipeline.run()
        return
    assert [short(graph) for graph in pipeline] == [(2, {"a all b"})]
    assert pipeline.summary().counts.skipped == 1
    assert "left out at 1: more than 50 triples" in noticed[0]
    if policy == "quarantine":
        [kept] = tmp_path.glob("*.bin")
        assert kept.read_bytes().count(b"knows") == 20


def test_an_answer_can_be_explained() -> None:
    pipeline = simple()
    pipeline.push("readings", 1, triples("ex:hall ex:temp 65 ."))
    pipeline.push("readings", 2, [])
    [fact] = triples("ex:hall a ex:Hot .")
    assert "ex:temp(ex:hall, 65)  arrived at 1" in str(pipeline.explain("heat", fact))
    assert not pipeline.explain("heat", triples("ex:attic a ex:Hot .")[0]).holds
    with pytest.raises(UsageError, match="no program `cold`"):
        pipeline.explain("cold", fact)
    with pytest.raises(UsageError, match="has not begun"):
        simple().explain("heat", fact)
