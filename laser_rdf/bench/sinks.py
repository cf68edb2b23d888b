"""How fast results go into files and stores: ten-triple graphs, four triples about each of them.

`python -m laser_rdf.bench.sinks` writes into files, an embedded store and an Oxigraph server that it starts
(if the `oxigraph` package is there); with `--sink` into the sinks that are named. The time is that of the
clock on the wall, because most of it is spent in the store.
"""

from __future__ import annotations

import argparse
import json
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pyoxigraph as ox

from laser_rdf.errors import LaserError, SinkError
from laser_rdf.rdf.emit_graph import Emission, Origin, ResultGraph
from laser_rdf.stream import open_sink

Row = dict[str, str | int | float]

GRAPHS, ROUNDS = 10_000, 3
START_SECONDS = 30.0
FILES = ("out.trig", "out.nq", "out.jsonl", "out.trig.gz")
_EX = "http://example.org/"
_XSD = "http://www.w3.org/2001/XMLSchema#"


def results(graphs: int) -> list[ResultGraph]:
    """Result graphs of ten triples each.

    >>> len(results(2)[1].statements)
    10
    """
    origin = Origin(ox.NamedNode(f"{_EX}program/jams"), Emission.INSERTIONS)
    return [
        ResultGraph(f"{_EX}result/{n}", n, n, [_statement(n, part) for part in range(10)], origin)
        for n in range(graphs)
    ]


def _statement(n: int, part: int) -> str:
    subject = f"<{_EX}observation/{(n + part // 5) % 2000}> <{_EX}vocab#p{part % 5}>"
    match part % 5:
        case 0:
            return f"{subject} <{_EX}road/{n % 97}>"
        case 1:
            return f'{subject} "{n % 40}.5"^^<{_XSD}decimal>'
        case 2:
            return f'{subject} "vehicle {n}"'
        case _:
            return f'{subject} "{n * part}"^^<{_XSD}integer>'


@contextmanager
def oxigraph_server() -> Iterator[str | None]:
    """An Oxigraph server with an empty store; None if it is not installed."""
    beside = Path(sys.executable).with_name("oxigraph")
    program = str(beside) if beside.exists() else shutil.which("oxigraph")
    if program is None:
        yield None
        return
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "serve", "--location", folder, "--bind", f"127.0.0.1:{port}"]
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603
        try:
            _wait(f"sparql:http://127.0.0.1:{port}/update")
            yield f"http://127.0.0.1:{port}"
        finally:
            server.kill()
            server.wait()


def _wait(target: str) -> None:
    end = time.monotonic() + START_SECONDS
    while True:
        with open_sink(target) as sink:
            try:
                sink.check()
                return
            except SinkError:
                if time.monotonic() > end:
                    raise
        time.sleep(0.02)


def measure(target: str, graphs: list[ResultGraph], rounds: int) -> Row:
    """Graphs per second, in the first round, into new graphs, and in the best of those that overwrite them.

    >>> with tempfile.TemporaryDirectory() as folder:
    ...     measure(f"file:{folder}/out.nq", results(3), 2)["triples"]
    30
    """
    rates = []
    for _ in range(rounds):
        with open_sink(target) as sink:
            sink.check()
            began = time.perf_counter()
            for graph in graphs:
                sink.write(graph)
            sink.flush()
            rates.append(len(graphs) / (time.perf_counter() - began))
    return {
        "sink": target,
        "first": round(rates[0]),
        "again": round(max(rates[1:], default=0)),
        "triples": sink.counters.triples,
        "requests": sink.counters.requests,
        "bytes": sink.counters.bytes,
    }


def main(arguments: list[str] | None = None) -> int:
    """Measure and print a line for each sink."""
    parser = argparse.ArgumentParser(prog="python -m laser_rdf.bench.sinks", description=__doc__)
    parser.add_argument("--graphs", type=int, default=GRAPHS, help="graphs per round (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="rounds (default: %(default)s)")
    parser.add_argument("--sink", action="append", help="a sink to write into, instead of the usual ones")
    parser.add_argument("--json", action="store_true", help="print JSON, a line for each sink")
    options = parser.parse_args(arguments)
    graphs = results(options.graphs)
    if not options.json:
        print(f"{'sink':<44}{'graphs/s, new':>16}{'overwritten':>14}{'requests':>10}")
    with ExitStack() as stack:
        targets = options.sink or _usual(stack)
        for target in targets:
            try:
                row = measure(target, graphs, options.rounds)
            except LaserError as error:
                print(f"{target}: {error}", file=sys.stderr)
                return 1
            if options.json:
                print(json.dumps(row))
            else:
                kind, _, place = target.partition(":")
                shown = f"{kind}:…/{place.rpartition('/')[2]}"
                print(f"{shown:<44}{row['first']:>16}{row['again']:>14}{row['requests']:>10}", flush=True)
    return 0


def _usual(stack: ExitStack) -> list[str]:
    folder = stack.enter_context(tempfile.TemporaryDirectory())
    server = stack.enter_context(oxigraph_server())
    targets = [f"file:{folder}/{name}" for name in FILES]
    targets.append(f"oxigraph:{folder}/store")
    if server is not None:
        targets += [f"sparql:{server}/update", f"gsp:{server}/store"]
    return targets


if __name__ == "__main__":
    sys.exit(main())
