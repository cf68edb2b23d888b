"""Results into a SPARQL store, and asked back: a server (`pip install oxigraph`), or one in this process."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import httpx
import pyoxigraph as ox

from laser_rdf.lang import Program
from laser_rdf.pipeline import Pipeline

RULES = "PREFIX ex: <http://example.org/> ex:hot(S, V) :- ex:celsius(S, V), V > 60."
STREAM = b"""PREFIX : <http://example.org/> PREFIX prov: <http://www.w3.org/ns/prov#>
:g1 prov:generatedAtTime 1 . :g1 { :s1 :celsius 65 }   :g2 prov:generatedAtTime 2 . :g2 { :s1 :celsius 20 }
:g3 prov:generatedAtTime 3 . :g3 { :s2 :celsius 99 }"""
QUERY = """SELECT ?t ?s ?v WHERE {
  GRAPH ?g { ?s <http://example.org/hot> ?v . ?g <urn:laser:vocab:timePoint> ?t } } ORDER BY ?t"""


def run(sink: str) -> None:
    pipeline = Pipeline()
    pipeline.stream("readings", STREAM, format="trig")
    pipeline.register("hot", Program.parse(RULES))
    pipeline.sink(sink)
    pipeline.run()


def on_a_server(command: str, directory: Path) -> bytes:
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"127.0.0.1:{free.getsockname()[1]}"
    words = [command, "serve", "--location", str(directory), "--bind", address]
    server = subprocess.Popen(words, stderr=subprocess.DEVNULL)
    try:
        with httpx.Client(transport=httpx.HTTPTransport(retries=8), trust_env=False) as client:
            client.get(f"http://{address}/")  # waits until it answers
            run(f"sparql:http://{address}/update")
            headers = {"Accept": "text/tab-separated-values"}
            return client.get(f"http://{address}/query", params={"query": QUERY}, headers=headers).content
    finally:
        server.terminate()
        server.wait()


with tempfile.TemporaryDirectory() as place:
    if command := shutil.which("oxigraph", path=f"{sys.exec_prefix}/bin{os.pathsep}{os.environ['PATH']}"):
        found = on_a_server(command, Path(place))
    else:
        print("no `oxigraph` command: using a store in this process instead", file=sys.stderr)
        run(f"oxigraph:{place}/store")
        found = ox.Store.read_only(f"{place}/store").query(QUERY).serialize(format=ox.QueryResultsFormat.TSV)
print(found.decode().strip())
