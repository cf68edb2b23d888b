"""The rdflib plugins `laser-stream`: a parser and a serializer of timed graphs.

    Dataset().parse("log.trig", format="laser-stream")
    dataset.serialize("log.trig", format="laser-stream")

They are found through entry points, also by their media type. Both take `stream_format`, one of the stream
formats (without one the parser goes by the name of the file, else by TriG; the serializer writes TriG), and
the options `stamp`, `clock` and `zone`; the parser takes all of `StreamReader`.
"""

from __future__ import annotations

from typing import IO, Any

import pyoxigraph as ox
import rdflib
from rdflib.graph import DATASET_DEFAULT_GRAPH_ID
from rdflib.parser import InputSource, Parser
from rdflib.serializer import Serializer

from laser_rdf.errors import UsageError
from laser_rdf.rdf.plugin_datasets import from_dataset, other_triples, to_dataset
from laser_rdf.rdf.reading import StreamReader, format_of_name
from laser_rdf.rdf.stamps import PROV_GENERATED_AT_TIME
from laser_rdf.rdf.writing import StreamWriter

NAME = "laser-stream"
MEDIA_TYPE = "application/vnd.laser-stream+trig"


class LaserStreamParser(Parser):
    """Reads a stream into a dataset: each timed graph is a named graph, its stamp is in the default graph.

    >>> text = '<urn:g> <http://www.w3.org/ns/prov#generatedAtTime> 36 . <urn:g> { <urn:a> <urn:p> 1 }'
    >>> dataset = rdflib.Dataset().parse(data=text, format="laser-stream")
    >>> len(dataset.graph(rdflib.URIRef("urn:g")))
    1
    """

    def parse(
        self, source: InputSource, sink: rdflib.Graph, stream_format: str | None = None, **options: Any
    ) -> None:
        """Read the source into the dataset of which the sink is the default graph."""
        if not isinstance(sink, rdflib.Dataset) and sink.identifier != DATASET_DEFAULT_GRAPH_ID:
            raise UsageError("a stream is more than one graph: parse it into an rdflib.Dataset")
        dataset = sink if isinstance(sink, rdflib.Dataset) else rdflib.Dataset(store=sink.store)
        file: Any = source.getByteStream()
        if file is None:
            raise UsageError("a stream is read from bytes, not from text that is decoded already")
        name = str(getattr(getattr(source, "file", None), "name", None) or source.getPublicId() or "<data>")
        if stream_format is None and format_of_name(name) is None:
            stream_format = "trig"
        stamps = options.get("stamp")
        reader = StreamReader(file, stream_format, name=name, **options)
        stamp = stamps if isinstance(stamps, str) else PROV_GENERATED_AT_TIME
        to_dataset(reader, dataset, stream=name, stamp=stamp)


class LaserStreamSerializer(Serializer):
    """Writes the named graphs of a dataset by time.

    >>> dataset = rdflib.Dataset()
    >>> _ = dataset.add((rdflib.URIRef("urn:g"), rdflib.PROV.generatedAtTime, rdflib.Literal(36)))
    >>> _ = dataset.graph(rdflib.URIRef("urn:g"))
    >>> print(dataset.serialize(format="laser-stream").splitlines()[-2])
    <urn:g> {
    """

    def serialize(
        self, stream: IO[bytes], base: str | None = None, encoding: str | None = None, **options: Any
    ) -> None:
        """Write the dataset; what its default graph says besides stamps comes first."""
        if not isinstance(self.store, rdflib.Dataset):
            raise UsageError("a stream is more than one graph: serialize an rdflib.Dataset")
        if encoding not in (None, "utf-8", "UTF-8", "utf8"):
            raise UsageError("streams are written in UTF-8 only")
        form = options.pop("stream_format", "trig")
        stamp = options.get("stamp", PROV_GENERATED_AT_TIME)
        graphs = from_dataset(self.store, **options)
        others = other_triples(self.store, stamp)
        if others and form not in ("trig", "nquads"):
            raise UsageError(f"`{form}` has no place for what the default graph says besides time stamps")
        with StreamWriter(stream, form, stamp=stamp) as writer:
            if others:
                stream.write(ox.serialize(others, format=ox.RdfFormat.N_TRIPLES) or b"")
            for graph in graphs:
                writer.write(graph)
