"""`laser-rdf run` as a user meets it: results, summary, figures, and what it says when something is wrong."""

from __future__ import annotations

import gzip
import io
import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pyoxigraph as ox
import pytest

from laser_rdf.cli import main
from tests.pipeline.fire import COMMAND, FILES, FIRE, FLAGS, PIPED, Ran, contents, graph, write_files


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(
    folder: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Ran]:
    """Runs the command in this process, in the folder."""

    def call(*arguments: str, given: bytes = b"") -> Ran:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(given)))
        code = main(["run", *arguments])
        out, err = capfdbinary.readouterr()
        return Ran(code, out, err.decode())

    return call


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """The exit code and standard error of a command in this process."""
    code = main(["run", *arguments])
    captured = capsys.readouterr()
    assert captured.out == ""
    return code, captured.err


# --- what it does --------------------------------------------------------------------------------------


def test_results_on_standard_output_and_a_summary_beside_them(run: Callable[..., Ran]) -> None:
    done = run(*FLAGS)
    assert done.code == 0
    assert contents(done.out) == FIRE
    lines = done.err.splitlines()
    assert lines[0].startswith("time")
    assert "3 with 6 triples" in done.err
    assert [line.split() for line in lines if line.startswith("fire")] == [
        ["fire", "6", "answers,", *lines[3].split()[3:]]
    ]


def test_a_file_and_figures(run: Callable[..., Ran], folder: Path) -> None:
    done = run("pipeline.toml", "--stats", "stats.json", "--quiet")
    assert (done.code, done.out, done.err) == (0, b"", "")
    found = contents(folder.joinpath("out.nq").read_bytes(), ox.RdfFormat.N_QUADS)
    assert {name: triples for name, triples in found.items() if name.startswith("fire/")} == FIRE
    stats = json.loads(folder.joinpath("stats.json").read_text())
    assert stats["elements"] == {"readings": 3}
    assert stats["answers"] == {"fire": 6, "alarm": 2}
    assert set(stats["phases"]) >= {"read", "enrich", "map", "evaluate", "emit", "write"}
    assert (stats["stopped_by"], stats["error"]) == (None, None)


def test_json_for_machines(run: Callable[..., Ran]) -> None:
    done = run(*FLAGS, "--json")
    lines = done.out.splitlines()
    assert len(lines) == 3
    merged: dict[str, set[tuple[str, str, str]]] = {}
    for line in lines:
        merged |= contents(line, ox.RdfFormat.JSON_LD)
    assert merged == FIRE
    assert done.event("summary")["elements"] == {"log": 3}


@pytest.mark.parametrize("packed", [False, True])
def test_standard_input(run: Callable[..., Ran], packed: bool) -> None:
    data = FILES["log.trig"].encode()
    flags = ["-" if flag == "log.trig" else flag for flag in FLAGS]
    done = run(*flags, "--format", "trig", given=gzip.compress(data) if packed else data)
    assert (done.code, contents(done.out)) == (0, FIRE)


def test_flags_reach_the_pipeline(run: Callable[..., Ran], folder: Path) -> None:
    folder.joinpath("shape.rq").write_text(
        "PREFIX ex: <http://example.org/> CONSTRUCT { ?r ex:is ex:hot } WHERE { ?r ex:hot ?v }"
    )
    done = run(*FLAGS, "--emit", "R", "--template", "shape.rq", "--until", "1970-01-01T00:01:00Z")
    assert contents(done.out)["fire/snapshot/55"] == {("hall", "is", "hot")}
    more = ["--sink", "file:a.trig", "--sink", "file:b.nq.gz", "--sink", "oxigraph:store"]
    done = run(*FLAGS, *more, "--json", "--clock", "5 s", "--start", "3")
    assert (done.code, done.out) == (0, b"")
    assert list(done.event("summary")["sinks"]) == ["file:a.trig", "file:b.nq.gz", "oxigraph:store"]
    assert contents(gzip.decompress(folder.joinpath("b.nq.gz").read_bytes()), ox.RdfFormat.N_QUADS)


def test_two_programs_and_a_named_stream(run: Callable[..., Ran], folder: Path) -> None:
    folder.joinpath("on.lars").write_text(
        "PREFIX ex: <http://example.org/>\nex:T(R) :- ex:temp(R, V) on live.\n"
    )
    done = run("on.lars", "fire.lars", "--stream", "live=log.trig", "--quiet")
    assert contents(done.out)["on/insertions/40"] == {("r2", "type", "T")}
    assert done.err == ""


def test_state_of_a_program(run: Callable[..., Ran], folder: Path) -> None:
    done = run(*FLAGS, "--mode", "state", "--sink", "file:state.nq")
    assert done.code == 0
    [triples] = contents(folder.joinpath("state.nq").read_bytes(), ox.RdfFormat.N_QUADS).values()
    assert triples == {("hall", "hot", "75.0"), ("hall", "read", "r3")}


def test_a_check_runs_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--check", "pipeline.toml"]) == 0
    assert "in order" in capsys.readouterr().out
    assert not (folder / "out.nq").exists()
    assert main(["run", "--check", "--json", "pipeline.toml"]) == 0
    assert json.loads(capsys.readouterr().out) == []
    Path("wrong.lars").write_text("#external b/0 .\na(X) :- b.\n")
    Path("p.toml").write_text('clok = "1 s"\n[streams]\ns = "log.trig"\n[programs]\np = "wrong.lars"\n')
    assert main(["run", "--check", "--json", "p.toml"]) == 2
    first, second = json.loads(capsys.readouterr().out)
    assert first["message"] == "p.toml:1:1: unknown key `clok`: did you mean `clock`?"
    assert (second["file"], second["line"], second["code"]) == ("wrong.lars", 2, "E101")


def test_nobody_reads_on(folder: Path) -> None:
    """As with `| head -1`: the end of the reader is no error, and other sinks get what was answered."""
    process = subprocess.Popen(
        [*COMMAND, *PIPED, "--sink", "file:-", "--sink", "file:out.trig"],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin
    assert process.stdout
    assert process.stderr
    process.stdin.write(graph(1) + graph(2))
    process.stdin.flush()
    assert process.stdout.readline()
    process.stdout.close()
    try:
        for number in range(3, 100_000):
            process.stdin.write(graph(number))
    except BrokenPipeError:
        pass
    err = process.stderr.read().decode()
    assert process.wait(60) == 0
    assert "Traceback" not in err
    assert "fire/insertions/1" in contents(folder.joinpath("out.trig").read_bytes())
    process.stderr.close()
    with pytest.raises(BrokenPipeError):
        process.stdin.close()


def test_imports_are_listed_and_not_followed(run: Callable[..., Ran], folder: Path) -> None:
    with folder.joinpath("readings.ttl").open("a") as file:
        file.write("<> <http://www.w3.org/2002/07/owl#imports> <http://www.w3.org/ns/sosa/> .\n")
    done = run(*FLAGS, "--json")
    assert done.event("notice")["message"] == (
        "owl:imports is not followed: give <http://www.w3.org/ns/sosa/> as a file if it is needed"
    )


def test_notices_of_one_kind_are_counted(run: Callable[..., Ran], folder: Path) -> None:
    folder.joinpath("clash.ttl").write_text(
        "@prefix ex: <http://example.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
        "ex:Cold owl:disjointWith ex:Warm .\n"
    )
    elements = "".join(
        f"<urn:g{n}> <http://www.w3.org/ns/prov#generatedAtTime> {n} .\n"
        f"<urn:g{n}> {{ <urn:r{n}> a <http://example.org/Cold>, <http://example.org/Warm> }}\n"
        for n in range(1, 11)
    )
    folder.joinpath("odd.lars").write_text(
        "PREFIX ex: <http://example.org/>\nex:Odd(X) :- ex:Cold(X), ex:Warm(X).\n"
    )
    flags = [
        "odd.lars",
        "--stream",
        "-",
        "--format",
        "trig",
        "--ontology",
        "clash.ttl",
        "--profile",
        "owl-rl",
    ]
    done = run(*flags, given=elements.encode())
    notices = [line for line in done.err.splitlines() if line.startswith("laser-rdf: ")]
    assert len(notices) == 4
    assert notices[0].startswith("laser-rdf: inconsistent at 1: cax-dw: ")
    assert notices[3] == "laser-rdf: and 7 more of this kind: inconsistent at …: cax-dw"
    assert done.code == 0
    failed = run(*flags, "--inconsistency", "fail", "--quiet", given=elements.encode())
    assert failed.code == 1
    assert "cax-dw" in failed.err


def test_wrong_elements(run: Callable[..., Ran], folder: Path) -> None:
    with folder.joinpath("log.trig").open("a") as file:
        file.write("ex:g4 { ex:a ex:b }\n")
    done = run(*FLAGS)
    assert done.code == 1
    assert contents(done.out) == FIRE
    assert "log.trig:8:" in done.err
    assert done.err.splitlines()[-1].startswith("  = ")
    done = run(*FLAGS, "--on-error", "skip")
    assert (done.code, contents(done.out)) == (0, FIRE)
    assert "left out" in done.err


def test_time_goes_back(run: Callable[..., Ran]) -> None:
    done = run("fire.lars", "--stream", "-", "--format", "trig", "--quiet", given=graph(5) + graph(4))
    assert done.code == 1


# --- a terminal ----------------------------------------------------------------------------------------


def test_a_live_line_on_a_terminal(folder: Path) -> None:
    screen, terminal = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *PIPED, "--sink", "file:out.trig"],
        cwd=folder,
        stdin=subprocess.PIPE,
        stderr=terminal,
        env={**os.environ, "COLUMNS": "200"},
    )
    os.close(terminal)
    assert process.stdin
    process.stdin.write(graph(1) + graph(2))
    process.stdin.flush()
    shown = b""
    while b"time 1 " not in shown:  # the live line comes by itself, while the command waits for input
        shown += os.read(screen, 4096)
    process.stdin.close()
    assert process.wait(60) == 0
    while b"phases" not in shown:
        shown += os.read(screen, 4096)
    os.close(screen)
    line = next(line for line in shown.decode().split("\r") if "time 1 " in line)
    assert "elements (" in line
    assert "1 answers" in line
    assert line.endswith("\x1b[K")


def test_log_lines_elsewhere(folder: Path) -> None:
    process = subprocess.Popen(
        [*COMMAND, *PIPED, "--log-every", "0.05", "--json"],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    assert process.stdin
    assert process.stderr
    process.stdin.write(graph(1) + graph(2))
    process.stdin.flush()
    while json.loads(line := process.stderr.readline())["time"] != 1:
        pass
    assert json.loads(line)["event"] == "progress"
    process.stdin.close()
    last = process.stderr.read().splitlines()[-1]
    assert json.loads(last)["event"] == "summary"
    assert process.wait(60) == 0
    process.stderr.close()


# --- what is wrong -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no.toml"], "cannot read `no.toml`: No such file or directory"),
        (["no.lars", "--stream", "log.trig"], "program `no`: there is no file `no.lars`"),
        (["fire.lars", "--stream", "no.trig"], "stream `no`: there is no file `no.trig`"),
        (["fire.lars"], "there is nothing to read: give a stream with `--stream FILE`"),
        (
            ["pipeline.toml", "--sink", "x"],
            "`--sink` does not go with a pipeline file: write it into `pipeline.toml`",
        ),
        (["pipeline.toml", "fire.lars"], "give one pipeline file, or programs, which end in .lars"),
        (["fire.lars", "--stream", "log.trig", "--emit", "i"], '`emit` cannot be "i": did you mean `I`?'),
        (
            ["fire.lars", "--stream", "log.trig", "--profile", "owl-r"],
            '`profile` cannot be "owl-r": did you mean `owl-rl`?',
        ),
        (
            ["fire.lars", "--stream", "log.trig", "--mode", "state"],
            "`--mode state` needs a place where a state can be kept: give a `--sink`",
        ),
        (
            ["fire.lars", "--stream", "a/log.trig", "--stream", "b/log.trig"],
            "two streams are called `log`: write `NAME=b/log.trig`",
        ),
        (
            ["fire.lars", "--stream", "log.trig", "--stats", "no/s.json"],
            "cannot write `no/s.json`: No such file or directory: choose another file",
        ),
        (
            ["fire.lars", "--stream", "log.trig", "--sink", "file:out.doc"],
            "`out.doc` must end in .trig, .nq or .jsonl, each with or without .gz",
        ),
        (
            ["fire.lars", "--stream", "log.trig", "--until", "noon"],
            "`noon` is neither a time point nor a dateTime",
        ),
        (
            ["fire.lars", "--stream", "log.trig", "--background", "no.ttl"],
            "background: there is no file `no.ttl`",
        ),
    ],
    ids=range(14),
)
def test_one_line_says_what_to_change(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert said(capsys, *arguments) == (2, f"laser-rdf: {message}\n")


def test_a_wrong_program_has_carets(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("wrong.lars").write_text("a(X) :- b(Y).\n")
    code, err = said(capsys, "wrong.lars", "--stream", "log.trig")
    assert code == 2
    assert err.startswith("wrong.lars:1:3: error[E101]")
    assert "^" in err


def test_a_file_that_cannot_be_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, err = said(capsys, "fire.lars", "--stream", "log.trig", "--sink", "file:no/out.trig")
    assert code == 1
    assert err.startswith("laser-rdf: cannot write `no/out.trig`: No such file or directory: ")
    assert err.count("\n") == 1


def test_a_wrong_background_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("rooms.ttl").write_text("<urn:a> <urn:b> \n")
    code, err = said(capsys, *FLAGS)
    assert code == 1
    assert err.startswith("rooms.ttl:")


def test_control_characters_stay_out_of_the_terminal(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, err = said(capsys, "\x1b[31m.lars", "--stream", "\x1b[32m.trig")
    assert code == 2
    assert "\x1b" not in err
    Path("p.toml").write_text('"\\u001b[31m" = 1\n[streams."\\u001b"]\nx = 1\n', encoding="utf-8")
    code, err = said(capsys, "p.toml")
    assert code == 2
    assert "\x1b" not in err


def test_commands_that_need_no_pipeline_do_not_load_it() -> None:
    check = (
        "import sys; from laser_rdf.cli import main\ntry: main(['run', '--help'])\nexcept SystemExit: pass\n"
    )
    check += "assert not {'laser_rdf.pipeline', 'pyoxigraph', 'httpx', 'tomllib'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", check], check=True, capture_output=True)


def test_rules_that_add_to_every_element(run: Callable[..., Ran], folder: Path) -> None:
    folder.joinpath("add.lars").write_text(
        "PREFIX ex: <http://example.org/>\nex:warm(R, V) :- ex:temp(R, V).\n"
    )
    folder.joinpath("warm.lars").write_text(
        "PREFIX ex: <http://example.org/>\nex:Warm(R) :- ex:warm(R, _).\n"
    )
    done = run("warm.lars", "--stream", "log.trig", "--rules", "add.lars", "--quiet")
    assert contents(done.out)["warm/insertions/40"] == {("r2", "type", "Warm")}
    done = run(
        "warm.lars", "--stream", "log.trig", "--rules", "add.lars", "--quiet", "--max-entailments", "0"
    )
    assert done.code == 1
    assert "raise the limit" in done.err
