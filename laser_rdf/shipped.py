"""Files that travel with the package: vocabularies, and the programs and queries of the demo.

`vocab/` and `queries/` stand at the top of the repository. A wheel has them inside the package; a checkout,
also one that is installed as editable, has them beside it.
"""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path


def shipped(folder: str, *names: str) -> Traversable:
    """A file of `vocab` or `queries`.

    >>> shipped("vocab", "building.ttl").read_text(encoding="utf-8").splitlines()[1]
    '@prefix bld: <http://example.org/building#> .'
    """
    inside = files("laser_rdf").joinpath(folder)
    beside = Path(__file__).parents[1] / folder
    place: Traversable = inside if inside.is_dir() else beside
    return place.joinpath(*names)
