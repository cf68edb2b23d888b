"""Timed graphs → Jelly, one frame each; needs `laser-rdf[jelly]`.

Quads, in frames that are datasets: the stamp is in the default graph, as in message logs.
"""

from __future__ import annotations

import io
from typing import Any

import pyoxigraph as ox

from laser_rdf.errors import UsageError
from laser_rdf.rdf.timed_graph import TimedGraph

try:
    from pyjelly import jelly
    from pyjelly.options import LookupPreset, StreamParameters
    from pyjelly.serialize.encode import TermEncoder
    from pyjelly.serialize.flows import ManualFrameFlow
    from pyjelly.serialize.ioutils import write_delimited
    from pyjelly.serialize.streams import QuadStream, SerializerOptions
except ImportError as missing:  # pragma: no cover - the development environment has it
    raise UsageError("pyjelly is not installed: `pip install 'laser-rdf[jelly]'`") from missing


class JellyEncoder:
    """Encodes one stream: frames refer to the names and prefixes of frames before them.

    >>> stamp = b'_:e <http://example.org/at> "5" .'
    >>> len(JellyEncoder().encode(TimedGraph(5), stamp)) > 0
    True
    """

    def __init__(self) -> None:
        flow = ManualFrameFlow(logical_type=jelly.LOGICAL_STREAM_TYPE_DATASETS)
        options = SerializerOptions(flow=flow, params=StreamParameters(), lookup_preset=LookupPreset())
        self._stream = QuadStream(encoder=_Terms(lookup_preset=options.lookup_preset), options=options)

    def encode(self, graph: TimedGraph, stamp: bytes) -> bytes:
        """The frame of a graph whose stamp is given as N-Triples; UsageError for a triple term."""
        for triple in graph.triples:
            if isinstance(triple.object, ox.Triple) or getattr(triple.object, "direction", None) is not None:
                raise UsageError("cannot write this graph as Jelly: it has a triple term or a text direction")
        stream = self._stream
        stream.enroll()
        default, home = ox.DefaultGraph(), graph.name or ox.DefaultGraph()
        for s, p, o in (quad.triple for quad in ox.parse(stamp, format=ox.RdfFormat.N_TRIPLES)):
            stream.quad((s, p, o, default))
        for s, p, o in graph.triples:
            stream.quad((s, p, o, home))
        out = io.BytesIO()
        write_delimited(stream.flow.to_stream_frame(), out)
        return out.getvalue()


class _Terms(TermEncoder):  # type: ignore[misc]
    """Encodes pyoxigraph terms."""

    def encode_spo(self, term: Any, slot: Any, statement: Any) -> Any:
        """A subject, predicate or object."""
        match term:
            case ox.NamedNode():
                return self.encode_iri(term.value, self.get_iri_field(statement, slot))
            case ox.Literal():
                language = term.language
                return self.encode_literal(
                    lex=term.value,
                    language=language,
                    datatype=None if language else term.datatype.value,
                    literal=self.get_literal_field(statement, slot),
                )
            case ox.BlankNode():
                self.set_bnode_field(statement, slot, term.value)
                return ()
        return super().encode_spo(term, slot, statement)

    def encode_graph(self, term: Any, statement: Any) -> Any:
        """The name of a graph."""
        match term:
            case ox.NamedNode():
                return self.encode_iri(term.value, statement.g_iri)
            case ox.BlankNode():
                statement.g_bnode = term.value
                return ()
        return self.encode_default_graph(statement.g_default_graph)
