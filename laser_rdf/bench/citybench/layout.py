"""A directory of CityBench: streams in, timed graphs out, with the repository as background.

    DIR/streams/*.stream     CSV, one row per observation
    DIR/dataset/             SensorRepository.n3, AarhusCulturalEvents.n3, …, trafficMetaData.csv
    DIR/ontology/            city.n3, ces.n3, ssn.owl

Row *k* of a stream is at origin + *k* / rate. The times that are recorded in the streams are data: they do
not even overlap.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path

import pyoxigraph as ox

from laser_rdf.bench.citybench.observations import (
    GARAGE,
    KINDS,
    LOCATION_COLUMNS,
    PARKING,
    Kind,
    Service,
    located,
    measured,
)
from laser_rdf.bench.citybench.rows import (
    BadCell,
    Row,
    cells_of,
    columns_of,
    decoded_lines,
    header_of,
    places_of,
)
from laser_rdf.bench.citybench.vocabulary import CT, OBSERVES, SERVICE, TYPE
from laser_rdf.errors import InputError, UsageError, escape_control
from laser_rdf.rdf import TimedGraph
from laser_rdf.rdf.documents import read_document
from laser_rdf.rdf.problems import Policy
from laser_rdf.values import Clock

REPOSITORY = "SensorRepository.n3"
METADATA = "trafficMetaData.csv"
_DOCUMENTS = (".n3", ".ttl", ".nt", ".owl", ".rdf")
_STREAM = ".stream"
_NAME = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True, slots=True)
class StreamFile:
    """A stream of the directory: `AarhusTrafficData158505` is `streams/AarhusTrafficData158505.stream`."""

    name: str
    path: Path


def clock_of(rate: float) -> Clock:
    """The clock under which rows at a rate (per second) have time points of their own, one second at most.

    Windows of whole seconds are whole numbers of its time points.

    >>> clock_of(1).unit_ms, clock_of(100).unit_ms, clock_of(3).unit_ms, clock_of(0.1).unit_ms
    (1000, 10, 250, 1000)
    """
    between = max(Fraction(1), 1000 / exact(rate))
    return Clock(next(unit for unit in range(1000, 0, -1) if 1000 % unit == 0 and unit <= between))


def exact(rate: float) -> Fraction:
    """A rate as people write it: 0.1 is a tenth.

    >>> exact(0.1)
    Fraction(1, 10)
    """
    try:
        found = Fraction(str(rate))
    except ValueError:
        found = Fraction(0)
    if found <= 0:
        raise UsageError(f"`{rate}` is no rate: write how many rows come in a second, more than none")
    return found


class CityBench:
    """The data of a directory; wrong rows are skipped and counted, or with `strict` an InputError."""

    def __init__(self, directory: str | Path, *, strict: bool = False) -> None:
        self.directory = Path(directory)
        self.policy = Policy("fail" if strict else "skip")
        for needed in (self.directory / "streams", self.directory / "dataset" / REPOSITORY):
            if not needed.exists():
                raise UsageError(
                    f"`{escape_control(str(directory))}` is no CityBench directory: "
                    f"there is no `{needed.relative_to(self.directory)}`"
                )

    @property
    def skipped(self) -> int:
        """How many rows were left out because they are wrong; `policy.last` is the last error."""
        return self.policy.skipped

    def streams(self) -> dict[str, StreamFile]:
        """The streams by name."""
        paths = sorted((self.directory / "streams").glob("*" + _STREAM))
        return {path.stem: StreamFile(path.stem, path) for path in paths if _NAME.fullmatch(path.stem)}

    def documents(self) -> list[Path]:
        """The files of the background: the repository, the listings of events."""
        return _documents(self.directory / "dataset")

    def background(self) -> Iterator[ox.Triple]:
        """What the documents of the background say."""
        for path in self.documents():
            yield from read_document(path)

    def ontology_files(self) -> list[Path]:
        """The ontologies; none if the directory has none."""
        return _documents(self.directory / "ontology")

    @cached_property
    def services(self) -> dict[str, Service]:
        """What each service observes, as the repository says; properties in the order of their IRIs."""
        observes: dict[str, list[ox.NamedNode]] = {}
        classes: dict[object, str] = {}
        for triple in read_document(self.directory / "dataset" / REPOSITORY):
            s, p, o = triple
            if not isinstance(s, ox.NamedNode) or not isinstance(o, ox.NamedNode):
                continue
            if p == OBSERVES and s.value.startswith(SERVICE):
                observes.setdefault(s.value.removeprefix(SERVICE), []).append(o)
            elif p == TYPE and o.value.startswith(CT):
                classes[s] = o.value.removeprefix(CT)
        return {
            name: Service(
                ox.NamedNode(SERVICE + name),
                tuple((p, classes[p]) for p in sorted(set(found), key=lambda p: p.value) if p in classes),
            )
            for name, found in observes.items()
        }

    @cached_property
    def distances(self) -> dict[str, float]:
        """How long the road of each report is, in metres."""
        path = self.directory / "dataset" / METADATA
        columns = columns_of(path)
        report, metres = places_of(path, columns, ("REPORT_ID", "DISTANCE_IN_METERS"))
        found: dict[str, float] = {}
        for row in self._rows(path, columns):
            try:
                found[row.cells[report].strip()] = float(row.cells[metres])
            except ValueError:
                problem = BadCell("DISTANCE_IN_METERS", "it is no number", "write how many metres")
                self.policy.report(row.error(path, problem, columns), ())
        return found

    def elements(
        self,
        name: str,
        rate: float = 1.0,
        origin: int | Fraction = 0,
        limit: int | None = None,
        clock: Clock | None = None,
    ) -> Iterator[TimedGraph]:
        """The rows of a stream as graphs: row *k* at `origin` + *k* / `rate` seconds, `limit` rows at most.

        `clock` turns seconds into time points; without one it is `clock_of(rate)`. A row that is skipped
        leaves its place empty.
        """
        step, ticks = 1 / exact(rate), clock or clock_of(rate)
        if name not in self.streams():
            raise UsageError(f"there is no stream `{escape_control(name)}` in `{self.directory}`")
        path = self.streams()[name].path
        columns, triples_of = self._reading(name, path)
        for row in self._rows(path, columns):
            if limit is not None and row.number >= limit:
                return
            try:
                triples = triples_of(row)
            except BadCell as problem:
                self.policy.report(row.error(path, problem, columns), ())
                continue
            moment = origin + row.number * step
            graph = ox.NamedNode(f"{SERVICE}{name}-{row.number:08d}")
            yield TimedGraph(
                ticks.time_point(moment), tuple(triples), moment, graph, source=f"{path}:{row.line}"
            )

    # --- inside ----------------------------------------------------------------------------------------

    def _reading(self, name: str, path: Path) -> tuple[tuple[str, ...], Callable[[Row], list[ox.Triple]]]:
        """The columns of a stream, and how its rows become triples."""
        service = self.services.get(name)
        if "|" in header_of(path):
            user = self._service(name, service)
            return LOCATION_COLUMNS, lambda row: located(user, row.number, row.cells)
        columns = columns_of(path)
        kind = _kind_of(path, columns)
        places = places_of(path, columns, kind.columns)
        # One file may hold the rows of all car parks: each row says of which it is.
        of_garages = service is None and kind is PARKING
        fixed = None if of_garages else self._service(name, service)

        def triples_of(row: Row) -> list[ox.Triple]:
            cells = [row.cells[place] for place in places]
            return measured(kind, fixed or self._garage(name, cells), row.number, cells, self.distances)

        return columns, triples_of

    def _service(self, name: str, service: Service | None) -> Service:
        if service is None:
            raise UsageError(f"{REPOSITORY} does not say what the service `{escape_control(name)}` observes")
        return service

    def _garage(self, name: str, cells: list[str]) -> Service:
        service = self.services.get(name + cells[GARAGE].strip())
        if service is None:
            raise BadCell("garagecode", f"no car park of {REPOSITORY}", "write the code of one that is there")
        return service

    def _rows(self, path: Path, columns: tuple[str, ...]) -> Iterator[Row]:
        """The rows below the header; those of another number of cells are reported."""
        has_header = columns is not LOCATION_COLUMNS
        for line, text in decoded_lines(path):
            if has_header and line == 1:
                continue
            number = line - 1 - has_header
            if isinstance(text, InputError):
                self.policy.report(text, ())
            elif text.strip():
                cells = text.replace("|", ",", 1).split(",") if not has_header else None
                try:
                    row = Row(number, line, text, tuple(cells_of(text) if cells is None else cells))
                except BadCell as problem:
                    self.policy.report(Row(number, line, text, ()).error(path, problem, columns), ())
                    continue
                if len(row.cells) == len(columns):
                    yield row
                else:
                    message = f"{len(row.cells)} cells where there are {len(columns)} columns"
                    wrong = BadCell("", message, f"the columns are {', '.join(columns)}")
                    self.policy.report(row.error(path, wrong, columns), ())


def _kind_of(path: Path, columns: tuple[str, ...]) -> Kind:
    """The kind whose columns are there; of the nearest one, the column that is missing is named."""

    def missing(kind: Kind) -> int:
        return sum(1 for name in kind.columns if name not in columns)

    kind = min(KINDS, key=missing)
    places_of(path, columns, kind.columns)
    return kind


def _documents(directory: Path) -> list[Path]:
    try:
        return sorted(path for path in directory.iterdir() if path.suffix in _DOCUMENTS)
    except OSError:
        return []
