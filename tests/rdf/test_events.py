"""Event queries: what they define, what is refused, what they mention, and how they join a program."""

from __future__ import annotations

import contextlib
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laser_rdf import Engine, Program
from laser_rdf.check import Mentions, Predicate, check
from laser_rdf.errors import InputError, LaserError, ProgramError, UsageError
from laser_rdf.lang.parser import parse
from laser_rdf.rdf import Interner
from laser_rdf.rdf.event_engine import EventEngine
from laser_rdf.rdf.event_program import with_events
from laser_rdf.rdf.event_query import EventQuery
from laser_rdf.rdf.event_store import EventStore
from laser_rdf.rdf.interner import ox_term
from laser_rdf.rdf.mapping import GraphMapping
from tests.rdf.event_queries import PREFIXES, graph

EX = "http://example.org/"


def event(text: str, name: str = "smoke") -> EventQuery:
    return EventQuery.parse(name, PREFIXES + text, f"{name}.rq")


# --- what is compiled --------------------------------------------------------------------------------------


def test_a_query_defines_a_predicate() -> None:
    query = event("SELECT ?reading ?room WHERE { ?reading a ex:Smoke ; ex:in ?room }")
    assert query.predicate == Predicate("urn:laser:local:smoke", 2)
    assert query.variables == ("reading", "room")
    assert query.reason == ""
    assert query.rules is not None
    assert str(Program(query.rules)) == (
        "smoke(?reading, ?room) :- "
        "{ ?reading a <http://example.org/Smoke> . ?reading <http://example.org/in> ?room } .\n"
    )


def test_the_rules_can_be_printed_and_read_again() -> None:
    query = event("SELECT ?a { ?a ex:p/ex:q ?b FILTER(!(?b < 5) && ?b NOT IN (1, 2)) BIND(?b + 1 AS ?c) }")
    assert query.rules is not None
    assert parse(str(Program(query.rules))).rules == query.rules


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("?a ex:p ?b OPTIONAL { ?a ex:q ?c }", "OPTIONAL"),
        ("?a ex:p ?b MINUS { ?a ex:q ?c }", "MINUS"),
        ("?a ex:p ?b FILTER NOT EXISTS { ?a ex:q ?c }", "EXISTS"),
        ("?a ex:p* ?b", "a path with `*`"),
        ("?a ex:p+ ?b", "a path with `+`"),
        ("?a ex:p? ?b", "a path with `?`"),
        ("?a !(ex:p|^ex:q) ?b", "a negated path with `^`"),
        ("?a ex:p ?b { SELECT ?a { ?a ex:q ?c } }", "a subquery"),
        ("?a ex:p ?b FILTER(regex(?b, 'x', 'i'))", "REGEX with flags"),
        (r"?a ex:p ?b FILTER(regex(?b, '\\d'))", "REGEX with a pattern that two engines may read differently"),  # noqa: E501
        ("?a ex:p ?b FILTER(if(?b > 1, true, false))", "the function IF"),
        ("?a ex:p ?b FILTER(xsd:integer(?b) > 1)", "the function <http://www.w3.org/2001/XMLSchema#integer>"),
        ("?a ex:p ?b BIND(?b + 1 AS ?c) ?d ex:q ?c", "BIND of a variable that is joined with another part of the query"),  # noqa: E501
        ("VALUES ?a { 1 }", "no triple pattern"),
        ("?a ex:p ?b } LIMIT 1 #", "LIMIT or OFFSET"),
        ("?a ex:p ?b } GROUP BY ?a #", "GROUP BY or an aggregate"),
    ],
)  # fmt: skip
def test_what_is_left_to_pyoxigraph_says_why(body: str, reason: str) -> None:
    query = event(f"SELECT ?a WHERE {{ {body}\n{'' if body.endswith('#') else '}'}")
    assert query.rules is None
    assert query.reason == reason
    assert query.solutions(graph("ex:n1 ex:p 1 ; ex:q 2 .")) is not None


def test_a_query_that_rdflib_cannot_read_is_left_to_pyoxigraph() -> None:
    query = event("SELECT ?a WHERE { ?a ex:p -0.5 }")
    assert query.rules is None
    assert query.reason.startswith("rdflib cannot read it")
    assert query.mentions() == Mentions(everything=True)
    assert len(query.solutions(graph("ex:n1 ex:p -0.5 ."))) == 1


def test_too_many_alternatives_are_left_to_pyoxigraph() -> None:
    condition = " && ".join(f"(?b = {n} || ?c = {n})" for n in range(10))
    assert "alternatives" in event(f"SELECT ?a {{ ?a ex:p ?b, ?c FILTER({condition}) }}").reason


# --- what is refused ---------------------------------------------------------------------------------------


@pytest.fixture
def requests() -> Iterator[tuple[str, list[str]]]:
    """The address of a web server, and the requests it has had."""
    seen: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(self.path)
            self.send_error(404)

        do_POST = do_GET  # noqa: N815

        def log_message(self, *_: object) -> None:
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/", seen
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    "text",
    [
        "SELECT ?a { SERVICE <URL> { ?a ?b ?c } }",
        "SELECT ?a { ?a ?b ?c FILTER EXISTS { service silent <URL> { ?a ?b ?c } } }",
        "SELECT ?a { { SELECT ?a { SERVICE<URL>{ ?a ?b ?c } } } }",
        "SELECT ?a { ?a ?b ?c # comment\rSERVICE <URL> { ?a ?b ?c }\n}",
        'SELECT ?a { ?a ?b "\\u0022" SERVICE <URL> { ?a ?b ?c } FILTER(?b = "\\u0022") }',
        "SELECT ?a { ?a ?b '#' . SERVICE <URL> { ?a ?b ?c } }",
        "SELECT ?a { ?a ?b 1SERVICE <URL> { ?a ?b ?c } }",
        "SELECT ?a FROM <URL> { ?a ?b ?c }",
        "LOAD <URL>",
    ],
)
def test_nothing_is_fetched(text: str, requests: tuple[str, list[str]]) -> None:
    url, seen = requests
    with pytest.raises(InputError):
        EventQuery.parse("smoke", text.replace("URL", url))
    assert seen == []


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("SELECT ?a\n{ SERVICE ex:s { } }", "4:3", "`SERVICE` in an event query"),
        ("SELECT ?a { GRAPH ?g { ?a ?b ?c } }", "3:13", "`GRAPH` in an event query"),
        ("SELECT ?a { ?a ex:p ?b FILTER(rand() > 0) }", "3:31", "`rand` in an event query"),
        ("CONSTRUCT { ?a ?b ?c } WHERE { ?a ?b ?c }", "3:1", "not a SELECT query"),
        ("ASK { ?a ?b ?c }", "3:1", "not a SELECT query"),
        ("DESCRIBE ex:a", "3:1", "not a SELECT query"),
        ("SELECT * { ?a ?b ?c }", "3:8", "`SELECT *`"),
        ("SELECT ?a {\n ?a ?b }", "4:9", "this is not SPARQL"),
        ("SELECT ?a { ?a x:y ?b }", "3:16", "the prefix `x:` is not declared"),
        ("SELECT ?a { ?a ?b ?c BIND(1 AS ?a) }", "3:37", "this is not SPARQL"),
        ("", "3:1", "this is not SPARQL"),
    ],
)
def test_errors_name_the_place(text: str, place: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        event(text)
    first = str(error.value).splitlines()[0]
    assert first == f"smoke.rq:{place}: error[I101]: {message}"


@pytest.mark.parametrize("name", ["Smoke", "in", "regex", "triple", "a b", "", "lt", "1a"])
def test_a_name_that_means_something_else_is_refused(name: str) -> None:
    with pytest.raises(UsageError):
        EventQuery.parse(name, "SELECT ?a { ?a ?b ?c }")


def test_names_that_only_look_like_refused_words_are_not() -> None:
    query = event("SELECT ?service { ?service ex:service <http://example.org/from>; ex:p 'graph' } # SERVICE")
    assert query.rules is not None


WORDS = (
    "SELECT WHERE ?a { } ( ) . ; ex:p <urn:x> FILTER BIND AS = || ! 'x' '' 1 -0.5 UNION VALUES # \\ ^ * \0"
)


@given(st.lists(st.sampled_from(WORDS.split(" "))).map(" ".join))
def test_no_foreign_exception(text: str) -> None:
    for each in (text, f"SELECT ?a WHERE {{ {text} }}"):
        with contextlib.suppress(LaserError):
            EventQuery.parse("smoke", PREFIXES + each).solutions()


def test_deep_nesting_is_refused() -> None:
    with pytest.raises(InputError, match="nested"):
        event("SELECT ?a " + "{" * 5000)


# --- what is mentioned -------------------------------------------------------------------------------------


def mentioned(*names: str) -> Mentions:
    return Mentions(frozenset(Predicate(EX + name[:-2], int(name[-1])) for name in names))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("?a a ex:C ; ex:p 1", mentioned("C/1", "p/2")),
        ("?a ex:p ?b OPTIONAL { ?a ex:q ?c } MINUS { ?a a ex:D }", mentioned("p/2", "q/2", "D/1")),
        ("?a ex:p ?b FILTER NOT EXISTS { ?a ex:q ?c }", mentioned("p/2", "q/2")),
        ("?a (ex:p/^ex:q)+|ex:r ?b", mentioned("p/2", "q/2", "r/2")),
        ("?a ex:p ?b . ?a ex:q* ?c", mentioned("p/2", "q/2")),
        ("?a ex:q* ?c", Mentions(everything=True)),
        ("?a !ex:q ?c", Mentions(everything=True)),
        ("?a ?p ?c", Mentions(everything=True)),
        ("?a a ?c", Mentions(types=True)),
        ("?a a 'x'", Mentions(frozenset({Predicate("http://www.w3.org/1999/02/22-rdf-syntax-ns#type", 2)}))),
    ],
)
def test_what_a_query_mentions(body: str, expected: Mentions) -> None:
    assert event(f"SELECT ?a WHERE {{ {body} }}").mentions() == expected


# --- the store ---------------------------------------------------------------------------------------------


def test_the_triples_of_a_time_point_leave_the_background_as_it_was() -> None:
    known = graph("ex:n1 ex:p 1 .")
    store = EventStore(known)
    query = event("SELECT ?a ?b { ?a ex:p ?b OPTIONAL { ?a ex:q ?c } }")
    assert len(query.solutions(graph("ex:n1 ex:p 1 . ex:n2 ex:p 2 ."), store)) == 2
    assert len(query.solutions((), store)) == 1
    with pytest.raises(ZeroDivisionError), store.at(graph("ex:n3 ex:p 3 .")):
        raise ZeroDivisionError
    assert len(store) == 1


def test_a_store_of_the_caller_serves_as_background() -> None:
    background = ox.Store()
    background.extend(ox.Quad(t.subject, t.predicate, t.object) for t in graph("ex:n1 ex:p 1 ."))
    assert len(event("SELECT ?a { ?a ex:p+ ?b }").solutions((), background)) == 1


# --- programs ----------------------------------------------------------------------------------------------


def test_events_that_come_again_are_new_again_and_those_of_the_background_are_there_always() -> None:
    query = event("SELECT ?a { ?a a ex:Smoke }")
    interner = Interner()
    mapping = GraphMapping(interner, query.mentions())
    events = EventEngine([query], interner, mapping.batches(graph("ex:n9 a ex:Smoke .")))
    assert [rows for _, rows in events.always] == [((interner.value(ox.NamedNode(EX + "n9")),),)]
    for turtle in ("ex:n1 a ex:Smoke .", "ex:n1 a ex:Smoke . ex:n9 a ex:Smoke ."):
        found = events.at([("s", mapping.batches(graph(turtle)))])
        assert [[ox_term(row[0]) for row in rows] for _, rows in found] == [[ox.NamedNode(EX + "n1")]]
    assert events.at([]) == []


def test_an_event_goes_by_the_base_of_the_program() -> None:
    program = with_events(
        Program.parse(f"BASE <{EX}> alarm(X) :- smoke(X)."), [event("SELECT ?a { ?a ex:p 1 }")]
    )
    assert check(program).warnings == ()
    assert [ref.predicate for ref in program.externals] == [EX + "smoke"]


def test_an_event_is_input_of_the_program() -> None:
    query = event("SELECT ?a { ?a ex:p ?b }")
    program = check(with_events(Program.parse("alarm(X) :- smoke(X)."), [query]))
    assert program.warnings == ()
    assert Engine(program).step(1, [("smoke", ("a",))]).added == [("alarm", ("a",))]


@pytest.mark.parametrize(
    "rule", ["smoke(X) :- p(X).", "smoke(a).", "{ ?x a smoke } :- p(?x).", "smoke(X, X) :- p(X)."]
)
def test_a_rule_that_derives_an_event_is_an_error(rule: str) -> None:
    with pytest.raises(ProgramError, match=r"E134.*`smoke` is the event of smoke.rq"):
        with_events(Program.parse(rule), [event("SELECT ?a { ?a ex:p 1 }")])


def test_two_queries_of_one_name_are_refused() -> None:
    query = event("SELECT ?a { ?a ex:p 1 }")
    with pytest.raises(UsageError, match="two event queries"):
        with_events(Program(), [query, query])


def test_a_query_is_read_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "smoke.rq"
    path.write_text("SELECT ?a { ?a <urn:p> ?b }", encoding="utf-8")
    assert EventQuery.read(path).name == "smoke"
    with pytest.raises(UsageError, match="cannot read"):
        EventQuery.read(tmp_path / "none.rq")
