"""The text of an event query: what it must not contain, and what rdflib's parser makes of it.

    SELECT ?r WHERE { ?r a ex:Smoke }   →   rdflib's algebra, SelectQuery(p=Project(p=BGP(…)))

The text is read by three readers in turn. The first is ours and knows only tokens: it finds `SERVICE` and
other words that are refused, before pyoxigraph could act on them. pyoxigraph says what is wrong with the
text, and where; rdflib gives the algebra.
"""

from __future__ import annotations

import json
import re
from typing import Any

import pyoxigraph as ox

from laser_rdf.errors import InputError, UsageError
from laser_rdf.rdf.interner import to_value
from laser_rdf.rdf.problems import Piece
from laser_rdf.values import IRI, BlankNode, Literal, Term
from laser_rdf.values.functions_sparql import stored
from laser_rdf.values.numbers import NoValue

MAX_NESTING = 60
MAX_TEXT = 100_000
LITERAL_BASE = "urn:laser:literal:"
"""IRIs that stand for literals on their way through rdflib, which would rewrite them by their value."""

_COMMENT = r"\#[^\n\r]*"
_IRI = r"""<[^<>"{}|^`\\\x00-\x20]*>"""
_STRING = r"""(?:\"\"\"(?:\"{0,2}(?:[^"\\]|\\.))*+\"\"\"|'''(?:'{0,2}(?:[^'\\]|\\.))*+'''
             |"(?:[^"\\\n\r]|\\.)*+"|'(?:[^'\\\n\r]|\\.)*+')"""
_NAME = r"(?:\w[\w.-]*)?:(?:[\w.:%-]|\\.)*"
_TAG = r"@[A-Za-z][A-Za-z0-9-]*"

_TOKEN = re.compile(
    rf"""(?P<skip>\s+|{_COMMENT}) | (?P<iri>{_IRI}) | (?P<string>{_STRING}) | (?P<variable>[?$]\w+)
      | (?P<name>{_NAME}) | (?P<tag>{_TAG}) | (?P<word>[A-Za-z]\w*) | (?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)
_LITERAL = re.compile(
    rf"""(?P<comment>{_COMMENT}) | {_IRI} | (?P<text>{_STRING}(?:{_TAG}|\s*\^\^\s*(?:{_IRI}|{_NAME}))?)
      | (?<![\w.?$]) (?P<number>-[0-9]*\.[0-9]+) (?![\w.])""",
    re.VERBOSE | re.DOTALL,
)
_NO_OPERAND = tuple("(,=<>&|{*/")  # behind these a minus is a sign; rdflib fails at a negative decimal
_SEPARATOR = re.compile(r"SEPARATOR\s*=\s*$", re.IGNORECASE)
_ESCAPE = re.compile(r"\\[uU]")
_PLACE = re.compile(r"error at (\d+):(\d+): (.*)", re.DOTALL)
_FORMS = ("SELECT", "CONSTRUCT", "ASK", "DESCRIBE")

_REFUSED = {
    "SERVICE": "an event query reads the graph of its time point and asks no other service",
    "LOAD": "an event query loads nothing",
    "FROM": "an event query reads the graph of its time point and nothing else: leave `FROM` out",
    "GRAPH": "the triples of a time point and the background are one graph: leave `GRAPH` out",
    **dict.fromkeys(
        ("NOW", "RAND", "UUID", "STRUUID", "BNODE"),
        "it gives another result in every run, and the same input has to give the same events",
    ),
}


class QueryText:
    """The text of a query, with the file that errors name.

    >>> QueryText("SELECT ?x WHERE { SERVICE <http://example.org/> { ?x ?p ?o } }", "x.rq").algebra()
    Traceback (most recent call last):
    laser_rdf.errors.InputError: x.rq:1:19: error[I101]: `SERVICE` in an event query
       |
     1 | SELECT ?x WHERE { SERVICE <http://example.org/> { ?x ?p ?o } }
       |                   ^^^^^^^
      = an event query reads the graph of its time point and asks no other service
    """

    def __init__(self, text: str, source: str) -> None:
        self.text = text
        self._piece = Piece(source, text.encode("utf-8", "replace"))

    def algebra(self) -> tuple[tuple[str, ...], Any]:
        """The variables of a SELECT query, and its algebra; a text that says why if rdflib has none.

        InputError if it is no SELECT query that pyoxigraph could evaluate.
        """
        if len(self.text) > MAX_TEXT:
            raise self.error(0, 1, f"a query of over {MAX_TEXT} characters", "write it shorter")
        self._refuse()
        return self._validate(), self._parsed()

    def error(self, start: int, width: int, message: str, note: str) -> InputError:
        """The error at a place of the text."""
        line = self.text.count("\n", 0, start) + 1
        column = start - (self.text.rfind("\n", 0, start) + 1) + 1
        return self._piece.error("I101", message, note, line, column, max(1, width))

    def _refuse(self) -> None:
        if (ours := self.text.find(LITERAL_BASE)) >= 0:
            raise self.error(ours, len(LITERAL_BASE), "an IRI that has a meaning of its own", "write another")
        if (escape := _ESCAPE.search(self.text)) is not None:
            # Such escapes may stand for any character, also for one that is part of a keyword.
            raise self.error(escape.start(), 2, "a `\\u` escape", "write the character itself")
        depth, form = 0, ""
        for found in _TOKEN.finditer(self.text):
            word = found[0].upper() if found.lastgroup == "word" else ""
            bracket = found[0] if found.lastgroup == "other" else " "
            depth += (bracket in "([{") - (bracket in ")]}")
            if depth > MAX_NESTING:
                message = f"brackets nested over {MAX_NESTING} deep"
                raise self.error(found.start(), 1, message, "nest them less")
            if (reason := _REFUSED.get(word)) is not None:
                raise self.error(found.start(), len(word), f"`{found[0]}` in an event query", reason)
            if word in _FORMS and not form:
                form = word
                if word != "SELECT":
                    raise self.error(found.start(), len(word), "not a SELECT query", _SELECT)
            if found[0] == "*" and depth == 0 and form:
                # The order of the variables is the order of the arguments.
                raise self.error(found.start(), 1, "`SELECT *`", "name the variables, in their order")

    def _validate(self) -> tuple[str, ...]:
        """Let pyoxigraph read the query, on an empty store; the variables."""
        try:
            result = ox.Store().query(self.text)
        except SyntaxError as problem:
            self._refuse_unknown_prefixes()
            place = _PLACE.match(str(problem))
            line, column = (int(place[1]), int(place[2])) if place else (1, 1)
            raise self._piece.error(
                "I101", *_meaning(place[3] if place else str(problem)), line, column
            ) from None
        except (ValueError, OSError, RuntimeError) as problem:
            raise self.error(0, 1, f"this is not SPARQL: {problem}", "correct the query") from None
        if not isinstance(result, ox.QuerySolutions):
            raise self.error(0, 1, "not a SELECT query", _SELECT)
        return tuple(variable.value for variable in result.variables)

    def _refuse_unknown_prefixes(self) -> None:
        """Find the most common mistake by ourselves: pyoxigraph is not clear about it."""
        declared = {"_"}
        word = ""
        for found in _TOKEN.finditer(self.text):
            if found.lastgroup == "name":
                prefix = found[0].partition(":")[0]
                if word == "PREFIX":
                    declared.add(prefix)
                elif prefix not in declared:
                    note = f"declare it: `PREFIX {prefix}: <http://example.org/>`"
                    message = f"the prefix `{prefix}:` is not declared"
                    raise self.error(found.start(), len(prefix) + 1, message, note)
            if found.lastgroup != "skip":
                word = found[0].upper()

    def _parsed(self) -> Any:
        try:
            from rdflib.plugins.sparql.algebra import translateQuery
            from rdflib.plugins.sparql.parser import parseQuery
        except ImportError:  # pragma: no cover - the development environment has it
            raise UsageError("event queries need rdflib: `pip install 'laser-rdf[rdflib]'`") from None
        text = self._for_rdflib()
        try:
            return translateQuery(parseQuery(text)).algebra
        except Exception as problem:  # pyparsing's own, and plain ones where rdflib did not expect a case
            # pyoxigraph has read it, so it is a query; newer than rdflib, or one of its mistakes.
            said = str(problem).partition("  (at char")[0] or type(problem).__name__
            return f"rdflib cannot read it: {said[:200]}"

    def _for_rdflib(self) -> str:
        """The text with IRIs for literals and blanks for comments.

        rdflib warns of ill-typed literals, and ends comments at another place than pyoxigraph does.
        """
        prologue = ""
        made: dict[str, str] = {}

        def shown(found: re.Match[str]) -> str:
            text = found[0]
            if found["comment"]:
                return " " * len(text)
            before = self.text[: found.start()].rstrip()[-1:]
            if found["number"] and before not in _NO_OPERAND:
                return text
            if (found["text"] or found["number"]) is None or _SEPARATOR.search(self.text[: found.start()]):
                return text
            if text not in made:
                made[text] = f"<{_placeholder(f'{prologue} <urn:s> <urn:p> {text} .')}>"
            return made[text]

        for found in _TOKEN.finditer(self.text):
            if found.lastgroup == "word" and found[0].upper() == "SELECT":
                prologue = self.text[: found.start()]
                break
        try:
            return _LITERAL.sub(shown, self.text)
        except (SyntaxError, ValueError, UsageError) as problem:
            raise self.error(0, 1, f"a literal that cannot be read: {problem}", "correct it") from None


_SELECT = "an event query is `SELECT ?x ?y WHERE { … }`"


def _meaning(said: str) -> tuple[str, str]:
    """What pyoxigraph means: what could stand there is a list of character ranges, of no help to anyone."""
    if "overrides an existing variable" in said or "already" in said:
        return "a variable is given a value that has one already", "choose another name for it"
    return "this is not SPARQL", "correct the text at the mark or before it"


def _placeholder(turtle: str) -> str:
    """The IRI that stands for the object of a triple; Turtle and SPARQL write prefixes and literals alike."""
    (quad,) = ox.parse(turtle, format=ox.RdfFormat.TURTLE)
    literal = to_value(quad.object)
    assert isinstance(literal, Literal)
    return LITERAL_BASE + json.dumps([literal.lexical, literal.datatype, literal.language]).encode().hex()


def term_of(node: Any) -> Term:
    """A constant of the algebra as `laser_rdf.values` knows it.

    >>> from rdflib import URIRef
    >>> print(term_of(URIRef(_placeholder('<urn:s> <urn:p> "01"^^<urn:t> .'))))
    "01"^^<urn:t>
    """
    import rdflib

    if isinstance(node, rdflib.URIRef):
        if is_literal(node):
            return Literal(*json.loads(bytes.fromhex(node[len(LITERAL_BASE) :])))
        return IRI(str(node))
    if isinstance(node, rdflib.BNode):
        return BlankNode(str(node))
    assert isinstance(node, rdflib.Literal)  # a number or a boolean, and those have a datatype
    literal = Literal(str(node), str(node.datatype))
    try:
        # rdflib has rewritten a double already: 1e3 is "1000.0".
        return stored(literal) if node.datatype == rdflib.XSD.double else literal
    except NoValue:
        return literal


def is_literal(node: Any) -> bool:
    """Whether a term of the algebra is a literal."""
    import rdflib

    return isinstance(node, rdflib.Literal) or str(node).startswith(LITERAL_BASE)
