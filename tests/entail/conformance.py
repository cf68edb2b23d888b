"""The W3C tests "RDF Schema and Semantics" (rdf-mt): manifests, judging, and the page of outcomes.

    manifest.ttl → Case(name, positive, regime, action, result, …) → Outcome(case, entailed) → Markdown

The tests themselves are not part of the project. They are looked for beside it, in
../shared/conformance/rdf-mt.
`python -m tests.entail.conformance` prints the page docs/entailment-conformance.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyoxigraph as ox

from laser_rdf.entail import Enricher, interned
from laser_rdf.rdf import Interner
from laser_rdf.rdf.interner import ox_term
from laser_rdf.values import RDF, RDFS

ROOT = Path(__file__).parents[2]
FOLDER = ROOT.parent / "shared" / "conformance" / "rdf-mt"
PAGE = ROOT / "docs" / "entailment-conformance.md"

MF = "http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#"
BASE = "http://w3c.github.io/rdf-tests/rdf-mt/"

Graph = set[tuple[object, object, object]]

ILL_TYPED = "an ill-typed literal must be found inconsistent"
EQUAL_VALUES = "two literals must be known to have one value"
TYPED_LITERALS = "a literal must be known to belong to its datatype"
DISJOINT = "a value must be known to lie outside a datatype"
FINITE = "a datatype must be known to have few values"

NEED_DATATYPES = {
    "datatypes-non-well-formed-literal-2": f'{ILL_TYPED}: `"flargh"^^xsd:integer`',
    "datatypes-semantic-equivalence-within-type-1": f"{EQUAL_VALUES}: `010` and `10`",
    "datatypes-semantic-equivalence-within-type-2": f"{EQUAL_VALUES}: `10` and `010`",
    "datatypes-semantic-equivalence-between-datatypes": f"{EQUAL_VALUES}: integer `10` and decimal `10.0`",
    "datatypes-range-clash": f"{DISJOINT}: an integer where the range is `xsd:string`",
    "datatypes-test010": f"{DISJOINT}: a string where the range is `xsd:integer`",
    "rdfs-entailment-test001": f'{ILL_TYPED}: `"<"^^rdf:XMLLiteral`',
    "rdfs-entailment-test002": f"{DISJOINT}: a string where the range is `rdf:langString`",
    "xmlsch-02-whitespace-facet-2": f'{ILL_TYPED}: `" 3 "^^xsd:int`',
    "xmlsch-02-whitespace-facet-4": f'{ILL_TYPED}: `" 3 "^^xsd:int`',
    "literal-type": f"{TYPED_LITERALS}: `42` is an `xsd:integer`",
    "float-round-same": f"{EQUAL_VALUES}: two decimals that round to one float",
    "float-infinity": f"{EQUAL_VALUES}: `1E400` and `1E401` are both infinite",
    "double-round-same": f"{EQUAL_VALUES}: two decimals that round to one double",
    "double-infinity": f"{EQUAL_VALUES}: `1E400` and `1E401` are both infinite",
    "ill-formed-string": f"{ILL_TYPED}: a string with the character U+0000",
    "inconsistent-recognizing-integer": f"{DISJOINT}: everything is an integer, also strings",
    "langstring-disjoint-string": f"{DISJOINT}: `xsd:string` and `rdf:langString` share nothing",
    "langstring-not-subclassof-string": f"{DISJOINT}: `xsd:string` and `rdf:langString` share nothing",
    "langstring": f"{TYPED_LITERALS}: `a@en` is an `rdf:langString`",
    "only-one-class": f"{FINITE}: 0 alone is neither positive nor negative",
    "only-one-property": f"{FINITE}: 0 alone is neither positive nor negative",
}
"""The tests that need reasoning about values of datatypes, with what they need. All are positive."""


@dataclass(frozen=True)
class Case:
    """One entry of a manifest; without a result, the question is whether the premise is inconsistent."""

    name: str
    positive: bool
    regime: str
    action: Path
    result: Path | None
    approved: bool


@dataclass(frozen=True)
class Outcome:
    """What we say; None if a file of the test is missing."""

    case: Case
    entailed: bool | None

    @property
    def passed(self) -> bool:
        return self.entailed is self.case.positive


def read_manifest(folder: Path, approved: bool = True) -> Iterator[Case]:
    """The entries of a manifest in its order."""
    base = BASE + ("" if approved else f"{folder.name}/")
    store = ox.Store()
    store.load(path=str(folder / "manifest.ttl"), format=ox.RdfFormat.TURTLE, base_iri=base + "manifest.ttl")

    def one(subject: object, predicate: str) -> object:
        return next(store.quads_for_pattern(subject, ox.NamedNode(predicate), None)).object

    def path(term: object) -> Path | None:
        return folder / term.value.removeprefix(base) if isinstance(term, ox.NamedNode) else None

    cell = one(None, MF + "entries")
    while cell != ox.NamedNode(RDF + "nil"):
        entry = one(cell, RDF + "first")
        action = path(one(entry, MF + "action"))
        assert action is not None
        yield Case(
            one(entry, MF + "name").value,
            one(entry, RDF + "type") == ox.NamedNode(MF + "PositiveEntailmentTest"),
            one(entry, MF + "entailmentRegime").value,
            action,
            path(one(entry, MF + "result")),
            approved,
        )
        cell = one(cell, RDF + "rest")


def cases() -> list[Case]:
    """The approved tests, and the proposed ones in az-tests."""
    return [*read_manifest(FOLDER), *read_manifest(FOLDER / "az-tests", approved=False)]


def judge(case: Case) -> Outcome:
    files = [case.action, *([] if case.result is None else [case.result])]
    if not all(file.exists() for file in files):
        return Outcome(case, None)
    premise, *conclusion = map(read_graph, files)
    profile = "none" if case.regime == "simple" else "rdfs"
    return Outcome(case, entailed(premise, conclusion[0] if conclusion else None, profile))


def read_graph(path: Path) -> list[ox.Triple]:
    kind = ox.RdfFormat.N_TRIPLES if path.suffix == ".nt" else ox.RdfFormat.TURTLE
    return [quad.triple for quad in ox.parse(path=str(path), format=kind, base_iri=BASE + path.name)]


# --- entailment ----------------------------------------------------------------------------------------


def entailed(premise: Sequence[ox.Triple], conclusion: Sequence[ox.Triple] | None, profile: str) -> bool:
    """Whether the premise entails the conclusion, or false; what is inconsistent entails everything.

    The closure is that of RDF 1.1 Semantics, section 9.2.1: axioms for every name of premise and conclusion.
    """
    terms = Interner()
    enricher = Enricher(terms, interned(terms, premise), profile, axioms=profile != "none")
    if enricher.background_clashes:
        return True
    if conclusion is None:
        return False
    resource, a = ox.NamedNode(RDFS + "Resource"), ox.NamedNode(RDF + "type")
    names = {n for t in conclusion for n in t if isinstance(n, ox.NamedNode)} if profile != "none" else set()
    said = interned(terms, (ox.Triple(name, a, resource) for name in names))
    found = enricher.enrich(said)
    closure = [*enricher.background_triples(), *said, *found.entailed]
    return bool(found.clashes) or simply_entails({tuple(map(ox_term, row)) for row in closure}, conclusion)


def simply_entails(graph: Graph, conclusion: Iterable[ox.Triple]) -> bool:
    """Whether the conclusion is in the graph, if its blank nodes stand for some terms of the graph."""
    return _match(graph, [tuple(triple) for triple in conclusion], {})


def _match(graph: Graph, left: list[tuple[object, ...]], binding: dict[object, object]) -> bool:
    if not left:
        return True
    pattern = tuple(binding.get(node, node) for node in left[0])
    if not any(isinstance(node, ox.BlankNode) and node not in binding for node in left[0]):
        return pattern in graph and _match(graph, left[1:], binding)
    for triple in graph:
        extended = dict(binding)
        if all(
            extended.setdefault(node, value) == value if isinstance(node, ox.BlankNode) else node == value
            for node, value in zip(left[0], triple, strict=True)
        ) and _match(graph, left[1:], extended):
            return True
    return False


# --- the page ------------------------------------------------------------------------------------------

HEAD = """\
# W3C entailment tests

The W3C tests "RDF Schema and Semantics" ask whether one graph entails another under simple, RDF or RDFS
entailment. This page shows what `laser_rdf.entail` answers: with the profile `none` for simple entailment,
with `rdfs` and its axioms (`axioms=True`) for RDF and RDFS. What RDF entails RDFS entails, too. Blank nodes
of the conclusion stand for anything. Where the result of a test is *false*, the question is whether the
premise is inconsistent.

The profile `rdfs` does not look into literals: two are equal if they are written alike, and every literal is
taken to be well-formed. Tests that need more are listed at the end with what they need. (`owl-rl` knows the
datatypes of literals, see rules dt-type2 and dt-not-type, but it does not compare values either.)

The page is written by `pytest tests/entail/test_conformance.py --update-golden`; the test checks that it is
current. The tests themselves are W3C's and not part of this project.
"""


def page(outcomes: Sequence[Outcome]) -> str:
    """The whole page."""
    approved = [outcome for outcome in outcomes if outcome.case.approved]
    proposed = [outcome for outcome in outcomes if not outcome.case.approved]
    needs = [outcome.case.name for outcome in outcomes if outcome.case.name in NEED_DATATYPES]
    lines = [
        HEAD,
        "## The tests of the manifest",
        "",
        *_table(approved),
        "",
        "## Proposed tests",
        "",
        "These are in `az-tests`; W3C has not approved them.",
        "",
        *_table(proposed),
        "",
        "## Tests that need reasoning about datatypes",
        "",
        "All of them are positive tests; none of them makes us say more than is true.",
        "",
        "| test | what it needs |",
        "|---|---|",
        *(f"| {name} | {NEED_DATATYPES[name]} |" for name in needs),
    ]
    return "\n".join(lines) + "\n"


def _table(outcomes: Sequence[Outcome]) -> Iterator[str]:
    passed = sum(outcome.passed for outcome in outcomes)
    needs = sum(outcome.case.name in NEED_DATATYPES for outcome in outcomes)
    missing = sum(outcome.entailed is None for outcome in outcomes)
    without = f", {missing} cannot be run" if missing else ""
    yield f"{len(outcomes)} tests: {passed} as expected, {needs} need reasoning about datatypes{without}."
    yield ""
    yield "| test | regime | expected | found | outcome |"
    yield "|---|---|---|---|---|"
    for outcome in outcomes:
        case = outcome.case
        words = ("not entailed", "entailed") if case.result is not None else ("consistent", "inconsistent")
        found = "–" if outcome.entailed is None else words[outcome.entailed]
        yield f"| {case.name} | {case.regime} | {words[case.positive]} | {found} | {_verdict(outcome)} |"


def _verdict(outcome: Outcome) -> str:
    if outcome.entailed is None:
        return "a file of the test is missing"
    if outcome.passed:
        return "passed"
    return "needs datatypes" if outcome.case.name in NEED_DATATYPES else "**failed**"


if __name__ == "__main__":
    print(page([judge(case) for case in cases()]), end="")
