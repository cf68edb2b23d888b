"""A pipeline as a file: what it means, and everything that can be wrong with it, said together."""

from __future__ import annotations

import os
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laser_rdf.errors import LaserError, PipelineError
from laser_rdf.pipeline import Pipeline
from laser_rdf.pipeline.toml_file import load_pipeline, parsed
from laser_rdf.pipeline.toml_problems import Problems, tidied
from laser_rdf.rdf.reading import FORMATS
from tests.pipeline.fire import FILES, FIRE, contents, write_files


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_files(tmp_path)
    return tmp_path


def problems_of(folder: Path, text: str) -> list[str]:
    """Every problem on lines of its own, with the file called `p.toml`."""
    file = folder / "p.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(PipelineError) as caught:
        load_pipeline(file)
    return [str(problem).replace(str(file), "p.toml") for problem in caught.value.problems]


def problem_of(folder: Path, text: str) -> str:
    [problem] = problems_of(folder, text)
    return problem


STREAM = '[streams]\ns = "log.trig"\n'
PROGRAM = '[programs]\np = "alarm.lars"\n'


# --- what it means -------------------------------------------------------------------------------------


def test_a_file_runs_wherever_it_is_called_from(folder: Path) -> None:
    summary = Pipeline.read(folder / "pipeline.toml").run()
    found = contents(folder.joinpath("out.nq").read_bytes(), ox.RdfFormat.N_QUADS)
    assert {name: triples for name, triples in found.items() if name.startswith("fire/")} == FIRE
    assert found["alarm/insertions/40"] == {("hall", "type", "Alarm")}
    assert summary.counts.elements == {"readings": 3}
    [state] = contents(folder.joinpath("state.trig").read_bytes()).items() or [("", set())]
    assert state[1] == {("hall", "type", "Alarm")}


def test_a_file_is_the_same_as_calls(folder: Path) -> None:
    p = Pipeline(directory=folder)
    p.stream("readings", "log.trig")
    p.background("rooms.ttl")
    p.ontology("readings.ttl", profile="rdfs")
    p.event("smoke", "smoke.rq")
    p.register("fire", "fire.lars", on=["readings"])
    p.register("alarm", "alarm.lars", on=["fire"])
    by_calls = [(graph.iri, set(map(str, graph.triples))) for graph in p]
    q = load_pipeline(folder / "pipeline.toml")
    assert [(graph.iri, set(map(str, graph.triples))) for graph in q] == by_calls


def test_bare_values_stand_for_tables() -> None:
    short = parsed('background = ["a.ttl"]\nsinks = ["file:x.nq"]\n[programs]\np = "p.lars"', "x")
    problems = Problems()
    assert tidied(short, problems) == {
        "background": {"files": ["a.ttl"]},
        "sinks": [{"to": "file:x.nq"}],
        "programs": {"p": {"file": "p.lars"}},
    }
    assert not problems.found


@pytest.mark.parametrize("until", ["60", "1970-01-01T00:01:00Z", '"1970-01-01T01:01:00+01:00"'])
def test_time_points_may_be_date_times(folder: Path, until: str) -> None:
    file = folder / "p.toml"
    file.write_text(f"until = {until}\norigin = 1970-01-01T00:00:00Z\n{STREAM}{PROGRAM}")
    assert load_pipeline(file).until == 60


def test_all_options_of_a_stream_and_a_sink(folder: Path) -> None:
    file = folder / "p.toml"
    file.write_text(
        'base = "http://example.org/results/"\n'
        '[streams.s]\nsource = "log.trig"\nformat = "trig"\nstamp = "http://www.w3.org/ns/prov#generatedAtTime"\n'
        'zone = "+02:00"\non_error = "quarantine:bad"\nfollow = false\n'
        '[programs.p]\nfile = "fire.lars"\nemit = "R"\ntemplate = "shape.rq"\n'
        '[[sinks]]\nto = "file:a.trig"\nbatch = 7\nbatch_seconds = 0.5\nmetadata_graph = "urn:about"\n'
        '[[sinks]]\nto = "sparql:http://127.0.0.1:7878/update"\ntimeout = 5\ncredentials = "secret"\n'
    )
    folder.joinpath("shape.rq").write_text("CONSTRUCT { ?s <urn:p> ?o } WHERE { ?s ?p ?o }")
    secret = folder / "secret"
    secret.write_text("anna:geheim\n")
    secret.chmod(0o600)
    targets = [sink.target for sink in load_pipeline(file).sinks]
    assert targets == [f"file:{folder / 'a.trig'}", "sparql:http://127.0.0.1:7878/update"]


def test_what_is_quarantined_lies_beside_the_file(folder: Path) -> None:
    folder.joinpath("log.trig").write_text(FILES["log.trig"] + "ex:g9 { ex:a ex:b }\n")
    file = folder / "p.toml"
    file.write_text(f'[streams.s]\nsource = "log.trig"\non_error = "quarantine:bad"\n{PROGRAM}')
    summary = load_pipeline(file).run()
    assert summary.counts.skipped == 1
    assert len(list(folder.joinpath("bad").glob("*.bin"))) == 1


# --- what is wrong -------------------------------------------------------------------------------------


def test_everything_is_reported_together(folder: Path) -> None:
    folder.joinpath("wrong.lars").write_text("a(X) :- b(Y).\n")
    folder.joinpath("wrong.rq").write_text("SELECT ?x WHERE {")
    found = problems_of(
        folder,
        """\
clock = "1 parsec"
untl = 7
[streams.s]
source = "nolog.trig"
fromat = "trig"
[streams.t]
format = "trg"
follow = 1
[ontology]
profile = "owlrl2"
files = ["a.ttl", "b.ttl"]
[events]
smoke = "wrong.rq"
[programs.fire]
file = "wrong.lars"
on = ["s", "ss"]
emit = "i"
[programs.a]
file = "alarm.lars"
on = ["b"]
[programs.b]
file = "alarm.lars"
on = ["a"]
[[sinks]]
to = "ftp:out.trig"
[[sinks]]
to = "file:x.trig"
programs = ["fir"]
timeout = 3
""",
    )
    assert [problem.partition("\n")[0] for problem in found] == [
        "p.toml:2:1: unknown key `untl`: did you mean `until`?",
        "p.toml:5:1: unknown key `fromat` in `streams.s`: did you mean `format`?",
        'p.toml:7:1: `format` cannot be "trg": did you mean `trig`?',
        "p.toml:8:1: `follow` must be true or false, not 1",
        "p.toml:6:1: `streams.t` has no `source`: add one",
        'p.toml:10:1: `profile` cannot be "owlrl2": did you mean `owlrl`?',
        'p.toml:17:1: `emit` cannot be "i": did you mean `I`?',
        "p.toml:1:1: `1 parsec` is not the unit of a clock: write a whole number of milliseconds, more than "
        "none, as `500 ms`, `1 s`, `5 min`, `2 h`, `1 d` or `PT5M`",
        "p.toml:4:1: stream `s`: there is no file `nolog.trig`",
        "p.toml:11:1: ontology: there is no file `a.ttl`",
        "p.toml:11:1: ontology: there is no file `b.ttl`",
        found[11].partition("\n")[0],
        "p.toml:16:1: program `fire` reads `ss`, which is no stream: did you mean `s`?",
        "p.toml:25:1: `ftp:out.trig` is no sink: it begins with file:, oxigraph:, sparql:, gsp: or is rdflib",
        "p.toml:28:1: the sink takes `fir`, which is no program: did you mean `fire`?",
        found[15],
        "p.toml: programs read each other in a circle: a reads b reads a",
        found[17].partition("\n")[0],
    ]
    assert found[11].startswith("wrong.rq:1:")
    assert "no option `timeout`" in found[15]
    assert found[17].startswith("wrong.lars:1:3: error[E101]: `X` of the head is not bound")
    assert "^" in found[17]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "clock = 1 s",
            "p.toml:1:11: this is no TOML: Expected newline or end of document after a statement",
        ),
        ("[streams", "p.toml:1:9: this is no TOML: Expected ']' at the end of a table declaration"),
        ("a = 1\na = 2", "p.toml:2:6: this is no TOML: Cannot overwrite a value"),
        ('a = """x\ny', "p.toml:2:2: this is no TOML: Unterminated string"),
    ],
)
def test_a_file_that_is_no_toml(folder: Path, text: str, message: str) -> None:
    assert problem_of(folder, text) == message


HEAD = STREAM + PROGRAM
SINK = f"{HEAD}[[sinks]]\nto = "
INPUT = "{source = '-', format = 'trig'}"
ONE_PROBLEM = {
    PROGRAM: ": there is no stream to read: add `[streams.NAME]` with a `source`",
    STREAM: ": there is no program to run: add `[programs.NAME]` with a `file`",
    f"{STREAM}p = 'log.trig'\n{PROGRAM}": ":5:1: `p` is a stream, too: call one of them otherwise",
    f"start = 9\nuntil = 5\n{HEAD}": ":2:1: the end 5 lies before the start 9",
    f"start = 'noon'\n{HEAD}": ":1:1: `noon` is neither a time point nor a dateTime",
    f"sinks = 5\n{HEAD}": ":1:1: `sinks` is a list: write `[[sinks]]` before each, with two brackets",
    f"events = ['x']\n{HEAD}": ":1:1: `events` is a table of names: write `[events]` and below it `name = …`",
    f"{HEAD}[events]\nSmoke = 'smoke.rq'": ":6:1: `Smoke` cannot be the name of an event: write a name that "
    "begins with a small letter and means nothing else in a program",
    f"{STREAM}t = '-'\n{PROGRAM}": ":3:1: stream `t`: standard input has no suffix: give its format, one of "
    + ", ".join(FORMATS),
    f"[streams]\ns = {{source = '.', follow = true}}\n{PROGRAM}": ":2:1: stream `s`: `.` is a directory: "
    "only a file can be followed",
    f"[streams]\na = {INPUT}\nb = {INPUT}\n{PROGRAM}": ":1:1: `a` and `b` read standard input, which can be "
    "read only once",
    f"{SINK}'file:a.doc'": ":6:1: `FOLDER/a.doc` must end in .trig, .nq or .jsonl, each with or without .gz",
    f"{SINK}'sparql:http://a:b@c/'": ":6:1: a URL must not hold a password: set LASER_RDF_USER and "
    "LASER_RDF_PASSWORD, or name a file with `credentials`",
    f"{SINK}'file:a.nq'\nmode = 'stat'": ':7:1: `mode` cannot be "stat": did you mean `state`?',
    f"{SINK}'file:a.nq'\nbatch = -1": ":7:1: `batch` must be a whole number from 0 on, not -1",
    f"{SINK}'gsp:http://a/'\ncredentials = 'no'": ":6:1: cannot read the credentials in `FOLDER/no`: "
    "No such file or directory",
    f"{SINK}'gsp:http://a/'\ncredentials = 'env:NO'": ":6:1: the environment variable `NO_USER` is not set",
}


@pytest.mark.parametrize("text", ONE_PROBLEM, ids=range(len(ONE_PROBLEM)))
def test_one_problem_at_its_place(folder: Path, text: str) -> None:
    assert problem_of(folder, text) == "p.toml" + ONE_PROBLEM[text].replace("FOLDER", str(folder))


def test_files_that_are_no_files(folder: Path) -> None:
    with pytest.raises(PipelineError, match=r"cannot read `.*nothing.toml`: No such file or directory"):
        load_pipeline(folder / "nothing.toml")
    with pytest.raises(PipelineError, match="Is a directory"):
        load_pipeline(folder)
    folder.joinpath("p.toml").write_bytes(b"# \xff\n")
    with pytest.raises(PipelineError, match="it is not UTF-8"):
        load_pipeline(folder / "p.toml")
    assert "nested too deeply" in problem_of(folder, "a = " + "[" * 100_000)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(folder: Path) -> None:
    folder.joinpath("log.trig").chmod(0)
    assert problem_of(folder, STREAM + PROGRAM).endswith("the file `log.trig` may not be read")


def test_windows_line_ends_and_a_byte_order_mark(folder: Path) -> None:
    file = folder / "p.toml"
    file.write_bytes(b"\xef\xbb\xbf" + (STREAM + PROGRAM).replace("\n", "\r\n").encode())
    load_pipeline(file)


VALUES = st.recursive(
    st.one_of(st.text(max_size=8), st.integers(), st.floats(), st.booleans(), st.datetimes()),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
KEYS = st.sampled_from(
    "clock origin start until base metadata_graph streams background ontology events programs sinks x".split()
)


@given(st.dictionaries(KEYS, VALUES, max_size=6))
def test_whatever_stands_in_a_file_is_no_crash(description: dict[str, object]) -> None:
    from laser_rdf.pipeline.toml_build import build_pipeline

    with pytest.raises(LaserError):
        build_pipeline(description, Path("/nowhere"), Problems())
