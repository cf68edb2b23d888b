"""Event queries for tests: generated queries and graphs, and the two ways to answer them."""

from __future__ import annotations

from collections.abc import Iterable

import pyoxigraph as ox
from hypothesis import strategies as st

from laser_rdf.check import Mentions
from laser_rdf.rdf import Interner
from laser_rdf.rdf.event_engine import EventEngine
from laser_rdf.rdf.event_query import EventQuery
from laser_rdf.rdf.interner import ox_term
from laser_rdf.rdf.mapping import GraphMapping

PREFIXES = "PREFIX ex: <http://example.org/>\nPREFIX xsd: <http://www.w3.org/2001/XMLSchema#>\n"

LITERALS = """
    1 2 0 -1 7 1.5 "2"^^xsd:decimal "-0.5"^^xsd:decimal "2"^^xsd:double
    "1000"^^xsd:double "0.1"^^xsd:double "0.1"^^xsd:float "NaN"^^xsd:double "INF"^^xsd:double
    "a" "b" "" "ab" "a"@en "b"@en "a"@fr "ab"@en-gb true false "1" "true"
    "2020-01-01T00:00:00Z"^^xsd:dateTime "2020-01-01T01:00:00+01:00"^^xsd:dateTime
    "2020-06-01T10:30:05.5Z"^^xsd:dateTime "2020-01-01T00:00:00"^^xsd:dateTime "2020-01-02"^^xsd:date
    "2020-01-01Z"^^xsd:date "10:30:00"^^xsd:time "10:00:00Z"^^xsd:time
    "P1D"^^xsd:dayTimeDuration "P1M"^^xsd:yearMonthDuration "P1M"^^xsd:duration
    "x"^^ex:t "y"^^ex:t "abc"^^xsd:integer "maybe"^^xsd:boolean
""".split()
RESOURCES = "ex:n1 ex:n2 ex:p".split()
PROPERTIES = "ex:p ex:q".split()
CLASSES = "ex:C ex:D".split()


def graph(turtle: str) -> list[ox.Triple]:
    """The triples as a store has them: with canonical literals."""
    store = ox.Store()
    store.load((PREFIXES + turtle).encode(), format=ox.RdfFormat.TURTLE)
    return sorted((quad.triple for quad in store), key=str)


def by_rules(
    query: EventQuery, triples: Iterable[ox.Triple], background: Iterable[ox.Triple] = ()
) -> set[tuple[object, ...]]:
    """The events that the compiled rules give at a time point, those of the background among them."""
    assert query.rules is not None, query.reason
    interner = Interner()
    mapping = GraphMapping(interner, Mentions(everything=True) | query.mentions())
    events = EventEngine([query], interner, mapping.batches(background))
    batches = [*events.always, *events.at([(None, mapping.batches(triples))])]
    assert {predicate for predicate, _ in batches} <= {query.predicate}
    return {tuple(map(ox_term, row)) for _, rows in batches for row in rows}


def by_store(
    query: EventQuery, triples: Iterable[ox.Triple], background: Iterable[ox.Triple] = ()
) -> set[tuple[object, ...]]:
    """The events that pyoxigraph finds."""
    store = ox.Store()
    store.extend(ox.Quad(t.subject, t.predicate, t.object) for t in background)
    return set(query.solutions(triples, store))


# --- graphs ------------------------------------------------------------------------------------------------

_SUBJECTS = st.sampled_from([*RESOURCES, "_:b1", "_:b2"])
_OBJECTS = st.one_of(st.sampled_from(LITERALS), _SUBJECTS)
_TRIPLES = st.one_of(
    st.builds("{} {} {} .".format, _SUBJECTS, st.sampled_from(PROPERTIES), _OBJECTS),
    st.builds("{} a {} .".format, _SUBJECTS, st.sampled_from(CLASSES)),
)
GRAPHS = st.lists(_TRIPLES, min_size=3, max_size=12).map("\n".join)

# --- queries -----------------------------------------------------------------------------------------------

VARIABLES = ["?a", "?b", "?c"]
_NAMES = st.sampled_from(VARIABLES)


@st.composite
def queries(draw: st.DrawFn) -> str:
    """A SELECT query of the forms that rules can say, and a few that they cannot."""
    bound: list[str] = []
    body = draw(groups(2, bound))
    names = [*dict.fromkeys(["?a", "?b", *bound])]
    projected = draw(st.lists(st.sampled_from(names), min_size=1, max_size=2, unique=True))
    computed = f" ({draw(expressions(1, names))} AS ?z)" if draw(st.integers(0, 4)) == 0 else ""
    distinct = draw(st.sampled_from(["", "DISTINCT ", "REDUCED "]))
    tail = draw(st.sampled_from(["", "", "", " ORDER BY ?a", " VALUES ?a { ex:n1 1 UNDEF }"]))
    return f"{PREFIXES}SELECT {distinct}{' '.join(projected)}{computed} WHERE {body}{tail}"


@st.composite
def groups(draw: st.DrawFn, depth: int, bound: list[str]) -> str:
    """A group; `bound` collects the variables of BIND, so that each is used once."""
    parts = [draw(st.sampled_from(["?a ex:p ?b .", "?a ex:q ?b .", "?a ex:p ?c ; ex:q ?b .", ""]))]
    for _ in range(draw(st.integers(0, 3))):
        kind = draw(st.sampled_from("triple triple filter filter filter bind union values group".split()))
        if kind == "triple":
            parts.append(draw(triples(bound)))
        elif kind == "filter":
            parts.append(f"FILTER({draw(conditions(2, [*VARIABLES, *bound]))})")
        elif kind == "bind":
            name = f"?x{len(bound)}"
            parts.append(f"BIND({draw(expressions(2, [*VARIABLES, *bound]))} AS {name})")
            bound.append(name)
        elif kind == "values":
            parts.append(draw(rows()))
        elif depth:
            inner = [draw(groups(depth - 1, bound)) for _ in range(2 if kind == "union" else 1)]
            parts.append(" UNION ".join(inner))
    return "{ " + " ".join(parts) + " }"


@st.composite
def triples(draw: st.DrawFn, bound: Iterable[str] = ()) -> str:
    places = st.one_of(_NAMES, _NAMES, _NAMES, st.sampled_from([*RESOURCES, "_:z", "[]", *bound]))
    verb = draw(
        st.one_of(st.sampled_from(PROPERTIES), st.sampled_from(PROPERTIES), _NAMES, _PATHS, st.just("a"))
    )
    if verb == "a":
        return f"{draw(places)} a {draw(st.one_of(st.sampled_from(CLASSES), _NAMES))} ."
    value = draw(st.one_of(places, places, places, st.sampled_from(LITERALS)))
    return f"{draw(places)} {verb} {value} ."


_STEPS = st.sampled_from([*PROPERTIES, "a", "^ex:p", "!ex:p", "!(ex:p|a)"])
_PATHS = st.recursive(
    _STEPS,
    lambda inner: st.one_of(
        st.builds("({}/{})".format, inner, inner),
        st.builds("({}|{})".format, inner, inner),
        st.builds("^({})".format, inner),
    ),
    max_leaves=3,
)


@st.composite
def rows(draw: st.DrawFn) -> str:
    terms = st.sampled_from([*RESOURCES, *LITERALS, "UNDEF"])
    names = draw(st.lists(_NAMES, min_size=1, max_size=2, unique=True))
    lines = [" ".join(draw(terms) for _ in names) for _ in range(draw(st.integers(1, 3)))]
    return f"VALUES ({' '.join(names)}) {{ {' '.join(f'({line})' for line in lines)} }}"


def conditions(depth: int, names: list[str]) -> st.SearchStrategy[str]:
    """Something to filter by."""
    values = expressions(depth - 1, names)
    simple = st.one_of(
        st.builds("{} {} {}".format, values, st.sampled_from("= != < <= > >=".split()), values),
        st.builds(
            "{} {} ({})".format,
            values,
            st.sampled_from(["IN", "NOT IN"]),
            st.lists(values, min_size=1, max_size=3).map(", ".join),
        ),
        st.builds("{}({})".format, st.sampled_from("isIRI isBlank isLiteral isNumeric".split()), values),
        st.builds("bound({})".format, st.sampled_from(names)),
        st.builds("sameTerm({}, {})".format, values, values),
        st.builds(
            "{}(str({}), {})".format,
            st.sampled_from("CONTAINS STRSTARTS STRENDS REGEX".split()),
            values,
            st.sampled_from(['"a"', '"1"', '"n"', '"a"@en', '"^a"', '"1$"']),
        ),
        st.builds("langMatches(lang({}), {})".format, values, st.sampled_from(['"en"', '"*"', '"EN-GB"'])),
        values,
    )
    if not depth:
        return simple
    inner = conditions(depth - 1, names)
    return st.one_of(
        simple,
        st.builds("({} && {})".format, inner, inner),
        st.builds("({} || {})".format, inner, inner),
        st.builds("!({})".format, inner),
    )


def expressions(depth: int, names: list[str]) -> st.SearchStrategy[str]:
    """Something with a value."""
    leaves = st.one_of(
        st.sampled_from(names), st.sampled_from(names), st.sampled_from([*RESOURCES, *LITERALS])
    )
    if depth <= 0:
        return leaves
    inner = expressions(depth - 1, names)
    numbers = st.sampled_from("1 2 0 3 1.5 -0.5 2e0".split())
    return st.one_of(
        leaves,
        leaves,
        st.builds("({} {} {})".format, inner, st.sampled_from("+-*"), numbers),
        # pyoxigraph 0.5 has no value for 0 / 1.5.
        st.builds("({} / {})".format, inner, st.sampled_from("1 2 0 3 2e0".split())),
        st.builds("({} {} {})".format, inner, st.sampled_from("-*"), inner),
        st.builds("-({})".format, inner),
        st.builds("({} {} {})".format, inner, st.sampled_from("= != < >=".split()), inner),
        st.builds(
            "{}({})".format,
            st.sampled_from(
                "str lang datatype strlen ucase lcase abs ceil floor round year month day hours minutes "
                "seconds concat".split()
            ),
            inner,
        ),
        st.builds("concat(str({}), {})".format, inner, inner),
    )
