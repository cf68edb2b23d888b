"""`bench dotr`: the default scenario of the DOTR paper, where its time goes, and what it depends on.

options ─► for each series: scenarios whose pipelines run in turns over the same stream ─► Report

A pipeline gets its elements from a generator that reads the stream's text and notes, at each element, the
clock and what the phases have taken so far: from one note to the next is the work for one graph.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from tempfile import TemporaryDirectory
from time import perf_counter_ns

from laser_rdf.bench import dotr_scenario as data
from laser_rdf.bench.dotr_scenario import ANY, EACH, IN_QUERIES, IN_RULES, LAST, SELECTIONS, WITHIN, Scenario
from laser_rdf.bench.report import Report, Row
from laser_rdf.check import Mentions
from laser_rdf.entail import Enricher
from laser_rdf.errors import LaserError
from laser_rdf.lang.ast import Program
from laser_rdf.pipeline import Pipeline
from laser_rdf.pipeline.phases import PHASES
from laser_rdf.rdf import Interner, TimedGraph, read_stream
from laser_rdf.rdf.event_engine import EventEngine
from laser_rdf.rdf.event_query import EventQuery
from laser_rdf.rdf.mapping import GraphMapping, interned
from laser_rdf.reasoning.inputs import Element

BACKGROUNDS = (1_000, 10_000, 100_000, 1_000_000)
RULES = (1, 10, 100, 1_000)
DATALOG = (1, 10, 100, 1_000)
LENGTHS = (2, 3, 4)
GRAPHS, ROUNDS = 200, 3
QUICK_BACKGROUNDS, QUICK_RULES, QUICK_DATALOG, QUICK_LENGTHS = (1_000, 10_000), (1, 10, 100), (1, 10), (2, 3)
QUICK_GRAPHS, QUICK_ROUNDS = 100, 2

LIMIT_DEFAULT, LIMIT_FLAT, MANY, LIMIT_MANY = 2.0, 1.5, 1_000, 15.0
CTRL_C = "Ctrl-C"
QUERIES, REST, TOTAL = "queries", "rest", "total"

PAPER = (
    ("ontological reasoning", "enrich", 1.96),
    ("query evaluation", QUERIES, 7.56),
    ("input translation", "map", 0.19),
    ("event processing", "evaluate", 2.01),
    ("output translation", "emit", 0.17),
    ("knowledge update", None, 0.20),
    ("(not listed)", "read", None),
    ("(not listed)", "write", None),
    ("(not listed)", REST, None),
    ("total", TOTAL, 12.09),
)
"""What the paper lists, our phase for it, and the paper's milliseconds per graph."""

Progress = Callable[[int, int, str], None]
Took = dict[str, float]
"""Milliseconds per graph by phase, with `queries` and what belongs to no phase apart, and all together."""


@dataclass(frozen=True, slots=True)
class Options:
    """What to vary, and how long to measure."""

    backgrounds: tuple[int, ...] = BACKGROUNDS
    rules: tuple[int, ...] = RULES
    datalog: tuple[int, ...] = DATALOG
    lengths: tuple[int, ...] = LENGTHS
    graphs: int = GRAPHS
    rounds: int = ROUNDS
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Series:
    """Scenarios that are measured in turns and make one table."""

    section: str
    scenarios: tuple[Scenario, ...]


def plan(options: Options) -> list[Series]:
    """What is measured.

    >>> [(series.section, len(series.scenarios)) for series in plan(Options(rules=(1, 10)))]
    [('dotr_default', 3), ('dotr_background', 4), ('dotr_rules', 8), ('dotr_datalog', 4), ('dotr_length', 6)]
    """
    usual = Scenario()
    return [
        Series("dotr_default", tuple(replace(usual, selection=each) for each in SELECTIONS)),
        Series("dotr_background", tuple(replace(usual, background=size) for size in options.backgrounds)),
        Series(
            "dotr_rules",
            tuple(
                replace(usual, rules=number, selection=selection, filters=filters)
                for number in options.rules
                for selection in (ANY, LAST)
                for filters in (IN_QUERIES, IN_RULES)
            ),
        ),
        Series("dotr_datalog", tuple(replace(usual, datalog=number) for number in options.datalog)),
        Series(
            "dotr_length",
            tuple(
                replace(usual, length=length, selection=selection)
                for length in options.lengths
                for selection in (LAST, EACH)
            ),
        ),
    ]


def run(options: Options, progress: Progress = lambda done, total, label: None) -> Report:
    """Measure every series; stopped by Ctrl-C or a failure, the report has what was measured until then."""
    report = Report("dotr", options=asdict(options))
    series = plan(options)
    total = sum(len(each.scenarios) for each in series)
    done = 0
    try:
        for each in series:
            found = []
            for group in _in_turns(each):
                progress(done, total, each.section.removeprefix("dotr_"))
                found += list(zip(group, measure(group, options), strict=True))
                done += len(group)
            for row in rows_of(each.section, found):
                report.add(each.section, row)
        for row in targets(report.sections):
            report.add("dotr_targets", row)
    except KeyboardInterrupt:
        report.stopped_by = CTRL_C
    except LaserError as failure:
        report.stopped_by = str(failure)
    progress(done, total, "")
    return report


def _in_turns(series: Series) -> Iterator[tuple[Scenario, ...]]:
    """Those of a series that are compared with each other closely; a thousand rules take long to build."""
    if series.section in ("dotr_default", "dotr_background"):
        yield series.scenarios
    else:
        yield from ((scenario,) for scenario in series.scenarios)


def measure(scenarios: Sequence[Scenario], options: Options) -> list[Took]:
    """Milliseconds per graph of some scenarios that take turns; each graph counts at its best round."""
    # Not measured: the graphs until the longest window is full.
    warm_up = WITHIN * (max(scenario.length for scenario in scenarios) - 1) + 1
    measured = slice(warm_up, warm_up + options.graphs)
    log = data.stream(warm_up + options.graphs + 1, options.seed)
    queries = [
        [EventQuery.parse(name, query) for name, query in data.queries(scenario).items()]
        for scenario in scenarios
    ]
    best: list[list[list[int]]] = [[] for _ in scenarios]
    asked: list[list[int]] = [[] for _ in scenarios]
    for _ in range(options.rounds):
        for place, scenario in enumerate(scenarios):
            notes = noted(scenario, queries[place], log)[measured]
            best[place] = list(map(min, best[place] or notes, notes))
            took = queried(scenario, queries[place], log)[measured]
            asked[place] = list(map(min, asked[place] or took, took))
    return [_per_graph(notes, took) for notes, took in zip(best, asked, strict=True)]


def _per_graph(notes: list[list[int]], asked: list[int]) -> Took:
    """Averages; what queries take was measured apart and lies inside `map`.

    >>> found = _per_graph([[100_000, 1000, 2000, 50_000, 20_000, 3000, 4000]], [30_000])
    >>> round(found["map"], 3), round(found["rest"], 3)
    (0.02, 0.02)
    """
    graphs = len(notes)
    total, *phases = (sum(column) / graphs / 1e6 for column in zip(*notes, strict=True))
    took = dict(zip(PHASES, phases, strict=True))
    found = {**took, QUERIES: min(sum(asked) / graphs / 1e6, took["map"]), REST: total - sum(phases)}
    found["map"] = took["map"] - found[QUERIES]
    return {**found, TOTAL: total, "p99": sorted(note[0] for note in notes)[int(0.99 * graphs)] / 1e6}


def noted(scenario: Scenario, queries: Sequence[EventQuery], log: bytes) -> list[list[int]]:
    """Run the pipeline over a log: nanoseconds of each graph, in all and by phase."""
    notes: list[list[int]] = []
    spent: list[Mapping[str, int]] = []

    def watched() -> Iterator[TimedGraph]:
        for graph in read_stream(log, "trig"):
            notes.append([perf_counter_ns(), *spent[0].values()])
            yield graph

    with TemporaryDirectory() as folder:
        pipeline = pipeline_of(scenario, queries, watched())
        pipeline.sink(f"file:{folder}/results.nq")
        spent.append(pipeline.phases.spent)
        try:
            pipeline.run()
        finally:
            gc.unfreeze()  # what the pipeline has frozen would stay for ever
    del pipeline
    gc.collect()
    return [
        [after - before for before, after in zip(one, other, strict=True)] for one, other in pairwise(notes)
    ]


def pipeline_of(
    scenario: Scenario, queries: Sequence[EventQuery], elements: Iterator[TimedGraph]
) -> Pipeline:
    """The scenario as a pipeline."""
    pipeline = Pipeline()
    pipeline.stream("readings", elements)
    pipeline.background(data.background(scenario.background))
    # `full`: the paper's system derives everything, also what no rule reads.
    pipeline.ontology(profile="none", rules=Program.parse(data.datalog(scenario.datalog)), full=True)
    for query in queries:
        pipeline.event(query.name, query)
    pipeline.register("ce", Program.parse(data.program(scenario)))
    return pipeline


def queried(scenario: Scenario, queries: Sequence[EventQuery], log: bytes) -> list[int]:
    """Nanoseconds that the event queries take for each graph of a log, by themselves.

    In a pipeline they are a part of the phase `map`.
    """
    terms = Interner()
    # Attributes of sensors are left out: no query looks at them.
    places = interned(data.background(0), terms)
    rules = Program.parse(data.datalog(scenario.datalog))
    enricher = Enricher(terms, places, "none", rules=rules)
    mentions = Mentions()
    for query in queries:
        mentions |= query.mentions()
    mapping = GraphMapping(terms, mentions)
    engine = EventEngine(queries, terms, mapping.batches_of_values(enricher.background_triples()))
    took = []
    for graph in read_stream(log, "trig"):
        elements: list[Element] = [("readings", mapping.batches(graph.triples))]
        began = perf_counter_ns()
        engine.at(elements)
        took.append(perf_counter_ns() - began)
    return took


def rows_of(section: str, found: Sequence[tuple[Scenario, Took]]) -> list[Row]:
    """A section of the report."""
    if section == "dotr_default":
        return [_part(name, phase, paper, found) for name, phase, paper in PAPER]
    keys = {
        "dotr_background": ("background",),
        "dotr_rules": ("rules", "selection", "filters"),
        "dotr_datalog": ("datalog",),
        "dotr_length": ("length", "selection"),
    }[section]
    order = ("read", "enrich", "map", QUERIES, "evaluate", "emit", "write", REST, TOTAL, "p99")
    return [
        {key: getattr(scenario, key) for key in keys} | {f"{part}_ms": round(took[part], 4) for part in order}
        for scenario, took in found
    ]


def _part(name: str, phase: str | None, paper: float | None, found: Sequence[tuple[Scenario, Took]]) -> Row:
    row: Row = {"in_the_paper": name, "paper_ms": "–" if paper is None else paper, "here": phase or "–"}
    for scenario, took in found:
        row[f"{scenario.selection}_ms"] = "–" if phase is None else round(took[phase], 4)
    return row


def targets(sections: Mapping[str, Sequence[Row]]) -> list[Row]:
    """What the project has promised, and what was measured.

    >>> targets({"dotr_background": [{"total_ms": 0.2}, {"total_ms": 0.25}], "dotr_rules": []})[-1]
    {'target': 'largest : smallest time over backgrounds', 'limit': 1.5, 'measured': 1.25, 'met': 'yes'}
    """
    found = [
        ("default scenario, any, ms", LIMIT_DEFAULT, row["any_ms"])
        for row in sections.get("dotr_default", ())
        if row["here"] == TOTAL
    ]
    if sizes := [row["total_ms"] for row in sections.get("dotr_background", ())]:
        found.append(
            ("largest : smallest time over backgrounds", LIMIT_FLAT, round(max(sizes) / min(sizes), 3))
        )
    for row in sections.get("dotr_rules", ()):
        if row["rules"] == MANY:
            name = f"{MANY:,} rules, {row['selection']}, thresholds in {row['filters']}, ms"
            found.append((name, LIMIT_MANY, row["total_ms"]))
    return [
        {"target": name, "limit": limit, "measured": figure, "met": "yes" if figure < limit else "no"}
        for name, limit, figure in found
    ]
