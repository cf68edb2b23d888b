"""Background documents in every format, and what is wrong with some."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from laser_rdf.errors import InputError, UsageError
from laser_rdf.rdf.documents import imports_of, read_document
from tests.rdf.graphs import ex, ox

TRIPLE = ox.Triple(ex("a"), ex("p"), ox.Literal("é"))
XML = """<?xml version="1.0"?>
<!DOCTYPE rdf:RDF [ <!ENTITY e "http://example.org/"> ]>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://example.org/">
<rdf:Description rdf:about="&e;a"><e:p>é</e:p></rdf:Description></rdf:RDF>"""
TEXTS = {
    "a.ttl": '<http://example.org/a> <http://example.org/p> "é" .',
    "a.nt": '<http://example.org/a> <http://example.org/p> "é" .',
    "a.n3": '<http://example.org/a> <http://example.org/p> "é" .',
    "a.rdf": XML,
    "a.owl": XML,
    "turtle.owl": '<http://example.org/a> <http://example.org/p> "é" .',
    "a.jsonld": '{"@id": "http://example.org/a", "http://example.org/p": "é"}',
    "a.trig": '<urn:g> { <http://example.org/a> <http://example.org/p> "é" }',
    "a.nq": '<http://example.org/a> <http://example.org/p> "é" <urn:g> .',
}


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("zipped", [False, True])
def test_every_format_is_read(name: str, zipped: bool, tmp_path: Path) -> None:
    data = TEXTS[name].encode()
    path = tmp_path / (name + ".gz" if zipped else name)
    path.write_bytes(gzip.compress(data) if zipped else data)
    assert list(read_document(path)) == [TRIPLE]


def test_blank_nodes_of_two_files_are_two_and_have_the_same_names_in_every_run(tmp_path: Path) -> None:
    for name in ("one.ttl", "two.ttl"):
        (tmp_path / name).write_text("_:b <urn:p> [ <urn:q> _:b ] .")
    nodes = [{t.subject for t in read_document(tmp_path / name)} for name in ("one.ttl", "two.ttl")]
    assert all(len(found) == 2 for found in nodes)
    assert not nodes[0] & nodes[1]
    assert nodes[0] == {t.subject for t in read_document(tmp_path / "one.ttl")}


def test_relative_names_do_not_depend_on_the_machine(tmp_path: Path) -> None:
    (tmp_path / "rooms.ttl").write_text("<#hall> <#in> <> .")
    assert [str(t) for t in read_document(tmp_path / "rooms.ttl")] == [
        "<file:///rooms.ttl#hall> <file:///rooms.ttl#in> <file:///rooms.ttl>"
    ]


def test_imports_are_listed() -> None:
    text = b"<urn:o> <http://www.w3.org/2002/07/owl#imports> <http://example.org/other> ."
    assert imports_of(read_document(text, "turtle")) == ["http://example.org/other"]


def test_a_syntax_error_has_its_place_in_a_long_file(tmp_path: Path) -> None:
    path = tmp_path / "long.ttl"
    good = "<urn:a> <urn:p> <urn:b> .\n"
    path.write_text(good * 5000 + "<urn:a> oops <urn:b> .\n" + good * 5000)
    with pytest.raises(InputError, match=r"long\.ttl:5001:9: error\[I101\]: oops is not") as caught:
        list(read_document(path))
    assert "5001 | <urn:a> oops <urn:b> ." in str(caught.value)


BOMB = (
    '<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa">'
    + "".join(f'<!ENTITY a{i} "{f"&a{i - 1 or str()};" * 10}">' for i in range(1, 12))
    + "]>"
)


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("a.rdf", BOMB + "<x>&a9;</x>", "I107"),
        ("a.rdf", '<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>', "I107"),
        ("a.rdf", f'<!DOCTYPE r [<!ENTITY a "{"a" * 600}">]><x>&a;</x>', "I107"),
        ("a.jsonld", '{"@context": "http://example.org/context", "a": 1}', "I108"),
        ("a.ttl", b'<urn:a> <urn:p> "\xff" .', "I101"),
        ("a.ttl.gz", gzip.compress(b"<urn:a> <urn:p> <urn:b> .\n" * 100_000)[:-20], "I106"),
    ],
)
def test_what_is_wrong_is_said(name: str, data: str | bytes, code: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(data.encode() if isinstance(data, str) else data)
    with pytest.raises(InputError) as caught:
        list(read_document(tmp_path / name))
    assert caught.value.diagnostic.code == code


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        list(read_document(tmp_path / "missing.ttl"))
    (tmp_path / "a.txt").write_text("")
    with pytest.raises(UsageError, match="does not follow from its name"):
        list(read_document(tmp_path / "a.txt"))
    with pytest.raises(UsageError, match="no format of documents"):
        list(read_document(b"", "text"))
