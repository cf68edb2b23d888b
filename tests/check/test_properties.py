"""Laws, on generated input: orders are valid, components are components, forms agree."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from laser_rdf.check import TRIPLE, canonical_ground, canonical_pattern, check, diagnose
from laser_rdf.check.binding import needs, order, provides
from laser_rdf.check.drafts import draft
from laser_rdf.check.graph import components, shortest_path
from laser_rdf.lang.ast import Const
from laser_rdf.lang.parser import parse
from laser_rdf.values import IRI, RDF_TYPE, Clock, Literal, Term

ITEMS = st.sampled_from(
    [
        "p(X, Y)",
        "p(Y, Z) in [5]",
        "q(X) at T in [5]",
        "q(T)",
        "q(Y) at Z + 1",
        "q(Z) in [3] from T",
        "not q(X)",
        "not p(X, _) at T",
        "X = Y + 1",
        "T = Z",
        "5 = W",
        "W = V",
        "V := X * 2",
        "Y < Z",
        "N := count { A : p(X, A), A > W }",
        "{ ?X <urn:p> ?Y . ?Y > ?N }",
    ]
)


@given(st.lists(ITEMS, min_size=1, max_size=8))
def test_every_step_finds_its_variables_bound(items: list[str]) -> None:
    (rule,) = parse(f"h :- {', '.join(items)}.").rules
    body = draft(0, rule, Clock()).body
    bound: set[str] = set()
    for step in body.steps:
        assert {v.name for _, v in needs(step, body.binders)} <= bound
        bound |= provides(step, body.binders)
    assert bound == body.bound
    assert len(body.steps) + len(body.stuck) == len(rule.body)
    for step in body.stuck:
        assert not {v.name for _, v in needs(step, body.binders)} <= bound


@given(st.lists(ITEMS, min_size=1, max_size=8), st.randoms())
def test_what_is_bound_does_not_depend_on_the_text_order(items: list[str], random: object) -> None:
    shuffled = list(items)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    one, two = (
        draft(0, parse(f"h :- {', '.join(text)}.").rules[0], Clock()).body for text in (items, shuffled)
    )
    assert one.bound == two.bound
    assert len(one.stuck) == len(two.stuck)


@given(st.lists(ITEMS, min_size=1, max_size=8))
def test_a_stuck_body_is_always_reported(items: list[str]) -> None:
    program = parse(f"h :- {', '.join(items)}.")
    stuck = draft(0, program.rules[0], Clock()).body.stuck
    unsafe = {"E101", "E102", "E103", "E104", "E105", "E106"} & {d.code for d in diagnose(program)}
    inner = [a for a in draft(0, program.rules[0], Clock()).aggregates if a.inner.stuck]
    assert bool(unsafe) == bool(stuck or inner)


GRAPHS = st.integers(1, 9).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, n - 1), max_size=4), min_size=n, max_size=n)
)


@given(GRAPHS)
def test_components_are_mutual_reachability(edges: list[list[int]]) -> None:
    component = components(edges)
    reach = [
        [bool(shortest_path(a, b, edges.__getitem__)) for b in range(len(edges))] for a in range(len(edges))
    ]
    for a in range(len(edges)):
        for b in range(len(edges)):
            assert (component[a] == component[b]) == (reach[a][b] and reach[b][a])
            if reach[a][b]:
                assert component[b] <= component[a], "what is needed comes first"


TERMS: st.SearchStrategy[Term] = st.sampled_from([IRI("ex:a"), IRI(RDF_TYPE), IRI(TRIPLE.name), Literal("x")])


@given(st.sampled_from([TRIPLE.name, RDF_TYPE, "ex:p"]), st.lists(TERMS, max_size=4))
def test_ground_atoms_and_patterns_of_constants_have_one_form(name: str, args: list[Term]) -> None:
    ground = canonical_ground(name, tuple(args))
    pattern = canonical_pattern(name, tuple(Const(arg) for arg in args))
    assert pattern.predicate == ground.predicate
    assert tuple(arg.term for arg in pattern.args if isinstance(arg, Const)) == ground.args
    assert canonical_ground(ground.predicate.name, ground.args) == ground


def test_order_of_a_long_body_is_linear() -> None:
    chain = ", ".join(f"X{i + 1} = X{i} + 1" for i in reversed(range(5000)))
    (rule,) = parse(f"h :- {chain}, p(X0).").rules
    ordering = order(draft(0, rule, Clock()).body.steps)
    assert not ordering.stuck


def test_large_programs() -> None:
    """A quadratic algorithm would take minutes here."""
    chain = "".join(f"p{i + 1}(X) :- p{i}(X) in [5], not q{i}(X).\n" for i in range(5000))
    ring = "".join(f"r{(i + 1) % 5000}(X) :- r{i}(X), s(X).\n" for i in range(5000))
    knot = "".join(f"n{(i + 1) % 5000}(Y) :- n{i}(X), Y := X + 1.\n" for i in range(5000))
    program = parse(chain + ring + knot)
    result = check(program)
    assert len(result.strata) == 1
    assert sum(rule.limited for rule in result.rules) == 5000


def test_a_long_chain_of_negations_has_as_many_strata() -> None:
    program = parse("".join(f"p{i + 1} :- not p{i}.\n" for i in range(20_000)))
    assert len(check(program).strata) == 20_000
