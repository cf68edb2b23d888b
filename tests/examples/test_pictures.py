"""The pictures of the documents: well-formed, self-contained, and described for those who do not see them."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

PICTURES = sorted((Path(__file__).parents[2] / "docs" / "pictures").glob("*.svg"))
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.name)
def test_a_picture(path: Path) -> None:
    picture = ElementTree.parse(path).getroot()
    assert picture.tag == f"{SVG}svg"
    assert picture.findtext(f"{SVG}title")
    assert picture.findtext(f"{SVG}desc")
    style = picture.findtext(f"{SVG}style") or ""
    assert "prefers-color-scheme: dark" in style
    assert "href" not in path.read_text(encoding="utf-8"), "nothing is fetched"


def test_there_is_one() -> None:
    assert PICTURES
