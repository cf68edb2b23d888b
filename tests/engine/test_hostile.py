"""Whatever a program's names, IRIs and literals say, it is data: none of it becomes Python."""

from __future__ import annotations

import io
import re
import tokenize
from pathlib import Path

import pytest

from laser_rdf import Engine, Program
from laser_rdf.check import check
from laser_rdf.cli import main
from laser_rdf.codegen.domain import Domain
from laser_rdf.codegen.generate import generate
from laser_rdf.plan.planning import make_plan
from laser_rdf.values import IRI, Literal

TEXTS = [
    "'",
    '"',
    "'''",
    '"""',
    "\\",
    "\\'",
    "\n",
    "\r\nimport os",
    "\u2028__import__('os').system('touch /tmp/pwned')\u2029",
    "\x85raise SystemExit",
    "\x0craise SystemExit",
    "{0}{__class__}",
    "%s%n%(x)s",
    "# type: ignore",
    "\x01",
    "\x1b[31m",
    "𝕏\U0001f4a9\u202e",
    "'); __import__('os').system('touch /tmp/pwned'); ('",
    "k0",
    "now",
    "}}]])",
]
NAMES = [
    "def",
    "class",
    "import",
    "lambda",
    "None",
    "__import__",
    "exec",
    "key",
    "k0",
    "r0",
    "insert_0",
    "rt",
    "h",
    "x0_0",
    "expires",
    "FOREVER",
    "ünï",
    "𝓪",
    "print",
]
IRIS = [
    "http://e.org/'",
    "http://e.org/''';import%20os;'''",
    "http://e.org/__import__('os').system('x')",
    "http://e.org/#a#b",
    "http://e.org/$(x);&",
    "http://e.org/ü\u2066",
    "urn:laser:local:",
    "urn:laser:local:%27",
    "urn:x:%s%(a)s",
]

WORDS = set(
    """def for in if else elif and or not is return continue pass del None True False
    keys key h now new old entry gone best self type int len dict fromkeys get append add discard pop
    setdefault extend clear copy update items values min max range tuple list set zip chain
    NONE FOREVER rt start later expires add_all span_of window_at phase_of compare subtract multiply divide
    modulo negate call time_of fresh""".split()
)
"""Python's words and the names of the run-time library that generated code uses."""

NUMBERED = re.compile(
    r"(?:[a-z]+_?\d+(?:_\d+)*(?:_part\d+|_h|_now)?|(?:insert|drop|again|once|fire|kill|rederive|born|[a-z]+)(?:_\d+)+"
    r"(?:_part\d+|_h|_now)?|[a-z]\d+_[a-z]+)"
)
"""Names made from a letter or a word and numbers."""

OPERATORS = {"=", "!=", "<", "<=", ">", ">="}


def source_of(text: str) -> str:
    checked = check(Program.parse(text))
    plan = make_plan(checked, frozenset(a.predicate for a in checked.facts), checked.derived)
    return generate(plan, Domain(checked.program.base, checked.functions, checked.clock).encode).source


def tokens_of(source: str) -> list[tokenize.TokenInfo]:
    return list(tokenize.generate_tokens(io.StringIO(source).readline))


def assert_harmless(source: str) -> None:
    assert source.isascii()
    assert set(source) <= {chr(c) for c in range(32, 127)} | {"\n"}
    for token in tokens_of(source):
        if token.type == tokenize.NAME:
            assert token.string in WORDS or NUMBERED.fullmatch(token.string), token
        elif token.type == tokenize.STRING:
            assert token.string.strip("'") in OPERATORS, token
        elif token.type == tokenize.NUMBER:
            assert token.string.isdigit()
        elif token.type == tokenize.ERRORTOKEN:
            raise AssertionError(token)


def quoted(text: str) -> str:
    """A string literal of the language."""
    return '"' + "".join(f"\\U{ord(c):08X}" if not c.isalnum() or ord(c) > 126 else c for c in text) + '"'


FORMS = """
#external {p}/1, s/2, v/1 .
{q}(X, {c}) :- {p}(X) in [3], X != {c}, not v({c}).
{q}({c}, X) at T :- s(X, {c}) at T in [2], N := count {{ Y : {p}(Y), Y != {c} }}, N >= 0.
{{ ?X s2 [ s3 {c} ] }} :- {p}(X), not s({c}, X) in [#3].
all_(X) :- {p}(X) always in [1] on {stream}.
trip(X, Y) :- triple(X, Y, {c}) in [2, +1 step 2].
"""


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_literals_and_stream_names(text: str) -> None:
    program = FORMS.format(p="p", q="q", c=quoted(text), stream=quoted(text))
    assert_harmless(source_of(program))
    engine = Engine(Program.parse(program))
    answer = engine.step(1, [("p", (Literal(text),)), ("p", ("a",)), ("s", ("b", Literal(text)))], text)
    assert ("q", ("a", Literal(text))) in answer.added
    assert ("q", (Literal(text), "b")) in answer.added
    assert ("all_", (Literal(text),)) in answer.added


@pytest.mark.parametrize("iri", IRIS, ids=ascii)
def test_iris(iri: str) -> None:
    written = f"<{iri}>"
    program = FORMS.format(p=written, q="q", c=written, stream="left")
    assert_harmless(source_of(program))
    engine = Engine(Program.parse(program))
    answer = engine.step(1, [(IRI(iri), ("a",)), ("s", ("b", IRI(iri)))], "left")
    assert ("q", ("a", IRI(iri))) in answer.added
    assert ("q", (IRI(iri), "b")) in answer.added


@pytest.mark.parametrize("name", NAMES)
def test_names_of_python(name: str) -> None:
    written = f"<urn:laser:local:{name}>"
    program = FORMS.format(p=written, q=written.replace(name, name + "2"), c=written, stream="def")
    program += f"rest(V{name}, X) :- s(V{name}, X), not {written}(V{name})."
    assert_harmless(source_of(program))
    engine = Engine(Program.parse(program))
    answer = engine.step(1, [(name, ("a",)), ("s", ("b", name))], "def")
    assert (name + "2", ("a", name)) in answer.added
    assert ("rest", ("b", name)) in answer.added


@pytest.mark.parametrize("word", ["def", "print", "rt", "keys", "k0", "insert_0", "exec", "__class__"])
def test_variables_named_like_python(word: str) -> None:
    program = (
        f"#external p/2 . q(?{word}, ?h, ?now) :- p(?{word}, ?h) in [2], ?now := ?h + 1, ?now > ?{word}."
    )
    assert_harmless(source_of(program))
    assert Engine(Program.parse(program)).step(1, [("p", (1, 2))]).added == [("q", (1, 2, 3))]


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_show_code_quotes_only_in_comments(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "hostile.lars"
    file.write_text(FORMS.format(p="<http://e.org/'#>", q="def", c=quoted(text), stream=quoted(text)))
    assert main(["show", "--code", str(file)]) == 0
    printed = capsys.readouterr().out
    assert_harmless(printed)
    comments = [token.string for token in tokens_of(printed) if token.type == tokenize.COMMENT]
    assert comments
    assert all(len(comment) < 250 for comment in comments)
    code = "\n".join(line.split("#")[0] for line in printed.splitlines())
    for word in ("import", "os", "system", "raise", "type: ignore", "e.org"):
        assert not re.search(rf"\b{re.escape(word)}\b", code)


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_show_plan_sends_no_control_characters(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "hostile.lars"
    file.write_text(FORMS.format(p="p", q="q", c=quoted(text), stream=quoted(text)))
    assert main(["show", "--plan", str(file)]) == 0
    printed = capsys.readouterr().out
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202e]", printed)


def test_explanations_send_no_control_characters() -> None:
    engine = Engine(Program.parse(FORMS.format(p="p", q="q", c=quoted("\x1b[31m"), stream=quoted("\x85"))))
    engine.step(1, [("p", (Literal("\n\x1b[0m"),))])
    told = str(engine.explain("q", (Literal("\n\x1b[0m"), Literal("\x1b[31m"))))
    failing = str(engine.explain("all_", (Literal("\x07"),)))
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", told + failing)


def test_large_programs_are_harmless_too() -> None:
    body = ", ".join(f"e(X{i}, X{i + 1}) in [4]" for i in range(40))
    negations = ", ".join(f"not n{i}(X{i})" for i in range(20))
    external = ", ".join(f"n{i}/1" for i in range(20))
    assert_harmless(source_of(f"#external e/2, {external} . q(X0) :- {body}, {negations}."))
