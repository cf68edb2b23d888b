"""RDF at the edges: timed graphs in and out, terms ↔ integers."""

from laser_rdf.rdf.interner import Interner, Symbol, Value, from_value, ox_term, term_of, to_value
from laser_rdf.rdf.reading import FORMATS, StreamReader, from_python, merge_streams, read_stream
from laser_rdf.rdf.timed_graph import TimedGraph
from laser_rdf.rdf.writing import WRITE_FORMATS, StreamWriter, write_stream

__all__ = [
    "FORMATS",
    "WRITE_FORMATS",
    "Interner",
    "StreamReader",
    "StreamWriter",
    "Symbol",
    "TimedGraph",
    "Value",
    "from_python",
    "from_value",
    "merge_streams",
    "ox_term",
    "read_stream",
    "term_of",
    "to_value",
    "write_stream",
]
