"""Hypothesis strategies for syntax trees of every shape the language has, sensible or not."""

from __future__ import annotations

from hypothesis import strategies as st

from laser_rdf.lang import ast
from laser_rdf.lang.names import RESERVED
from laser_rdf.values import terms
from laser_rdf.values.terms import IRI, Literal, Term

names = st.one_of(
    st.sampled_from(
        ["p", "q", "temp", "a", "lt", "regex", "triple", "step", "all", "min", "s", "größe", "温度"]
    ),
    st.sampled_from(sorted(RESERVED)),
    st.sampled_from(["Fire", "_x", "x-y", "x.y", "é́", "1a", "Ölstand"]),
)
namespaces = st.sampled_from(
    [terms.LOCAL_BASE, "http://example.org/", "http://example.org/x#", terms.XSD, "urn:x:"]
)
iris = st.builds(lambda ns, name: IRI(ns + name), namespaces, names)
texts = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=8)
literals = st.one_of(
    st.integers(-20, 10**30).map(lambda i: Literal(str(i), terms.XSD_INTEGER)),
    st.sampled_from(["1.50", "-0.0", "+1.0", ".5", "5."]).map(lambda s: Literal(s, terms.XSD_DECIMAL)),
    st.sampled_from(["1e3", "-1.5E-7", "INF", "NaN"]).map(lambda s: Literal(s, terms.XSD_DOUBLE)),
    st.sampled_from(["true", "false", "1"]).map(lambda s: Literal(s, terms.XSD_BOOLEAN)),
    texts.map(Literal),
    st.builds(lambda s, tag: Literal(s, terms.LANG_STRING, tag), texts, st.sampled_from(["en", "de-at"])),
    st.builds(lambda s, dt: Literal(s, dt.value), texts, iris),
)
constants: st.SearchStrategy[Term] = st.one_of(iris, literals)
variables = st.sampled_from(["x", "X", "room", "T", "T1", "_y", "1", "ärger", "Ä"]).map(ast.Var)
wildcards = st.just(ast.Wildcard())
arguments = st.one_of(variables, constants.map(ast.Const), wildcards)


def _minus(operand: ast.Expr) -> ast.Expr:
    """A minus sign before an unsigned number is a part of the number, so it never stands alone."""
    if isinstance(operand, ast.Const):
        return ast.Binary("-", ast.Var("X"), operand)
    return ast.Unary("-", operand)


expressions: st.SearchStrategy[ast.Expr] = st.recursive(
    st.one_of(variables, constants.map(ast.Const)),
    lambda inner: st.one_of(
        st.builds(ast.Binary, st.sampled_from(["+", "-", "*", "/", "mod"]), inner, inner),
        inner.map(_minus),
        st.builds(
            ast.Call,
            st.sampled_from(["abs", "min", "regex", "f", "http://example.org/f"]),
            st.lists(inner, max_size=3).map(tuple),
        ),
    ),
    max_leaves=6,
)
comparisons = st.builds(
    ast.Comparison, st.sampled_from(["=", "!=", "<", "<=", ">", ">="]), expressions, expressions
)
assignments = st.builds(ast.Assignment, variables, expressions)

atoms = st.builds(ast.Atom, iris.map(lambda iri: iri.value), st.lists(arguments, max_size=3).map(tuple))


@st.composite
def blocks(draw: st.DrawFn, conditions: bool = True) -> ast.Block:
    """A block whose blank nodes are numbered as the parser numbers them."""
    count = draw(st.integers(1, 3))
    seen: list[str] = []

    def node(*kinds: st.SearchStrategy[ast.Node]) -> ast.Node:
        choice = draw(st.one_of(*kinds, st.integers(0, 3).map(lambda i: i)))
        if isinstance(choice, int):
            choice = ast.Blank(f"b{min(choice, len(seen)) + 1}")
        if isinstance(choice, ast.Blank) and choice.label not in seen:
            seen.append(choice.label)
        return choice

    patterns = []
    for _ in range(count):
        subject = node(variables, iris.map(ast.Const), wildcards)
        verb = draw(
            st.one_of(variables, iris.map(ast.Const), wildcards, st.just(ast.Const(IRI(terms.RDF_TYPE))))
        )
        patterns.append(ast.Pattern(subject, verb, node(arguments)))
    behind = draw(st.lists(comparisons, max_size=2)) if conditions else []
    return ast.Block(tuple(patterns), tuple(behind))


sizes = st.builds(ast.Size, st.integers(0, 1000), st.sampled_from([None, "ms", "s", "min", "h", "d"]))
references = st.builds(
    ast.PredicateRef, iris.map(lambda iri: iri.value), st.one_of(st.none(), st.integers(0, 4))
)
windows: st.SearchStrategy[ast.Window] = st.one_of(
    st.just(ast.AllWindow()),
    st.builds(ast.TimeWindow, sizes, st.just(ast.ZERO) | sizes, st.none() | sizes),
    st.builds(ast.TimeWindow, st.just(ast.ZERO), sizes, st.none() | sizes),
    st.builds(ast.TupleWindow, st.integers(0, 50), st.none() | references),
    st.builds(
        ast.PartitionWindow, st.integers(0, 50), st.lists(variables, min_size=1, max_size=2).map(tuple)
    ),
)


@st.composite
def body_literals(draw: st.DrawFn) -> ast.Literal:
    quantifier = draw(st.sampled_from(ast.Quantifier))
    needs_window = quantifier in (ast.Quantifier.SOME, ast.Quantifier.ALWAYS)
    window = draw(windows if needs_window else st.none() | windows)
    return ast.Literal(
        formula=draw(atoms | blocks()),
        quantifier=quantifier,
        at=draw(expressions) if quantifier is ast.Quantifier.AT else None,
        window=window,
        reference=draw(st.none() | expressions) if window is not None else None,
        stream=draw(st.none() | st.sampled_from(["traffic", "in", "My Stream", 'a"b'])),
        negated=draw(st.booleans()),
    )


aggregates = st.builds(
    ast.Aggregate,
    variables,
    st.sampled_from(["count", "sum", "avg", "min", "max"]),
    st.lists(variables | constants.map(ast.Const), min_size=1, max_size=2).map(tuple),
    st.lists(body_literals() | comparisons | assignments, min_size=1, max_size=2).map(tuple),
)
heads = st.builds(ast.Head, atoms | blocks(conditions=False), st.none() | expressions)
rules = st.builds(
    ast.Rule, heads, st.lists(body_literals() | comparisons | assignments | aggregates, max_size=4).map(tuple)
)
programs = st.builds(
    ast.Program,
    rules=st.lists(rules, max_size=3).map(tuple),
    prefixes=st.sampled_from(
        [
            (),
            (ast.Prefix("ex", "http://example.org/"),),
            (ast.Prefix("", "urn:x:"), ast.Prefix("ex", "http://example.org/x#")),
        ]
    ),
    base=st.sampled_from([terms.LOCAL_BASE, "http://example.org/"]),
    shows=st.lists(references, max_size=2).map(tuple),
    externals=st.lists(references, max_size=2).map(tuple),
    constants=st.just(()) | st.builds(lambda t: (ast.Constant("temp", t),), constants),
)
