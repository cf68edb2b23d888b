"""Large programs: many literals, many rules, many columns, many ways to hold."""

from __future__ import annotations

from random import Random

import pytest

from laser_rdf.check import check
from laser_rdf.lang.parser import parse
from tests.engine.comparing import Comparison
from tests.engine.programs import Fact

Elements = list[tuple[int, list[Fact]]]


def agree(program: str, elements: Elements, until: int, background: list[Fact] | None = None) -> Comparison:
    """Engine = reference at every time point up to the last; the comparison, to look at."""
    both = Comparison(check(parse(program)), background or [])
    assert both.engine.recomputes is None
    due = dict(elements)
    for time in range(elements[0][0], until + 1):
        both.step(time, due.get(time, []))
    return both


def names(prefix: str, count: int) -> str:
    return ", ".join(f"{prefix}{i}" for i in range(count))


def test_thirty_literals_joined_in_a_chain() -> None:
    body = ", ".join(f"e(X{i}, X{i + 1}) in [4]" for i in range(30))
    ring: list[Fact] = [("e", (i, (i + 1) % 5)) for i in range(5)]
    both = agree(f"#external e/2 . q(X0, X30) :- {body}.", [(1, ring[:3]), (2, ring[3:]), (4, [])], 7)
    assert both.filled
    assert both.removals


def test_thirty_literals_joined_in_a_star() -> None:
    body = ", ".join(f"p{i}(X, V{i}) in [3]" for i in range(30))
    external = ", ".join(f"p{i}/2" for i in range(30))
    facts: list[Fact] = [(f"p{i}", (x, i)) for i in range(30) for x in "ab" if (i, x) != (17, "b")]
    late: list[Fact] = [("p17", ("b", 3))]
    program = f"#external {external} . q(X, V0, V29) :- {body}."
    both = agree(program, [(1, facts), (3, late)], 8)
    assert both.atoms == 4 + 2  # a from 1 to 4; b, complete at 3, to 4


def test_thirty_unbound_loops() -> None:
    """No variable is shared: every literal is a loop of its own, far more than Python nests."""
    body = ", ".join(f"p{i}(X{i})" + (" in [2]" if i % 2 else "") for i in range(30))
    external = ", ".join(f"p{i}/1" for i in range(30))
    facts: list[Fact] = [(f"p{i}", (i,)) for i in range(30)] + [("p3", ("x",)), ("p29", ("y",))]
    both = agree(f"#external {external} . q(X0, X3, X29) :- {body}.", [(1, facts)], 3)
    assert both.atoms == 4


def test_thirty_loops_that_can_be_withdrawn() -> None:
    """The same where the rule has parts for adding, for withdrawing and for deriving again."""
    body = ", ".join(f"p{i}(X{i}) in [3]" for i in range(30))
    external = ", ".join(f"p{i}/1" for i in range(30))
    facts: list[Fact] = [(f"p{i}", (i,)) for i in range(30)] + [("p3", ("x",))]
    program = (
        f"#external {external}, veto/1 . q(X0, X3) :- {body}, not veto(X3) in [1]. q(X, X) :- p3(X) in [5]."
    )
    both = agree(program, [(1, facts), (2, [("veto", ("x",))]), (4, [("p7", (7,))])], 8)
    assert both.removals >= 2


def test_two_hundred_rules() -> None:
    rules = [f"q{i}(X, {i}) :- p(X, Y) in [{i % 5}], Y > {i % 7}." for i in range(100)]
    rules += [f"r{i}(X) :- q{i}(X, _), not q{(i + 1) % 100}(X, _)." for i in range(100)]
    luck = Random(1)
    elements: Elements = [
        (t, [("p", (luck.choice("abc"), luck.randrange(9))) for _ in range(3)]) for t in range(1, 4)
    ]
    both = agree("#external p/2 . " + " ".join(rules), elements, 6)
    assert len(both.predicates) > 100
    assert both.removals


def test_sixty_columns() -> None:
    columns = names("X", 60)
    program = (
        f"#external wide/60, e/2 . w({columns}) :- wide({columns}) in [2]. "
        f"ends(X0, X59) :- w({columns}), not e(X0, X59). "
        f"same(X) :- wide({', '.join(['X', *'_' * 58, 'X'])}) in [2]. "
        f"at_last({columns}) at T :- wide({columns}) at T in [2]."
    )
    rows: list[Fact] = [("wide", tuple(range(60))), ("wide", tuple("a" for _ in range(60)))]
    both = agree(program, [(1, rows), (2, [("e", (0, 59)), rows[0]])], 6)
    assert len(both.predicates) == 4


def test_twenty_five_negations() -> None:
    body = ", ".join(f"not n{i}(X{', _' if i % 2 else ''}) in [{i % 3}]" for i in range(25))
    external = ", ".join(f"n{i}/{1 + i % 2}" for i in range(25))
    veto: list[Fact] = [("n24", ("a",)), ("n13", ("b", 1)), ("n0", ("c",))]
    program = f"#external p/1, {external} . q(X) :- p(X) in [9], {body}."
    both = agree(program, [(1, [("p", (x,)) for x in "abc"]), (3, veto)], 12)
    assert both.removals >= 2


@pytest.mark.parametrize("streamed", [False, True], ids=["derived", "streamed too"])
def test_a_body_of_forty_derived_predicates(streamed: bool) -> None:
    """Each may hold in several ways: derived now, derived at a time point, streamed, background."""
    rules = []
    for i in range(40):
        at = " at T" if i % 3 == 1 else ""
        rules.append(f"d{i}(X){at} :- p{i % 4}(X){at} in [{2 + i % 3}].")
        if i % 5 == 0:
            rules.append(f"d{i}(X) at T :- p1(X) at T in [3].")
    body = ", ".join(f"d{i}(X)" + (" in [3]" if i % 2 else "") for i in range(40))
    rules.append(f"q(X) :- {body}.")
    facts: list[Fact] = [(f"p{i}", (x,)) for i in range(4) for x in "ab" if (i, x) != (2, "b")]
    more: list[Fact] = [(f"d{i}", ("b",)) for i in range(2, 40, 4)] if streamed else [("p2", ("b",))]
    program = "#external p0/1, p1/1, p2/1, p3/1 . " + " ".join(rules)
    both = agree(program, [(1, facts), (2, more), (3, facts)], 5, [("d4", ("b",))])
    assert both.filled


def test_a_chain_of_three_hundred_predicates() -> None:
    rules = [f"d{i}(X) :- d{i - 1}(X){', not r(X)' if i == 150 else ''}." for i in range(1, 300)]
    program = "#external p/1, r/1 . d0(X) :- p(X) in [2]. " + " ".join(rules)
    both = agree(program, [(1, [("p", ("a",))]), (2, [("p", ("b",)), ("r", ("a",))])], 5)
    assert len(both.predicates) == 300
    assert both.removals


def test_one_body_shared_by_fifty_heads() -> None:
    rules = [f"h{i}(X, Z) :- p(X, Y) in [2], p(Y, Z) in [2]." for i in range(50)]
    both = agree("#external p/2 . " + " ".join(rules), [(1, [("p", ("a", "b")), ("p", ("b", "c"))])], 4)
    assert both.atoms == 150
