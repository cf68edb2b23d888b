"""Bad input is named with its place, and treated as the caller wants it."""

from __future__ import annotations

import contextlib
import gzip
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laser_rdf.errors import InputError, LaserError, UsageError
from laser_rdf.rdf import FORMATS, StreamReader, TimedGraph, read_stream, write_stream
from tests.rdf.graphs import PROV, ex, ox

P = f"<{PROV}>"
I = "^^<http://www.w3.org/2001/XMLSchema#integer>"  # noqa: E741


def outcome(data: bytes, form: str, **options: object) -> tuple[list[int], str]:
    """The times delivered, and the first line of the error."""
    times = []
    try:
        for graph in read_stream(data, form, name="log", **options):
            times.append(graph.time)
    except InputError as error:
        return times, str(error).splitlines()[0]
    return times, ""


def trig(*bodies: str) -> bytes:
    return "".join(
        f"<urn:g{n}> {P} {n} .\n<urn:g{n}> {{ {body} }}\n" for n, body in enumerate(bodies)
    ).encode()


def nquads(*bodies: str) -> bytes:
    return "".join(
        f'<urn:g{n}> {P} "{n}"{I} .\n<urn:a> <urn:p> <urn:b> <urn:g{n}> .\n{body} <urn:g{n}> .\n'
        for n, body in enumerate(bodies)
    ).encode()


def log(*bodies: str) -> bytes:
    return "".join(f"<urn:a> {P} {n} .\n{body}\n# @message\n" for n, body in enumerate(bodies)).encode()


def lines(*bodies: str) -> bytes:
    return "".join(
        f'{{"@id": "urn:a", "{PROV}": {n}, "urn:p": {body}}}\n' for n, body in enumerate(bodies)
    ).encode()


GOOD = "<urn:a> <urn:p> <urn:c>"
CASES = {
    "trig": (
        trig(GOOD, "<urn:a> oops <urn:c>", GOOD),
        "log:4:20: error[I101]: oops is not a valid predicate",
    ),
    "nquads": (nquads(GOOD, "<urn:a> oops <urn:c>", GOOD), "log:6:9: error[I101]"),
    "turtle-messages": (log(GOOD + ".", "<urn:a> oops <urn:c> .", GOOD + "."), "log:5:9: error[I101]"),
    "json-lines": (lines("1", "}", "2"), "log:2:"),
}


@pytest.mark.parametrize("form", CASES)
def test_a_syntax_error_is_located_and_what_is_before_it_delivered(form: str) -> None:
    data, message = CASES[form]
    times, error = outcome(data, form)
    assert times == [0]
    assert error.startswith(message)


@pytest.mark.parametrize("form", CASES)
def test_skip_goes_on_with_the_next_element_and_counts(form: str) -> None:
    reader = StreamReader(CASES[form][0], form, on_error="skip")
    assert [graph.time for graph in reader] == [0, 2]
    assert (reader.elements, reader.skipped) == (2, 1)


@pytest.mark.parametrize("form", CASES)
def test_quarantine_keeps_the_bytes(form: str, tmp_path: Path) -> None:
    place = tmp_path / "bad"
    for count in (1, 2):
        assert outcome(CASES[form][0], form, on_error=f"quarantine:{place}") == ([0, 2], "")
        assert len(list(place.glob("*.bin"))) == len(list(place.glob("*.txt"))) == count
    kept = (place / "00000001.bin").read_bytes()
    assert b"oops" in kept or b"}" in kept
    assert b"I101" in (place / "00000001.txt").read_bytes()


def test_the_quarantined_element_of_nquads_is_whole(tmp_path: Path) -> None:
    outcome(CASES["nquads"][0], "nquads", on_error=f"quarantine:{tmp_path}")
    assert (tmp_path / "00000001.bin").read_bytes() == b"".join(
        CASES["nquads"][0].splitlines(keepends=True)[3:6]
    )


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("<urn:g> {}", "log:1:1: error[I102]: an element without a time stamp"),
        (f"<urn:g> {P} 1, 2 . <urn:g> {{}}", "log:1:1: error[I103]: an element with two time stamps: "),
        (f"<urn:g> {P} 'soon' . <urn:g> {{}}", 'log:1:1: error[I104]: `"soon"` is not a time stamp'),
        (f"<urn:g> {P} <urn:x> . <urn:g> {{}}", "log:1:1: error[I104]"),
        (f"<urn:g> {P} {'9' * 19} . <urn:g> {{}}", "log:1:1: error[I104]"),
        (f"<urn:g> {P} {'9' * 5000} . <urn:g> {{}}", "log:1:1: error[I104]"),
        (
            f"<urn:g> {P} 2 .\n<urn:g> {{}}\n<urn:h> {P} 1 .\n<urn:h> {{}}",
            "log:3:1: error[I105]: time goes back",
        ),
    ],
)
def test_stamps_that_are_wrong(text: str, error: str) -> None:
    assert outcome(text.encode(), "trig")[1].startswith(error)
    assert outcome(text.encode(), "trig", on_error="skip")[1] == ""


def test_order_can_be_left_to_others() -> None:
    text = f"<urn:g> {P} 2 . <urn:g> {{}} <urn:h> {P} 1 . <urn:h> {{}}"
    assert outcome(text.encode(), "trig", ordered=False) == ([2, 1], "")


def test_truncated_and_corrupt_gzip(tmp_path: Path) -> None:
    whole = gzip.compress(trig(*[f"<urn:a> <urn:p> {n}" for n in range(2000)]))
    path = tmp_path / "log.trig.gz"
    path.write_bytes(whole[: len(whole) // 2])
    times = []
    stream = read_stream(path)
    with pytest.raises(InputError, match=r"I106.*truncated"):
        times.extend(graph.time for graph in stream)
    assert times == list(range(len(times)))
    assert len(times) > 100
    path.write_bytes(whole[:40] + b"\xff" * 40 + whole[80:])
    with pytest.raises(InputError, match="I106"):
        list(read_stream(path, on_error="skip"))


def test_a_broken_end_fails_whatever_the_policy() -> None:
    for bad in ("<urn:h> { <urn:a> ", "<urn:h> { <urn:a> <urn:b> 'x\n }", "<urn:h> } ", "'''", "MESSAGE\n"):
        times, error = outcome(trig(GOOD) + bad.encode(), "trig", on_error="skip")
        assert times == [0]
        assert error.startswith("log:3:"), error


GRAPHS = [
    TimedGraph(n, (ox.Triple(ex("a"), ex("p"), ox.Literal(f"XYZ{n}")),), name=ex(f"g{n}"))
    for n in range(3000)
]


def encoded(form: str, graphs: list[TimedGraph]) -> bytes:
    out = io.BytesIO()
    write_stream(graphs, out, form)
    return out.getvalue()


@pytest.mark.parametrize("form", FORMATS)
def test_truncated_gzip_in_every_format(form: str) -> None:
    whole = gzip.compress(encoded(form, GRAPHS))
    times, error = outcome(whole[: len(whole) // 2], form, on_error="skip")
    assert "error[I106]: cannot read on: the gzip file is truncated" in error
    assert times == list(range(len(times)))
    assert len(times) > 100


@pytest.mark.parametrize("form", FORMATS)
def test_invalid_utf8_in_every_format(form: str) -> None:
    data = encoded(form, GRAPHS[:5]).replace(b"XYZ2", b"X\xff\xfe2")
    times, error = outcome(data, form)
    assert times == [0, 1]
    assert "error[I101]" in error
    if form != "jelly":  # there nothing can be read after a frame that is wrong
        assert outcome(data, form, on_error="skip") == ([0, 1, 3, 4], "")


@pytest.mark.parametrize("form", [form for form in FORMATS if form != "jelly"])
@pytest.mark.parametrize(
    ("stamp", "code"), [("", "I102"), ("two", "I103"), ("soon", "I104"), ("1", "I105"), ("9" * 19, "I104")]
)
def test_wrong_stamps_in_every_format(form: str, stamp: str, code: str, tmp_path: Path) -> None:
    """The third element of five has the wrong stamp; it is named by its place and can be left out or kept."""
    data = encoded(form, [TimedGraph(g.time + 10, g.triples, name=g.name) for g in GRAPHS[:5]])
    if form == "json-lines":
        old = b'[{"@type":"http://www.w3.org/2001/XMLSchema#integer","@value":"12"}]'
        new = old.replace(b"12", stamp.encode())
        new = b"[" + old[1:-1] + b"," + old[1:-1].replace(b"12", b"13") + b"]" if stamp == "two" else new
        new = b"[]" if not stamp else new
    else:
        old = f'{P} "12"{I} .'.encode()
        new = old.replace(b"12", stamp.encode())
        subject = next(line for line in data.splitlines() if old in line).split()[0]
        new = old + b"\n" + subject + b" " + old.replace(b"12", b"13") if stamp == "two" else new
        new = b"<urn:x> <urn:y> ." if not stamp else new
        new = new if stamp else f"{P[:-1]}Not> <urn:z> .".encode()
    assert data.count(old) == 1, data
    data = data.replace(old, new)
    times, error = outcome(data, form)
    assert (times, f"error[{code}]" in error) == ([10, 11], True), error
    assert error.startswith("log:")
    assert outcome(data, form, on_error=f"quarantine:{tmp_path}") == ([10, 11, 13, 14], "")
    assert b"XYZ2" in (tmp_path / "00000001.bin").read_bytes()


def test_wrong_stamps_in_jelly() -> None:
    back = encoded("jelly", [TimedGraph(2), TimedGraph(1), TimedGraph(3)])
    assert outcome(back, "jelly")[1].startswith("log:2:1: error[I105]: frame 2: time goes back")
    assert outcome(back, "jelly", on_error="skip") == ([2, 3], "")
    unstamped = io.BytesIO()
    write_stream([TimedGraph(1, GRAPHS[0].triples)], unstamped, "jelly", stamp="urn:at")
    assert "error[I102]" in outcome(unstamped.getvalue(), "jelly")[1]


@pytest.mark.fuzz
@given(place=st.integers(0, 400), change=st.binary(max_size=4), cut=st.booleans())
def test_damaged_jelly_is_an_error_of_ours(place: int, change: bytes, cut: bool) -> None:
    data = encoded("jelly", GRAPHS[:5])
    damaged = data[:place] + change + (b"" if cut else data[place + len(change) :])
    with contextlib.suppress(LaserError):
        list(read_stream(damaged, "jelly"))


@pytest.mark.parametrize("form", FORMATS)
def test_an_endless_line_is_an_error(form: str) -> None:
    class Endless(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:
            return b'<urn:a> <urn:p> "' + b"x" * 1000 if size else b""

    with pytest.raises(InputError, match="I101" if form == "jelly" else "I107"):
        list(read_stream(Endless(), form, max_element=1 << 20))  # type: ignore[arg-type]


def test_deep_nesting_is_an_error_not_a_crash() -> None:
    depth = 100_000
    term = "<<( <urn:a> <urn:p> " * depth + "<urn:b>" + " )>>" * depth
    for data, form in (
        (trig(f"<urn:a> <urn:p> {term}"), "trig"),
        (nquads(f"<urn:a> <urn:p> {term}"), "nquads"),
    ):
        assert "error[I107]: triple terms nested" in outcome(data, form)[1]
    assert "I101" in outcome(b"[" * depth + b"]" * depth, "json-lines")[1]
    many = " , ".join(["<<( <urn:a> <urn:p> <urn:b> )>>"] * 1500)
    assert outcome(trig(f"<urn:a> <urn:p> {many}"), "trig") == ([0], "")


@pytest.mark.parametrize("context", ["http://example.org/c", "file:///etc/passwd", "c.jsonld"])
def test_contexts_are_not_fetched(context: str) -> None:
    text = f'{{"@context": "{context}", "@id": "urn:a", "{PROV}": 1}}'
    assert outcome(text.encode(), "json-lines")[1] != ""
    if ":" in context:
        assert "I108" in outcome(text.encode(), "json-lines")[1]


def test_what_cannot_be_asked_for(tmp_path: Path) -> None:
    (tmp_path / "a.xyz").write_bytes(b"")
    for call in (
        lambda: read_stream(tmp_path / "none.trig"),
        lambda: read_stream(tmp_path / "a.xyz"),
        lambda: read_stream("a\0b.trig"),
        lambda: read_stream(tmp_path, "trig", follow=True),
        lambda: read_stream(b"", "rdfxml"),
        lambda: read_stream(b"", "trig", on_error="quarantine:"),
        lambda: read_stream(b"", "trig", zone="Mars"),
        lambda: read_stream(b"", "trig", stamp=["no iri"]),
        lambda: read_stream(io.StringIO("<urn:a>"), "trig"),  # type: ignore[arg-type]
    ):
        with pytest.raises(UsageError):
            list(call())


_SCRAPS = st.sampled_from(
    [
        *'''{ } . ; , [ ] ( ) < > << >> <urn:g> <urn:a> ex:a ex: _:b "x" ' """ @en ^^ # @message MESSAGE
        @prefix PREFIX ex:<urn:e> 5 1.5 a true \\ {| |} ~ \x00 é VERSION "1.2-messages" {" :'''.split(),
        *("\n", " ", P, f"<urn:g> {P} 5 .\n", "<urn:g> { <urn:a> <urn:p> 1 }\n"),
    ]
)


@pytest.mark.fuzz
@given(
    scraps=st.lists(_SCRAPS, max_size=12),
    form=st.sampled_from(FORMATS),
    on_error=st.sampled_from(["fail", "skip"]),
)
def test_no_other_error_leaves(scraps: list[str], form: str, on_error: str) -> None:
    with contextlib.suppress(LaserError):
        list(read_stream(" ".join(scraps).encode(), form, on_error=on_error))


@pytest.mark.fuzz
@given(scraps=st.lists(_SCRAPS, max_size=12))
def test_what_pyoxigraph_accepts_is_accepted(scraps: list[str]) -> None:
    """Cutting changes nothing: a text that parses as a whole is never a syntax error."""
    import pyoxigraph as ox

    data = " ".join(scraps).encode()
    try:
        list(ox.parse(data, format=ox.RdfFormat.TRIG))
    except SyntaxError:
        return
    assert "I101" not in outcome(data, "trig")[1]
