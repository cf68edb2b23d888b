"""Where results go: files, triple stores, Python."""

from laser_rdf.stream.credentials import Credentials
from laser_rdf.stream.opening import KINDS, open_sink
from laser_rdf.stream.results import Change
from laser_rdf.stream.sink import Batches, Counters, Mode, Sink

__all__ = [
    "KINDS",
    "Batches",
    "Change",
    "Counters",
    "Credentials",
    "Mode",
    "Sink",
    "open_sink",
]
