"""What the documents show is what happens: every code block in README.md and docs/*.md is run.

The blocks of one document run in order, in a directory of their own:

    ```lars file=NAME     is written to NAME
    ```lars               must be free of errors (warnings are allowed)
    ```text file=NAME     is written to NAME; so are turtle, trig, sparql and toml
    ```text               is a picture or a fragment and is not run
    ```console            lines `$ laser-rdf …` are run; what follows each is its whole output, diagnostics
                          first; `$ echo $?` shows the exit code of the command before it
    ```python             is run; with `>>>` as a doctest, else as it is
    ```sh                 is for the reader's machine: only its `make` targets and files are looked up

`pytest tests/docs --update-golden` writes the outputs of the console blocks anew. Read the difference.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from laser_rdf.check import check
from laser_rdf.cli import main
from laser_rdf.lang.parser import parse

ROOT = Path(__file__).parents[2]
DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    *sorted((ROOT / "docs").glob("*.md")),
]
EXAMPLES = ROOT / "examples"

FILES = ("lars", "text", "turtle", "trig", "sparql", "toml")

_FENCE = re.compile(r"^```(?P<info>[^\n]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[[^\]\n]*\]\((?P<target>[^)\s]+)\)")
_CODE = re.compile(r"\b[SEWIU][0-9]{3}\b")


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, the file it is written to, its text and where it starts."""

    language: str
    file: str | None
    body: str
    line: int


def blocks(text: str) -> Iterator[Block]:
    for found in _FENCE.finditer(text):
        language, *options = found["info"].split() or [""]
        named = [option.removeprefix("file=") for option in options if option.startswith("file=")]
        assert len(named) == len(options), f"an unknown option in ```{found['info']}"
        yield Block(
            language, named[0] if named else None, found["body"], text.count("\n", 0, found.start()) + 1
        )


def run(command: str, monkeypatch: pytest.MonkeyPatch) -> tuple[str, int]:
    """What the command prints, diagnostics first, and its exit code."""
    words = shlex.split(command)
    assert words[0] == "laser-rdf", f"a console block runs laser-rdf, not `{words[0]}`"
    if "<" in words:
        place = words.index("<")
        given = io.TextIOWrapper(io.BytesIO(Path(words[place + 1]).read_bytes()), encoding="utf-8")
        monkeypatch.setattr("sys.stdin", given)
        del words[place : place + 2]
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(words[1:])
        except SystemExit as stop:  # argparse
            code = stop.code if isinstance(stop.code, int) else 1
    return err.getvalue() + out.getvalue(), code


def replayed(console: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """A console block with the outputs its commands really give."""
    text, code = "", 0
    for line in console.splitlines():
        if line == "$ echo $?":
            text += f"{line}\n{code}\n"
        elif line.startswith("$ "):
            output, code = run(line[2:], monkeypatch)
            text += f"{line}\n{output}"
    return text


def run_python(block: Block, namespace: dict[str, object], name: str) -> None:
    if ">>>" not in block.body:
        exec(compile(block.body, f"{name}:{block.line}", "exec"), namespace)
        return
    test = doctest.DocTestParser().get_doctest(block.body, namespace, name, name, block.line)
    report = io.StringIO()
    failures = doctest.DocTestRunner().run(test, out=report.write, clear_globs=False).failed
    namespace.update(test.globs)
    assert not failures, report.getvalue()


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_blocks(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, update_golden: bool) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    text = path.read_text(encoding="utf-8")
    namespace: dict[str, object] = {}
    for block in blocks(text):
        where = f"{path.name}:{block.line}"
        if block.file is not None:
            assert block.language in FILES, where
            Path(block.file).write_text(block.body, encoding="utf-8")
            continue
        match block.language:
            case "lars":
                check(parse(block.body, where))
            case "console":
                shown = replayed(block.body, monkeypatch)
                if update_golden:
                    text = text.replace(f"```console\n{block.body}```", f"```console\n{shown}```", 1)
                    path.write_text(text, encoding="utf-8")
                else:
                    assert shown == block.body, where
            case "python":
                run_python(block, namespace, path.name)
            case "sh":
                for line in block.body.splitlines():
                    assert_possible(line, where)
            case "text":
                pass
            case _:
                pytest.fail(f"{where}: a block that nothing runs: ```{block.language}")


def assert_possible(line: str, where: str) -> None:
    """A command for the reader: what it names is there."""
    words = line.partition("  #")[0].split()
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    if words[:1] == ["make"]:
        assert set(words[1:]) <= targets, where
    for word in words:
        if word.startswith(("examples/", "tests/", "docs/")):
            assert (ROOT / word).exists(), f"{where}: {word}"


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_relative_links_lead_somewhere(path: Path) -> None:
    for found in _LINK.finditer(_FENCE.sub("", path.read_text(encoding="utf-8"))):
        target, _, anchor = found["target"].partition("#")
        if "://" in target:
            continue
        goal = (path.parent / target) if target else path
        assert goal.exists(), f"{path.name}: {found['target']}"
        if anchor:
            assert anchor in anchors(goal), f"{path.name}: no section #{anchor} in {goal.name}"


def anchors(path: Path) -> set[str]:
    """The sections of a document as links spell them."""
    titles = re.findall(r"^#+ (.*)$", _FENCE.sub("", path.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}


def test_every_page_is_linked_from_the_index() -> None:
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    pages = {path.name for path in (ROOT / "docs").glob("*.md")} - {"index.md"}
    assert pages <= {found["target"].partition("#")[0] for found in _LINK.finditer(index)}


def test_every_diagnostic_is_described_and_no_other() -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "laser_rdf").rglob("*.py"))
    page = (ROOT / "docs" / "diagnostics.md").read_text(encoding="utf-8")
    described = re.findall(r"^\| `([SEWIU][0-9]{3})` \|", page, re.MULTILINE)
    assert sorted(set(described)) == sorted(described), "a code described twice"
    # Linters have codes too; those are of no concern to a user.
    assert set(described) == set(_CODE.findall(re.sub(r"# noqa: [A-Z0-9, ]+", "", sources)))


def test_every_form_that_is_recomputed_is_described_and_no_other() -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "laser_rdf" / "plan").glob("*.py"))
    page = (ROOT / "docs" / "engine.md").read_text(encoding="utf-8")
    table = page.partition("| form | as in |\n|---|---|\n")[2].partition("\n\n")[0]
    described = [line.split(" | ")[0].removeprefix("| ") for line in table.splitlines()]
    assert sorted(described) == sorted(re.findall(r'NotIncremental\("([^"]+)"\)', sources))


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_no_code_is_mentioned_that_does_not_exist(path: Path) -> None:
    page = (ROOT / "docs" / "diagnostics.md").read_text(encoding="utf-8")
    assert set(_CODE.findall(path.read_text(encoding="utf-8"))) <= set(_CODE.findall(page))


@pytest.mark.parametrize("path", [*DOCUMENTS, *sorted(EXAMPLES.glob("*"))], ids=lambda path: path.name)
def test_nothing_of_one_machine_is_in_the_text(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"(?<![\w.])/(?:home|work|root|Users|tmp|opt)/", text)


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.lars")), ids=lambda path: path.name)
def test_an_example_has_no_warnings(path: Path) -> None:
    program = parse(path.read_text(encoding="utf-8"), path.name)
    assert check(program).warnings == ()


def test_the_demo_explains_the_answers_it_prints(capsys: pytest.CaptureFixture[str]) -> None:
    """Each line of `eval` stands in heat.txt, in order."""
    assert main(["eval", str(EXAMPLES / "heat.lars"), "--stream", str(EXAMPLES / "heat.atoms")]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    explained = (EXAMPLES / "heat.txt").read_text(encoding="utf-8").splitlines()
    assert printed.out.splitlines() == [line for line in explained if re.match(r"[0-9]+:", line)]
