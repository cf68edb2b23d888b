"""CONSTRUCT templates: what is made of an answer's triples before they leave.

    CONSTRUCT { [] a ex:Alarm ; ex:room ?room } WHERE { ?room a ex:Hot }

pyoxigraph evaluates the pattern, over the triples of one graph. The template is filled in here, because
pyoxigraph would give a blank node another name in every run: here it gets one made from the template, the
node and the solution, so that the same solution has the same name. For that the query is cut in two:

    PREFIX … SELECT * WHERE { ?room a ex:Hot }                 asked of pyoxigraph
    PREFIX … [] a ex:Alarm ; ex:room <urn:…:room> .            read as Turtle, variables being IRIs of our own

pyoxigraph's store writes literals canonically ("01"^^xsd:integer becomes 1), so a literal that passes a
template may leave in another form than it came.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pyoxigraph as ox

from laser_rdf.errors import EvaluationError, InputError, UsageError, escape_control
from laser_rdf.rdf.emit_atoms import TripleText
from laser_rdf.rdf.naming import digest, fresh_iri
from laser_rdf.rdf.problems import Piece
from laser_rdf.rdf.term_texts import is_iri, term_text

MAX_NESTING = 100
MAX_TRIPLES = 1_000_000

_TOKEN = re.compile(
    r"""(?P<skip>\s+|\#[^\n\r]*)
      | (?P<iri><[^<>"{}|^`\\\x00-\x20]*>)
      | (?P<string>\"\"\"(?:\"{0,2}(?:[^"\\]|\\.))*+\"\"\"|'''(?:'{0,2}(?:[^'\\]|\\.))*+'''
                  |"(?:[^"\\\n\r]|\\.)*+"|'(?:[^'\\\n\r]|\\.)*+')
      | (?P<variable>[?$]\w+)
      | (?P<name>(?:\w[\w.-]*)?:(?:[\w.:%-]|\\.)*)
      | (?P<tag>@[A-Za-z][A-Za-z0-9-]*)
      | (?P<word>[A-Za-z]\w*)
      | (?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\[uU]")
_PLACE = re.compile(r"error at (\d+):(\d+): (.*)", re.DOTALL)

_REFUSED = {
    "SERVICE": "a template asks no other service",
    "FROM": "a template reads the triples of the answer and nothing else",
    "GRAPH": "the triples of an answer are one graph: leave `GRAPH` out",
    "LOAD": "a template loads nothing",
    **dict.fromkeys(
        ("NOW", "RAND", "UUID", "STRUUID", "BNODE"),
        "it gives another result in every run, and the same run has to give the same graphs",
    ),
}
_TOP_LEVEL = ("GROUP", "HAVING")


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    start: int
    depth: int

    @property
    def word(self) -> str:
        """The keyword, in capitals; empty for anything else."""
        return self.text.upper() if self.kind == "word" else ""


@dataclass(frozen=True, slots=True)
class _Variable:
    name: str


@dataclass(frozen=True, slots=True)
class _Fresh:
    label: str


_Part = str | _Variable | _Fresh | tuple["_Part", "_Part", "_Part"]
"""N-Triples text, a variable, a blank node of the template, or a triple term of such."""


class ConstructTemplate:
    """A CONSTRUCT query over the triples of an answer.

    >>> template = ConstructTemplate("CONSTRUCT { ?x <urn:q> ?y } WHERE { ?y <urn:p> ?x }")
    >>> template.apply(["<urn:a> <urn:p> <urn:b>"])
    [('<urn:b>', '<urn:q>', '<urn:a>')]
    """

    def __init__(self, text: str, name: str = "<template>") -> None:
        """`name` is the file that errors name."""
        self._piece = Piece(name, text.encode("utf-8", "replace"))
        self._text = text
        tokens = self._tokens(text)
        self._refuse(tokens)
        self._validate()
        prologue, template, rest = self._parts(tokens)
        self._query = f"{prologue}SELECT * {rest}"
        self._template = self._compiled(prologue, template)
        self._fresh = digest([text])

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> ConstructTemplate:
        """The template of a file such as `queries/alarm.rq`."""
        name = os.fspath(path)
        try:
            return cls(Path(path).read_text(encoding="utf-8"), name)
        except (OSError, ValueError) as problem:
            reason = getattr(problem, "strerror", None) or "it is not UTF-8"
            raise UsageError(f"cannot read `{escape_control(name)}`: {reason}") from None

    def apply(self, statements: Iterable[str]) -> list[TripleText]:
        """The triples that the template makes of statements as N-Triples without dots; sorted, each once."""
        store = ox.Store()
        found: set[TripleText] = set()
        try:
            store.load("".join([f"{said} .\n" for said in statements]), format=ox.RdfFormat.N_TRIPLES)
            solutions = store.query(self._query)
            assert isinstance(solutions, ox.QuerySolutions)
            names = sorted(variable.value for variable in solutions.variables)
            for solution in solutions:
                bound = {name: term_text(term) for name in names if (term := solution[name]) is not None}
                self._fill(bound, found)
                if len(found) > MAX_TRIPLES:
                    raise EvaluationError(
                        f"{escape_control(self._piece.source)}: the template makes over {MAX_TRIPLES} triples"
                    )
        except (SyntaxError, ValueError, OSError, RuntimeError) as problem:
            shown = escape_control(f"{self._piece.source}: {problem}")
            raise EvaluationError(f"{shown} (while the template was evaluated)") from None
        return sorted(found)

    def _fill(self, bound: dict[str, str], found: set[TripleText]) -> None:
        """Add the triples of one solution; those with an unbound variable, or that are none, are left out."""
        fresh: dict[str, str] = {}
        solution = [part for pair in bound.items() for part in pair]

        def text(part: _Part) -> str | None:
            match part:
                case str():
                    return part
                case _Variable(name):
                    return bound.get(name)
                case _Fresh(label):
                    if label not in fresh:
                        fresh[label] = f"<{fresh_iri(self._fresh, label, solution)}>"
                    return fresh[label]
                case (subject, predicate, value):
                    inner = triple(subject, predicate, value)
                    return None if inner is None else f"<<( {' '.join(inner)} )>>"

        def triple(*parts: _Part) -> TripleText | None:
            subject, predicate, value = map(text, parts)
            if subject is None or predicate is None or value is None:
                return None
            return (subject, predicate, value) if is_iri(subject) and is_iri(predicate) else None

        for parts in self._template:
            if (made := triple(*parts)) is not None:
                found.add(made)

    # --- reading the query ---------------------------------------------------------------------------

    def _tokens(self, text: str) -> list[_Token]:
        if (escape := _ESCAPE.search(text)) is not None:
            # Such escapes may stand for any character, also for one that is part of a keyword.
            raise self._error(escape.start(), 2, "a `\\u` escape", "write the character itself")
        tokens: list[_Token] = []
        depth = 0
        for found in _TOKEN.finditer(text):
            kind = found.lastgroup
            if kind is None or kind == "skip":
                continue
            bracket = found[0] if kind == "other" else " "
            if bracket in ")]}":
                depth -= 1
            tokens.append(_Token(kind, found[0], found.start(), depth))
            if bracket in "([{":
                depth += 1
                if depth > MAX_NESTING:
                    raise self._error(
                        found.start(), 1, f"brackets nested over {MAX_NESTING} deep", "nest them less"
                    )
        return tokens

    def _refuse(self, tokens: list[_Token]) -> None:
        forms = [t for t in tokens if t.depth == 0 and t.word in ("CONSTRUCT", "SELECT", "ASK", "DESCRIBE")]
        if not forms or forms[0].word != "CONSTRUCT":
            place = forms[0] if forms else _Token("word", "", 0, 0)
            raise self._error(
                place.start, len(place.text), "not a CONSTRUCT query", "write `CONSTRUCT { … } WHERE { … }`"
            )
        for token in tokens:
            if (reason := _REFUSED.get(token.word)) is not None:
                raise self._error(token.start, len(token.text), f"`{token.text}` in a template", reason)
            if token.depth == 0 and token.word in _TOP_LEVEL:
                raise self._error(
                    token.start,
                    len(token.text),
                    f"`{token.text}` at the end of a template",
                    "group in a sub-select: `WHERE { SELECT … WHERE { … } GROUP BY … }`",
                )

    def _validate(self) -> None:
        """Let pyoxigraph read the query: what is wrong with it is said with its place."""
        try:
            ox.Store().query(self._text)
        except SyntaxError as problem:
            place = _PLACE.match(str(problem))
            line, column = (int(place[1]), int(place[2])) if place else (1, 1)
            said = place[3] if place else str(problem)
            # What could stand there is a list of character ranges; what cannot is all that helps.
            message = "Prefix not found" if "Prefix not found" in said else "this is not SPARQL"
            note = "declare the prefix" if message.startswith("Prefix") else "correct the text at the mark"
            raise self._piece.error("I101", message, note, line, column) from None
        except (ValueError, OSError, RuntimeError) as problem:
            raise self._error(0, 1, str(problem), "correct the query") from None

    def _parts(self, tokens: list[_Token]) -> tuple[str, str, str]:
        """The prologue, the inside of the template, and all behind it."""
        index = next(i for i, token in enumerate(tokens) if token.depth == 0 and token.word == "CONSTRUCT")
        start = next(i for i in range(index, len(tokens)) if tokens[i].text == "{")
        end = next(i for i in range(start + 1, len(tokens)) if tokens[i].text == "}" and not tokens[i].depth)
        inside = "".join(self._placeholders(tokens[start + 1 : end], tokens[end].start))
        # CONSTRUCT WHERE { … } is its own template.
        after = tokens[start].start if start > index + 1 else tokens[end].start + 1
        return self._text[: tokens[index].start], inside, self._text[after:]

    def _placeholders(self, tokens: list[_Token], end: int) -> Iterable[str]:
        """The text of the template with IRIs for the variables."""
        base = _placeholder(self._text)
        ends = [token.start for token in tokens[1:]] + [end]
        for token, following in zip(tokens, ends, strict=False):  # an empty template has an end, too
            if token.kind == "variable":
                yield f"<{base}{token.text[1:]}>"
                token = _Token("", "", token.start + len(token.text), 0)
            yield self._text[token.start : following]

    def _compiled(self, prologue: str, template: str) -> list[tuple[_Part, _Part, _Part]]:
        base = _placeholder(self._text)
        labels: dict[str, str] = {}

        def part(term: object) -> _Part:
            match term:
                case ox.NamedNode() if term.value.startswith(base):
                    return _Variable(term.value.removeprefix(base))
                case ox.BlankNode():
                    return _Fresh(labels.setdefault(term.value, str(len(labels))))
                case ox.Triple():
                    return part(term.subject), part(term.predicate), part(term.object)
                case _:
                    return str(term)

        # The dot may be there or not; an empty template has nothing that it could end.
        text = template.rstrip()
        end = " ." if tokens_end(text) else ""
        try:
            parsed = list(ox.parse(f"{prologue}\n{text}\n{end}", format=ox.RdfFormat.TURTLE))
        except SyntaxError as problem:
            raise self._error(
                0, 1, f"the template cannot be read: {problem.msg}", "write it simpler"
            ) from None
        return [(part(q.subject), part(q.predicate), part(q.object)) for q in parsed]

    def _error(self, start: int, width: int, message: str, note: str) -> InputError:
        line = self._text.count("\n", 0, start) + 1
        column = start - (self._text.rfind("\n", 0, start) + 1) + 1
        return self._piece.error("I101", message, note, line, column, max(1, width))


def tokens_end(template: str) -> bool:
    """Whether a dot has to end the template: not if it is empty or has one.

    >>> tokens_end("?s a ?c"), tokens_end("?s a ?c . # done"), tokens_end("")
    (True, False, False)
    """
    last = ""
    for found in _TOKEN.finditer(template):
        if found.lastgroup != "skip":
            last = found[0]
    return last not in ("", ".")


def _placeholder(text: str) -> str:
    """What the IRIs of variables begin with; not even on purpose does the text hold a hash of itself."""
    return f"urn:laser:variable:{digest([text])}:"
