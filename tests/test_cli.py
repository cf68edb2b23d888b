"""The contract of the command line, as docs/cli.md states it."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from laser_rdf.cli import main
from laser_rdf.version import VERSION

EXAMPLES = Path(__file__).parents[1] / "examples"

RULES = """\
#external p/1 .
q(X) :- p(X) in [1].
r(X) at T :- p(X) at T in [2].
"""
STREAM = "1: p(a)\n3: p(b)\n"


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


Cli = Callable[..., Result]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Runs a command in a directory that has `rules.lars` and `stream.atoms`."""
    monkeypatch.chdir(tmp_path)
    Path("rules.lars").write_text(RULES, encoding="utf-8")
    Path("stream.atoms").write_text(STREAM, encoding="utf-8")

    def run(*arguments: str) -> Result:
        try:
            code = main(arguments)
        except SystemExit as stop:  # argparse
            assert isinstance(stop.code, int)
            code = stop.code
        captured = capsys.readouterr()
        return Result(code, captured.out, captured.err)

    return run


def write(name: str, text: str | bytes) -> str:
    Path(name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return name


def given_on_stdin(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8"))


# --- arguments -----------------------------------------------------------------------------------------


def test_help_goes_to_stdout(cli: Cli) -> None:
    result = cli("--help")
    assert (result.code, result.err) == (0, "")
    assert all(command in result.out for command in ("check", "show", "eval", "explain", "bench"))


@pytest.mark.parametrize("command", ["check", "show", "eval", "explain"])
def test_each_command_has_help_with_an_example(cli: Cli, command: str) -> None:
    result = cli(command, "--help")
    assert (result.code, result.err) == (0, "")
    assert f"laser-rdf {command} rules.lars" in result.out


def test_version(cli: Cli) -> None:
    assert cli("--version") == Result(0, f"laser-rdf {VERSION}\n", "")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["frobnicate"],
        ["check"],
        ["show"],
        ["eval"],
        ["eval", "rules.lars", "--emit", "X"],
        ["eval", "rules.lars", "--engine", "other"],
        ["eval", "rules.lars", "--until", "-1"],
        ["eval", "rules.lars", "--until", "soon"],
        ["eval", "rules.lars", "--start", "1.5"],
        ["eval", "rules.lars", "--start", "9" * 30],
        ["eval", "rules.lars", "--unknown"],
        ["eval", "rules.lars"],
        ["eval", "rules.lars", "--start", "1"],
        ["eval", "rules.lars", "--until", "1"],
        ["eval", "rules.lars", "--start", "5", "--until", "3"],
        ["eval", "rules.lars", "--stream", "stream.atoms", "--start", "1", "--until", "0"],
        ["eval", "rules.lars", "--stream", "-", "--stream", "-"],
        ["eval", "rules.lars", "--stream", "-", "--background", "-"],
        ["eval", "-", "--stream", "east=-"],
        ["check", "-", "rules.lars", "-"],
        ["check", "rules.lars", "--clock", "often"],
        ["check", "rules.lars", "--clock", "0 s"],
        ["explain"],
        ["explain", "rules.lars", "q(a)", "--stream", "stream.atoms"],
        ["explain", "rules.lars", "--stream", "stream.atoms", "--at", "1"],
        ["explain", "rules.lars", "q(a)", "--stream", "stream.atoms", "--at", "soon"],
        ["explain", "rules.lars", "q(a)", "--stream", "stream.atoms", "--at", "0"],
        ["explain", "rules.lars", "q(a)", "--stream", "-", "--background", "-", "--at", "1"],
        ["bench"],
        ["bench", "frobnicate"],
        ["bench", "laser", "--rates", "none"],
        ["bench", "laser", "--points", "0"],
        ["bench", "laser", "--peer", "other"],
    ],
    ids=" ".join,
)
def test_wrong_arguments(cli: Cli, arguments: list[str]) -> None:
    result = cli(*arguments)
    assert result.code == 2
    assert result.out == ""
    assert result.err.splitlines()[-1].startswith("laser-rdf")


@pytest.mark.parametrize("command", ["spark"])
@pytest.mark.parametrize("further", [[], ["--help"], ["x.toml", "--sink", "y"]], ids=" ".join)
def test_planned_commands_say_so(cli: Cli, command: str, further: list[str]) -> None:
    result = cli(command, *further)
    assert (result.code, result.out) == (2, "")
    assert f"`{command}` is not there yet" in result.err


# --- files that cannot be read -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "missing.lars"],
        ["check", "rules.lars", "missing.lars"],
        ["check", "missing.lars", "rules.lars"],
        ["show", "missing.lars"],
        ["eval", "missing.lars", "--stream", "stream.atoms"],
        ["eval", "rules.lars", "--stream", "missing.atoms"],
        ["eval", "rules.lars", "--stream", "name=missing.atoms"],
        ["eval", "rules.lars", "--stream", "stream.atoms", "--background", "missing.atoms"],
        ["show", "missing.lars", "--plan"],
        ["explain", "missing.lars", "q(a)", "--stream", "stream.atoms", "--at", "1"],
        ["explain", "rules.lars", "q(a)", "--stream", "missing.atoms", "--at", "1"],
    ],
    ids=" ".join,
)
def test_missing_file(cli: Cli, arguments: list[str]) -> None:
    result = cli(*arguments)
    assert (result.code, result.out) == (2, "")
    assert "cannot read `missing." in result.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "."],
        ["show", "."],
        ["eval", ".", "--stream", "stream.atoms"],
        ["eval", "rules.lars", "--stream", "."],
        ["eval", "rules.lars", "--stream", "stream.atoms", "--background", "."],
    ],
    ids=" ".join,
)
def test_directory_instead_of_a_file(cli: Cli, arguments: list[str]) -> None:
    result = cli(*arguments)
    assert (result.code, result.out) == (2, "")
    assert "cannot read `.`" in result.err


@pytest.mark.parametrize("further", [["check"], ["show"], ["eval", "--stream", "stream.atoms"]], ids=" ".join)
def test_program_that_is_not_utf8(cli: Cli, further: list[str]) -> None:
    result = cli(*further, write("bad.lars", b"q(X) :-\n  p(\xff)."))
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("bad.lars:2:5: error[S009]")


@pytest.mark.parametrize("option", ["--stream", "--background"])
def test_input_that_is_not_utf8(cli: Cli, option: str) -> None:
    write("bad.atoms", b"% fine\n1: p(\xff)\n")
    result = cli("eval", "rules.lars", option, "bad.atoms", "--start", "0", "--until", "2")
    assert result.code == 1
    assert result.err.startswith("bad.atoms:")


def test_byte_order_mark_and_windows_line_ends_are_fine(cli: Cli) -> None:
    write("dos.lars", b"\xef\xbb\xbf" + RULES.replace("\n", "\r\n").encode())
    write("dos.atoms", b"\xef\xbb\xbf" + STREAM.replace("\n", "\r\n").encode())
    expected = cli("eval", "rules.lars", "--stream", "stream.atoms")
    assert cli("eval", "dos.lars", "--stream", "dos.atoms") == expected


# --- check ---------------------------------------------------------------------------------------------


def test_check_of_a_good_program(cli: Cli) -> None:
    assert cli("check", "rules.lars") == Result(0, "1 program checked, no errors\n", "")


def test_check_of_several_files_reports_all_of_them(cli: Cli) -> None:
    write("a.lars", "q(X) :- p(Y).\n")
    write("b.lars", "q(X :- .\n")
    result = cli("check", "a.lars", "rules.lars", "b.lars")
    assert (result.code, result.out) == (2, "")
    assert "a.lars:1:3: error[E101]" in result.err
    assert "b.lars:1:5: error[S001]" in result.err
    assert cli("check", "rules.lars", "rules.lars").out == "2 programs checked, no errors\n"


def test_check_reports_every_problem_of_a_program(cli: Cli) -> None:
    write("bad.lars", "#external p/1 .\na(X, Y) :- p(X).\nb(X) :- not p(X).\nc(X) :- p(X) in [#0].\n")
    result = cli("check", "bad.lars")
    assert [
        line
        for line in ("2:6: error[E101]", "3:15: error[E102]", "4:19: error[E126]")
        if line not in result.err
    ] == []


def test_warnings_go_to_stderr_and_do_not_count(cli: Cli) -> None:
    result = cli("check", write("odd.lars", "q(X) :- p(X, Room).\n"))
    assert result.code == 0
    assert result.out == "1 program checked, no errors\n"
    assert "warning[W201]" in result.err
    assert "warning[W204]" in result.err


def test_check_goes_on_after_a_file_that_cannot_be_read(cli: Cli) -> None:
    write("bad.lars", "q(X) :- p(Y).\n")
    result = cli("check", "missing.lars", "bad.lars")
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("missing.lars: error[U001]: cannot read `missing.lars`: ")
    assert "bad.lars:1:3: error[E101]" in result.err


def test_check_json_of_a_file_that_cannot_be_read(cli: Cli) -> None:
    result = cli("check", "missing.lars", "rules.lars", "--json")
    assert (result.code, result.err) == (2, "")
    (entry,) = json.loads(result.out)
    assert (entry["file"], entry["line"], entry["column"]) == ("missing.lars", None, None)
    assert (entry["severity"], entry["code"]) == ("error", "U001")


def test_check_of_standard_input(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    given_on_stdin(monkeypatch, RULES)
    assert cli("check", "-") == Result(0, "1 program checked, no errors\n", "")
    given_on_stdin(monkeypatch, "q(X) :- p(Y).\n")
    assert cli("check", "-").err.startswith("-:1:3: error[E101]")


def test_a_program_on_standard_input_is_shown_and_run(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    for arguments in (["show"], ["eval", "--stream", "stream.atoms"]):
        given_on_stdin(monkeypatch, RULES)
        assert cli(*arguments, "-") == cli(*arguments, "rules.lars")


def test_check_json(cli: Cli) -> None:
    write("bad.lars", "#external p/1 .\nq(X, Y) :- p(X).\n")
    result = cli("check", "bad.lars", "rules.lars", "--json")
    assert (result.code, result.err) == (2, "")
    assert json.loads(result.out) == [
        {
            "file": "bad.lars",
            "line": 2,
            "column": 6,
            "severity": "error",
            "code": "E101",
            "message": "`Y` of the head is not bound in the body",
            "note": "add an atom to the body that contains `Y`, or assign it with `:=`",
        }
    ]
    assert cli("check", "rules.lars", "--json") == Result(0, "[]\n", "")


def test_check_json_has_warnings_too(cli: Cli) -> None:
    result = cli("check", write("odd.lars", "#external p/1 .\nq :- p(X).\n"), "--json")
    assert (result.code, result.err) == (0, "")
    assert [(d["code"], d["severity"]) for d in json.loads(result.out)] == [("W204", "warning")]


def test_check_takes_the_clock(cli: Cli) -> None:
    write("ms.lars", "#external p/1 .\nq(X) :- p(X) in [500 ms].\n")
    assert cli("check", "ms.lars").code == 2
    assert cli("check", "ms.lars", "--clock", "250 ms").code == 0


def test_check_of_an_empty_program(cli: Cli) -> None:
    assert cli("check", write("empty.lars", "")).code == 0


# --- show ----------------------------------------------------------------------------------------------


def test_show_is_a_program_again(cli: Cli) -> None:
    shown = cli("show", "rules.lars")
    assert (shown.code, shown.err) == (0, "")
    write("again.lars", shown.out)
    assert cli("show", "again.lars") == shown


def test_show_symbols_is_the_same_program(cli: Cli) -> None:
    symbols = cli("show", "rules.lars", "--symbols")
    assert "@T r(X) ← ⊞[2] @T p(X) ." in symbols.lines
    write("symbols.lars", symbols.out)
    assert cli("show", "symbols.lars") == cli("show", "rules.lars")


def test_show_json(cli: Cli) -> None:
    write("rules.lars", "#external p/1 .\nroom(hall).\nq(X) :- p(X), not r(X).\nr(X) :- p(X) in [2 s].\n")
    result = cli("show", "rules.lars", "--json")
    assert (result.code, result.err) == (0, "")
    assert json.loads(result.out) == {
        "facts": ["room(hall) ."],
        "strata": [
            [{"line": 4, "rule": "r(X) :- p(X) in [2 s] .", "windows": ["p/1: from 2 time points back"]}],
            [{"line": 3, "rule": "q(X) :- p(X), not r(X) .", "windows": []}],
        ],
    }


def test_show_gives_the_blank_nodes_of_each_block_names_of_their_own(cli: Cli) -> None:
    write("blank.lars", "{ [] a <urn:a> } :- { _:x a <urn:b> ; <urn:p> [] }, { _:x a <urn:c> }.\n")
    shown = cli("show", "blank.lars")
    assert "{ _:b1 a <urn:a> } :- { _:b2 a <urn:b> . _:b2 <urn:p> _:b3 }, { _:b4 a <urn:c> } ." in shown.lines
    write("again.lars", shown.out)
    assert cli("show", "again.lars") == shown


def test_show_of_a_wrong_program(cli: Cli) -> None:
    result = cli("show", write("bad.lars", "q(X) :- p(Y).\n"))
    assert (result.code, result.out) == (2, "")
    assert "error[E101]" in result.err


def test_show_plan(cli: Cli) -> None:
    write("join.lars", "#external p/2 .\nq(A, C) :- p(A, B) in [5], p(B, C) in [5].\n")
    result = cli("show", "join.lars", "--plan")
    assert (result.code, result.err) == (0, "")
    assert [line.strip() for line in result.lines] == [
        "1. streamed p/2 some in [5]  [only expires]",
        "2. q/2  [only expires]",
        "q(X1, X3) ← streamed p(X1, X2) some in [5], streamed p(X2, X3) some in [5]",
        "from streamed p(X1, X2) some in [5]: streamed p(X2, X3) some in [5] by column 1",
        "from streamed p(X2, X3) some in [5]: streamed p(X1, X2) some in [5] by column 2",
    ]


def test_show_plan_says_what_can_be_withdrawn(cli: Cli) -> None:
    write("not.lars", "#external p/1, r/1 .\nq(X) :- p(X) in [5], not r(X) in [2].\n")
    assert "3. q/1  [can be withdrawn]" in cli("show", "not.lars", "--plan").lines


def test_show_code_is_python(cli: Cli) -> None:
    write("not.lars", "#external p/1, r/1 .\nq(X) :- p(X) in [5], not r(X) in [2].\n")
    result = cli("show", "not.lars", "--code")
    assert (result.code, result.err) == (0, "")
    compile(result.out, "shown", "exec")
    assert all(
        f"def {name}(" in result.out for name in ("fire_0", "kill_0", "rederive_2", "insert_0", "drop_0")
    )


def test_show_plan_and_code_together(cli: Cli) -> None:
    plan, code = cli("show", "rules.lars", "--plan"), cli("show", "rules.lars", "--code")
    assert cli("show", "rules.lars", "--plan", "--code").out == plan.out + code.out


@pytest.mark.parametrize("option", ["--plan", "--code"])
def test_show_of_a_program_without_a_plan_says_why(cli: Cli, option: str) -> None:
    write("step.lars", "#external p/1 .\nq(X) :- p(X) always in [4 step 5].\n")
    expected = "% recomputed at every time point: `always` in a window that moves in steps\n"
    assert cli("show", "step.lars", option) == Result(0, expected, "")


@pytest.mark.parametrize("option", ["--plan", "--code"])
def test_show_plan_of_a_wrong_program(cli: Cli, option: str) -> None:
    result = cli("show", write("bad.lars", "q(X) :- p(Y).\n"), option)
    assert (result.code, result.out) == (2, "")
    assert "error[E101]" in result.err


# --- explain -------------------------------------------------------------------------------------------

TREE = """\
#external p/1, r/1 .
k(a).
q(X) :- p(X) in [5], k(X), not r(X) in [2].
top :- q(_).
"""


@pytest.fixture
def explain(cli: Cli) -> Cli:
    """Explains an atom of TREE, over `p(a), p(b)` at 1 and `r(a)` at 4."""
    write("tree.lars", TREE)
    write("tree.atoms", "1: p(a), p(b)\n4: r(a)\n")
    return lambda atom, at, *more: cli(
        "explain", "tree.lars", "--stream", "tree.atoms", "--at", str(at), atom, *more
    )


def test_explain_what_holds(explain: Cli) -> None:
    result = explain("q(a)", 3)
    assert (result.code, result.err) == (0, "")
    assert result.lines[0] == "q(a)  now, counts to 6"
    assert result.lines[1] == ("  by line 3: q(X) :- p(X) in [5], k(X), not r(X) in [2] .   with X = a")
    assert sorted(line.strip() for line in result.lines[2:]) == [
        "k(a)  background",
        "no r(a)",
        "p(a)  arrived at 1, counts to 6",
    ]


def test_explain_goes_down_to_the_input(explain: Cli) -> None:
    result = explain("top", 3)
    assert result.lines[0].startswith("top  now")
    assert any("q(a)  now, counts to 6" in line for line in result.lines)
    assert any("p(a)  arrived at 1" in line for line in result.lines)


def test_explain_what_does_not_hold(explain: Cli) -> None:
    result = explain("q(a)", 5)
    assert (result.code, result.err) == (0, "")
    assert result.lines[0] == "q(a)  does not hold at 5"
    assert len(result.lines) == 2
    assert result.lines[1].startswith(
        "  line 3: q(X) :- p(X) in [5], k(X), not r(X) in [2] .  fails first at: "
    )
    assert "r(X)" in result.lines[1].partition("fails first at: ")[2]
    assert result.lines[1].endswith("with X = a")


def test_explain_an_atom_that_lacks_a_fact(explain: Cli) -> None:
    failing = explain("q(b)", 3).lines[1].partition("fails first at: ")[2]
    assert "k(X)" in failing
    assert "X = b" in failing


def test_explain_input_that_is_passed_on(cli: Cli) -> None:
    result = cli("explain", "rules.lars", "--stream", "stream.atoms", "--at", "2", "q(a)")
    assert result.lines[0] == "q(a)  now, counts to 2"
    assert result.lines[2].startswith("    p(a)  arrived at 1")


def test_explain_lacking_input_that_is_passed_on(cli: Cli) -> None:
    result = cli("explain", "rules.lars", "--stream", "stream.atoms", "--at", "2", "q(b)")
    assert "p(X)" in result.lines[1].partition("fails first at: ")[2]


def test_explain_beyond_the_end_of_the_stream(explain: Cli) -> None:
    assert explain("q(a)", 100).lines[0] == "q(a)  does not hold at 100"


@pytest.mark.parametrize("atom", ["p(a)", "nobody(knows)"])
def test_explain_what_no_rule_derives(explain: Cli, atom: str) -> None:
    result = explain(atom, 3)
    assert (result.code, len(result.lines)) == (0, 1)
    assert result.lines[0].startswith(f"{atom}  no rule derives `")


def test_explain_names_a_close_predicate(explain: Cli) -> None:
    assert explain("qq(a)", 3).lines[0].endswith("did you mean `q/1`?")


def test_explain_json(explain: Cli) -> None:
    result = explain("q(a)", 3, "--json")
    assert (result.code, result.err) == (0, "")
    tree = json.loads(result.out)
    assert (tree["fact"], tree["holds"], tree["line"], tree["bindings"]) == ("q(a)", True, 3, {"X": "a"})
    assert sorted(reason["fact"] for reason in tree["reasons"]) == ["k(a)", "no r(a)", "p(a)"]


def test_explain_json_of_what_does_not_hold(explain: Cli) -> None:
    result = explain("q(a)", 5, "--json")
    tree = json.loads(result.out)
    assert (result.code, tree["holds"], len(tree["reasons"])) == (0, False, 1)


@pytest.mark.parametrize("atom", ["q(X)", "q(?x)", "q(", "q(a) q(b)", "zz:q(a)", "not q(a)", "", "5"])
def test_explain_an_atom_that_is_none(explain: Cli, atom: str) -> None:
    result = explain(atom, 3)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"laser-rdf: `{atom}` is no atom to explain: ")


def test_explain_before_the_start(explain: Cli) -> None:
    assert explain("q(a)", 0) == Result(2, "", "laser-rdf: `--at 0` lies before the stream starts\n")


def test_explain_with_an_earlier_start(explain: Cli) -> None:
    assert explain("q(a)", 0, "--start", "0").lines[0] == "q(a)  does not hold at 0"


def test_explain_without_a_stream(cli: Cli) -> None:
    write("facts.lars", "k(a).\nq(X) :- k(X).\n")
    assert cli("explain", "facts.lars", "q(a)", "--start", "0", "--at", "3").lines == [
        "q(a)  now",
        "  by line 2: q(X) :- k(X) .   with X = a",
        "    k(a)  background",
    ]


def test_explain_of_what_is_recomputed_says_so(cli: Cli) -> None:
    write("step.lars", "#external p/1 .\nq(X) :- p(X) always in [4 step 5].\n")
    result = cli("explain", "step.lars", "q(a)", "--stream", "stream.atoms", "--at", "1")
    assert (result.code, result.out) == (2, "")
    assert "`always` in a window that moves in steps is recomputed at every time point" in result.err


def test_explain_control_characters(explain: Cli) -> None:
    result = explain("q(\x1b[31m)", 3)
    assert "\x1b" not in result.out + result.err


# --- bench ---------------------------------------------------------------------------------------------


def test_bench_has_help(cli: Cli) -> None:
    result = cli("bench", "--help")
    assert (result.code, result.err) == (0, "")
    assert "laser" in result.out


def test_bench_laser_has_help_with_an_example(cli: Cli) -> None:
    result = cli("bench", "laser", "--help")
    assert (result.code, result.err) == (0, "")
    assert "laser-rdf bench laser --quick" in result.out
    assert all(name in result.out for name in ("diamond", "box", "join", "cooling", "negation", "count"))


# --- eval: what is printed -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("emit", "expected"),
    [
        ("R", ["1: q(a), r(a)", "2: q(a)", "3: q(b), r(b)", "4: q(b)"]),
        ("I", ["1: q(a), r(a)", "2:", "3: q(b), r(b)", "4:"]),
        ("D", ["1:", "2: r(a)", "3: q(a)", "4: r(b)"]),
        (
            "answer",
            [
                "1: @1: q(a), r(a)",
                "2: @1: r(a) | @2: q(a)",
                "3: @1: r(a) | @3: q(b), r(b)",
                "4: @3: r(b) | @4: q(b)",
            ],
        ),
    ],
)
def test_emit(cli: Cli, emit: str, expected: list[str]) -> None:
    result = cli("eval", "rules.lars", "--stream", "stream.atoms", "--until", "4", "--emit", emit)
    assert (result.code, result.err) == (0, "")
    assert result.lines == expected


@pytest.mark.parametrize(
    ("emit", "expected"),
    [
        ("R", {"t": 2, "holds": ["q(a)"]}),
        ("I", {"t": 2, "added": []}),
        ("D", {"t": 2, "removed": ["r(a)"]}),
        ("answer", {"t": 2, "holds": ["q(a)"], "at": {"1": ["r(a)"], "2": ["q(a)"]}}),
    ],
)
def test_emit_json(cli: Cli, emit: str, expected: dict[str, object]) -> None:
    result = cli("eval", "rules.lars", "--stream", "stream.atoms", "--emit", emit, "--json")
    assert (result.code, result.err) == (0, "")
    objects = [json.loads(line) for line in result.lines]
    assert [entry["t"] for entry in objects] == [1, 2, 3]
    assert objects[1] == expected


def test_atoms_in_json_have_no_blanks(cli: Cli) -> None:
    write("two.lars", "#external p/2 .\nq(X, Y) :- p(X, Y).\n")
    write("two.atoms", '5: p(b, "a text"), p(a, 1.5)\n')
    result = cli("eval", "two.lars", "--stream", "two.atoms", "--json")
    assert result.out == '{"t": 5, "holds": ["q(a,1.5)", "q(b,\\"a text\\")"]}\n'


@pytest.mark.parametrize("emit", ["R", "I", "D", "answer"])
@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.lars")), ids=lambda path: path.name)
def test_both_engines_say_the_same_on_the_examples(cli: Cli, path: Path, emit: str) -> None:
    stream = str(path.with_suffix(".atoms"))
    command = ["eval", str(path), "--stream", stream, "--until", "20", "--emit", emit]
    annotation, reference = (cli(*command, "--engine", name) for name in ("annotation", "reference"))
    assert annotation == reference
    assert annotation.code == 0
    assert cli(*command) == annotation


def test_the_annotation_engine_is_the_default(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    from laser_rdf import evaluation

    made: list[str] = []
    make = evaluation.make_evaluator

    def noted(engine: str, *arguments: Any, **options: Any) -> evaluation.Evaluator:
        made.append(engine)
        return make(engine, *arguments, **options)

    monkeypatch.setattr("laser_rdf.evaluation.make_evaluator", noted)
    cli("eval", "rules.lars", "--stream", "stream.atoms")
    cli("eval", "rules.lars", "--stream", "stream.atoms", "--engine", "reference")
    assert made == ["annotation", "reference"]


def test_wrong_program_is_not_run(cli: Cli) -> None:
    result = cli("eval", write("bad.lars", "q(X) :- p(Y).\n"), "--stream", "stream.atoms")
    assert (result.code, result.out) == (2, "")
    assert "error[E101]" in result.err


def test_warnings_of_a_run_go_to_stderr(cli: Cli) -> None:
    result = cli("eval", write("odd.lars", "q :- p(X) in [all].\n"), "--stream", "stream.atoms")
    assert result.code == 0
    assert result.lines == ["1: q", "2: q", "3: q"]
    assert "warning[W203]" in result.err


def test_what_arrives_needs_no_external(cli: Cli) -> None:
    write("bare.lars", "q(X) :- p(X), known(X).\n")
    write("known.atoms", "known(a)\nknown(b)\n")
    result = cli("eval", "bare.lars", "--stream", "stream.atoms", "--background", "known.atoms")
    assert result == Result(0, "1: q(a)\n2:\n3: q(b)\n", "")


def test_what_never_arrived_is_warned_about_at_the_end(cli: Cli, tmp_path: Path) -> None:
    write("bare.lars", "q(X) :- p(X), never(X).\n")
    result = cli("eval", "bare.lars", "--stream", "stream.atoms")
    assert (result.code, result.lines) == (0, ["1:", "2:", "3:"])
    assert result.err.startswith("bare.lars:1:15: warning[W201]: nothing gives `never/1`")
    assert result.err.count("W201") == 1
    command = [sys.executable, "-m", "laser_rdf", "eval", "bare.lars", "--stream", "stream.atoms"]
    both = subprocess.run(
        command,
        cwd=tmp_path,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=True,
    )
    assert both.stdout == result.out + result.err


def test_an_external_that_never_arrived_is_not_warned_about(cli: Cli) -> None:
    write("ext.lars", "#external p/1, never/1 .\nq(X) :- p(X), never(X).\n")
    assert cli("eval", "ext.lars", "--stream", "stream.atoms") == Result(0, "1:\n2:\n3:\n", "")


# --- eval: time ----------------------------------------------------------------------------------------


def test_until_goes_beyond_the_stream_and_stops_before_its_end(cli: Cli) -> None:
    assert cli("eval", "rules.lars", "--stream", "stream.atoms", "--until", "5").lines[-1] == "5:"
    assert cli("eval", "rules.lars", "--stream", "stream.atoms", "--until", "2").lines == [
        "1: q(a), r(a)",
        "2: q(a)",
    ]
    assert cli("eval", "rules.lars", "--stream", "stream.atoms", "--until", "0") == Result(0, "", "")


def test_start_before_the_stream(cli: Cli) -> None:
    result = cli("eval", "rules.lars", "--stream", "stream.atoms", "--start", "0", "--until", "1")
    assert result.lines == ["0:", "1: q(a), r(a)"]


def test_start_moves_the_first_time_point_of_windows(cli: Cli) -> None:
    write("always.lars", "#external p/1 .\nq(X) :- p(X) always in [2].\n")
    assert cli("eval", "always.lars", "--stream", "stream.atoms").lines[0] == "1: q(a)"
    assert cli("eval", "always.lars", "--stream", "stream.atoms", "--start", "0").lines[:2] == ["0:", "1:"]


def test_start_behind_the_first_input_is_refused(cli: Cli) -> None:
    result = cli("eval", "rules.lars", "--stream", "stream.atoms", "--start", "2")
    assert result.code == 2
    assert result.err.startswith("laser-rdf: ")


def test_empty_stream(cli: Cli) -> None:
    write("empty.atoms", "")
    assert cli("eval", "rules.lars", "--stream", "empty.atoms") == Result(0, "", "")
    between = cli("eval", "rules.lars", "--stream", "empty.atoms", "--start", "2", "--until", "3")
    assert between == Result(0, "2:\n3:\n", "")


def test_stream_of_comments_and_empty_time_points(cli: Cli) -> None:
    write("bare.atoms", "% nothing\n\n7:\n// more\n9:   % still nothing\n")
    assert cli("eval", "rules.lars", "--stream", "bare.atoms").lines == ["7:", "8:", "9:"]


def test_clock_gives_windows_their_length(cli: Cli) -> None:
    write("min.lars", "#external p/1 .\nq(X) :- p(X) in [2 min].\n")
    result = cli("eval", "min.lars", "--stream", "stream.atoms", "--until", "6", "--clock", "1 min")
    assert result.lines == ["1: q(a)", "2: q(a)", "3: q(a), q(b)", "4: q(b)", "5: q(b)", "6:"]


# --- eval: several streams, standard input ---------------------------------------------------------------


def test_streams_are_merged_by_time(cli: Cli) -> None:
    write("more.atoms", "0: p(z)\n3: p(y)\n")
    result = cli("eval", "rules.lars", "--stream", "stream.atoms", "--stream", "more.atoms", "--emit", "I")
    assert result.lines == ["0: q(z), r(z)", "1: q(a), r(a)", "2:", "3: q(b), q(y), r(b), r(y)"]


def test_streams_with_names(cli: Cli) -> None:
    write("on.lars", "#external p/1 .\nq(X) :- p(X) in [5] on east.\n")
    write("more.atoms", "2: p(z)\n")
    result = cli("eval", "on.lars", "--stream", "east=stream.atoms", "--stream", "west=more.atoms")
    assert result.lines == ["1: q(a)", "2: q(a)", "3: q(a), q(b)"]


def test_a_stream_with_a_name_that_is_no_word(cli: Cli) -> None:
    write("on.lars", '#external p/1 .\nq(X) :- p(X) on "the east".\n')
    assert cli("eval", "on.lars", "--stream", "the east=stream.atoms") == Result(
        0, "1: q(a)\n2:\n3: q(b)\n", ""
    )


def test_a_stream_that_no_rule_can_mean(cli: Cli) -> None:
    write("on.lars", "#external p/1 .\nq(X) :- p(X) on west.\n")
    result = cli("eval", "on.lars", "--stream", "east=stream.atoms")
    assert (result.code, result.lines) == (0, ["1:", "2:", "3:"])
    assert "on.lars:2:9: warning[W207]: no stream is named `west`" in result.err
    assert "W207" not in cli("check", "on.lars").err


def test_a_file_with_an_equals_sign_in_its_name(cli: Cli) -> None:
    write("east=1.atoms", STREAM)
    assert cli("eval", "rules.lars", "--stream", "east=1.atoms").lines[0] == "1: q(a), r(a)"


def test_several_backgrounds(cli: Cli) -> None:
    write("join.lars", "#external p/1, k/1 .\nq(X) :- p(X), k(X).\n")
    write("a.atoms", "k(a), k(c)\n")
    write("b.atoms", "k(b).   % with a dot\n")
    result = cli(
        "eval", "join.lars", "--stream", "stream.atoms", "--background", "a.atoms", "--background", "b.atoms"
    )
    assert result.lines == ["1: q(a)", "2:", "3: q(b)"]


def test_stream_from_standard_input(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = cli("eval", "rules.lars", "--stream", "stream.atoms")
    given_on_stdin(monkeypatch, STREAM)
    assert cli("eval", "rules.lars", "--stream", "-") == expected


def test_mistake_on_standard_input(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    given_on_stdin(monkeypatch, "1: p(a)\nnothing\n")
    result = cli("eval", "rules.lars", "--stream", "-")
    assert (result.code, result.out) == (1, "1: q(a), r(a)\n")
    assert "-:2:1: error[I001]" in result.err


def test_standard_input_twice_is_no_traceback(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    given_on_stdin(monkeypatch, STREAM)
    result = cli("eval", "rules.lars", "--stream", "-", "--stream", "-")
    assert result == Result(2, "", "laser-rdf: `-` stands for standard input, which can be read only once\n")


def test_standard_input_stays_open(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    given_on_stdin(monkeypatch, STREAM)
    cli("eval", "rules.lars", "--stream", "-")
    assert not sys.stdin.closed
    assert not sys.stdin.buffer.closed


def test_no_standard_input(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    for arguments in (["check", "-"], ["eval", "rules.lars", "--stream", "-"]):
        result = cli(*arguments)
        assert result.code == 2
        assert "no standard input" in result.err


# --- eval: mistakes in the input -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("1: p(a)\np(b)\n", "2:1: error[I001]"),
        (f"{'9' * 19}: p(a)\n", "1:1: error[I002]"),
        ("3: p(a)\n\n1: p(b)\n", "3:1: error[I003]"),
        ("1: p(a) p(b)\n", "1:9: error[I004]"),
        ("1: p(a,", "1:8: error[I004]"),
        ("1: not p(a)\n", "1:4: error[I004]"),
        ('1: p("open)\n', "1:6: error[I005]"),
        ('1: p("\\q")\n', "1:7: error[I005]"),
        ("1: zz:p(a)\n", "1:4: error[I006]"),
        ("1: p(X)\n", "1:6: error[I007]"),
        ("1: p(?x)\n", "1:6: error[I007]"),
    ],
)
def test_mistake_in_a_stream(cli: Cli, text: str, place: str) -> None:
    result = cli("eval", "rules.lars", "--stream", write("bad.atoms", text))
    assert result.code == 1
    assert result.err.startswith(f"bad.atoms:{place}")
    assert result.err.splitlines()[-1].startswith("  = ")


def test_mistake_in_a_background(cli: Cli) -> None:
    result = cli(
        "eval", "rules.lars", "--stream", "stream.atoms", "--background", write("bad.atoms", "k(a)\nk(,)\n")
    )
    assert result.code == 1
    assert result.err.startswith("bad.atoms:2:3: error[I004]")


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=repr)
def test_the_place_of_a_mistake_at_the_end_of_a_line(cli: Cli, end: str) -> None:
    result = cli("eval", "rules.lars", "--stream", write("bad.atoms", f"1: p(a,{end}"))
    assert result.err.startswith("bad.atoms:1:8: error[I004]")


def test_a_line_of_ten_thousand_atoms(cli: Cli) -> None:
    write("long.lars", "#external p/1 .\nq :- p(a9999) in [1].\n")
    write("long.atoms", "1: " + ", ".join(f"p(a{i})" for i in range(10_000)) + "\n")
    assert cli("eval", "long.lars", "--stream", "long.atoms") == Result(0, "1: q\n", "")


@pytest.mark.parametrize(
    "rule",
    [
        "q(X) :- p(X) in [2].",
        "q(X) :- p(X) at T in [2], T > 0.",
        "q(X) :- p(X) always in [2], not r(X).",
        "q(X) :- triple(X, _, _), p(X).",
    ],
)
def test_ten_thousand_atoms_take_no_quadratic_time(cli: Cli, rule: str) -> None:
    write("long.lars", f"#external p/1, r/1 .\n{rule}\n")
    write("long.atoms", "1: " + ", ".join(f"p(a{i})" for i in range(10_000)) + "\n")
    started = time.process_time()
    result = cli("eval", "long.lars", "--stream", "long.atoms")
    assert len(result.out.split(", ")) == 10_000
    assert time.process_time() - started < 20  # about one second; a scan for each atom takes over a minute


def test_a_mistake_at_the_end_of_a_long_line(cli: Cli) -> None:
    line = "1: " + ", ".join(f"p(a{i})" for i in range(10_000))
    result = cli("eval", "rules.lars", "--stream", write("long.atoms", f"{line}, P(a)\n"))
    assert result.code == 1
    assert result.err.startswith(f"long.atoms:1:{len(line) + 3}: error[I007]")
    assert max(map(len, result.err.splitlines())) < 250


@pytest.mark.parametrize(
    "engine",
    ["annotation", "reference"],
)
def test_limit_of_recursion_through_arithmetic(cli: Cli, engine: str) -> None:
    write("rec.lars", "#external p/1 .\nn(X) :- p(X).\nn(Y) :- n(X), Y := X + 1.\n")
    write("rec.atoms", "1: p(1)\n")
    result = cli("eval", "rec.lars", "--stream", "rec.atoms", "--max-derivations", "20", "--engine", engine)
    assert (result.code, result.out) == (1, "")
    assert "warning[W205]" in result.err
    assert result.err.endswith(
        "rec.lars:3: more than 20 derivations at time point 1 by recursion through arithmetic\n"
        "  rule: n(Y) :- n(X), Y := X + 1 .\n"
        "  = bound the recursion, as with `X < 1000`, or allow more with `--max-derivations`\n"
    )
    assert "Traceback" not in result.err


@pytest.mark.parametrize("engine", ["annotation", "reference"])
@pytest.mark.parametrize(
    ("wrong", "code"), [("3: p(", "I004"), ("1: p(b)", "I003"), ("p(b)", "I001"), ("3: p(X)", "I007")]
)
def test_what_comes_before_a_mistake_in_a_stream_is_printed(
    cli: Cli, engine: str, wrong: str, code: str
) -> None:
    """Everything that could be read is answered."""
    write("bad.atoms", f"1: p(a)\n2: p(b)\n{wrong}\n")
    result = cli("eval", "rules.lars", "--stream", "bad.atoms", "--engine", engine)
    assert result.code == 1
    assert [line.split(":")[0] for line in result.lines] == ["1", "2"]
    assert result.err.startswith("bad.atoms:3:")
    assert f"error[{code}]" in result.err


def test_answers_appear_while_the_stream_is_read(cli: Cli, tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-u", "-m", "laser_rdf", "eval", "rules.lars", "--stream", "-"],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("1: p(a)\n3: p(b)\n")
        process.stdin.flush()
        assert process.stdout.readline() == "1: q(a), r(a)\n"
        process.stdin.close()
        assert process.stdout.read() == "2: q(a)\n3: q(b), r(b)\n"
    assert process.returncode == 0


def test_what_was_printed_before_an_error_stays(cli: Cli) -> None:
    write("rec.lars", "#external p/1 .\nn(X) :- p(X).\nn(Y) :- n(X), Y := X + 1.\n")
    write("rec.atoms", "1:\n2: p(1)\n")
    result = cli("eval", "rec.lars", "--stream", "rec.atoms", "--max-derivations", "20")
    assert (result.code, result.out) == (1, "1:\n")


# --- control characters ------------------------------------------------------------------------------------

ESCAPE = "\x1b[31m"


def test_control_characters_in_a_program_are_escaped(cli: Cli) -> None:
    result = cli("check", write("bad.lars", f"q(X) :- {ESCAPE}p(X).\n"))
    assert result.code == 2
    assert "\x1b" not in result.err
    assert "\\u001b" in result.err


def test_control_characters_in_file_names_are_escaped(cli: Cli) -> None:
    name = f"a{ESCAPE}.lars"
    missing = cli("check", name)
    wrong = cli("check", write(name, "q(X"))
    assert (missing.code, wrong.code) == (2, 2)
    assert "\x1b" not in missing.err + wrong.err
    assert "a\\u001b[31m.lars:1:4" in wrong.err


def test_control_characters_in_a_stream_are_escaped(cli: Cli) -> None:
    result = cli("eval", "rules.lars", "--stream", write("bad.atoms", f"1: {ESCAPE}\n"))
    assert result.code == 1
    assert "\x1b" not in result.err


def test_control_characters_of_strings_are_escaped_in_results(cli: Cli) -> None:
    result = cli("eval", "rules.lars", "--stream", write("odd.atoms", f'1: p("{ESCAPE}")\n'))
    assert result.code == 0
    assert "\x1b" not in result.out


def test_control_characters_of_iris_are_escaped_in_results(cli: Cli) -> None:
    result = cli("eval", "rules.lars", "--stream", write("odd.atoms", "1: p(<http://example.org/\x9b31m>)\n"))
    assert "\x9b" not in result.out


@pytest.mark.parametrize("hidden", ["\x85", "\u200e", "\u202e", "\u2066"], ids=ascii)
@pytest.mark.parametrize("further", [[], ["--json"]], ids=" ".join)
def test_marks_that_turn_the_writing_are_escaped(cli: Cli, hidden: str, further: list[str]) -> None:
    write("odd.atoms", f'1: p(<http://example.org/{hidden}x>), p("{hidden}y")\n')
    result = cli("eval", "rules.lars", "--stream", "odd.atoms", *further)
    assert result.code == 0
    assert hidden not in result.out
    assert result.out.count(f"\\u{ord(hidden):04X}") == 4
    if not further:
        again = result.lines[0].replace("q(", "p(").replace("r(", "p(")
        assert cli("eval", "rules.lars", "--stream", write("again.atoms", again)) == result


def test_control_characters_in_json_are_escaped(cli: Cli) -> None:
    name = write("a\x9b\U000e0001.lars", "q(X) :- p(Y).\n")
    result = cli("check", name, "--json")
    assert result.out.rstrip("\n").replace("\n", "").isprintable()
    assert {entry["file"] for entry in json.loads(result.out)} == {name}


@pytest.mark.parametrize("arguments", [[f"--until={ESCAPE}"], [ESCAPE], [f"--{ESCAPE}"]], ids=ascii)
def test_control_characters_of_arguments_are_escaped(cli: Cli, arguments: list[str]) -> None:
    result = cli("eval", "rules.lars", *arguments)
    assert result.code == 2
    assert "\x1b" not in result.err


# --- the process -------------------------------------------------------------------------------------------


def test_interrupt(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("laser_rdf.evaluation.rows_of", interrupted)
    assert cli("eval", "rules.lars", "--stream", "stream.atoms") == Result(130, "", "laser-rdf: stopped\n")


def python(*arguments: str, directory: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=directory,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_python_m(cli: Cli, tmp_path: Path) -> None:
    expected = cli("eval", "rules.lars", "--stream", "stream.atoms")
    done = python("-m", "laser_rdf", "eval", "rules.lars", "--stream", "stream.atoms", directory=tmp_path)
    assert Result(done.returncode, done.stdout, done.stderr) == expected
    assert python("-m", "laser_rdf", "check", "missing.lars", directory=tmp_path).returncode == 2


def test_the_reader_of_the_output_goes_away(cli: Cli, tmp_path: Path) -> None:
    command = ["-m", "laser_rdf", "eval", "rules.lars", "--stream", "stream.atoms", "--until", "1000000"]
    with subprocess.Popen(
        [sys.executable, *command], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "1: q(a), r(a)\n"
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 1


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    ],
    ids=["ascii", "C"],
)
@pytest.mark.parametrize("arguments", [["show", "rules.lars", "--symbols"], ["show", "--help"]], ids=" ".join)
def test_output_that_the_terminal_cannot_show(
    cli: Cli, tmp_path: Path, environment: dict[str, str], arguments: list[str]
) -> None:
    done = python("-m", "laser_rdf", *arguments, directory=tmp_path, **environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert "\\u229e" in done.stdout


def test_json_that_the_terminal_cannot_show(cli: Cli, tmp_path: Path) -> None:
    write("stream.atoms", "1: p(é)\n")
    command = ["-m", "laser_rdf", "eval", "rules.lars", "--stream", "stream.atoms", "--json"]
    done = python(*command, directory=tmp_path, PYTHONIOENCODING="ascii")
    assert json.loads(done.stdout)["holds"] == ["q(é)", "r(é)"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(
    "arguments",
    [["eval", "rules.lars", "--stream", "stream.atoms"], ["check", "rules.lars"], ["--help"]],
    ids=" ".join,
)
def test_output_that_cannot_be_written(cli: Cli, tmp_path: Path, arguments: list[str]) -> None:
    command = [sys.executable, "-m", "laser_rdf", *arguments]
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            command, cwd=tmp_path, env=buffered, stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (done.returncode, done.stderr) == (1, "laser-rdf: cannot write: No space left on device\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_diagnostics_that_cannot_be_written(cli: Cli, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "laser_rdf", "check", "missing.lars"]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=full, check=False)
    assert (done.returncode, done.stdout) == (1, b"")


@pytest.mark.parametrize(
    "arguments", [["check", "rules.lars"], ["eval", "rules.lars", "--stream", "stream.atoms"]]
)
def test_nothing_heavy_is_imported(cli: Cli, tmp_path: Path, arguments: list[str]) -> None:
    script = (
        "import sys; from laser_rdf.cli import main; assert main(sys.argv[1:]) == 0; "
        "print(sorted({'rdflib', 'pyspark', 'pyoxigraph', 're2', 'numpy', 'hypothesis'} & set(sys.modules)))"
    )
    done = python("-c", script, *arguments, directory=tmp_path)
    assert done.stdout.splitlines()[-1:] == ["[]"], done.stderr


def test_help_does_not_load_the_parser(tmp_path: Path) -> None:
    script = (
        "import sys; from laser_rdf.cli import _parser; _parser().format_help(); print('lark' in sys.modules)"
    )
    assert python("-c", script, directory=tmp_path).stdout == "False\n"
