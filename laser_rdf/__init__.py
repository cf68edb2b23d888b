"""laser-rdf: rules over RDF streams.

>>> from laser_rdf import Program
>>> print(Program.parse("hot(X) :- temp(X, V) in [5 min], V > 60."), end="")
hot(X) :- temp(X, V) in [5 min], V > 60 .
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from laser_rdf.errors import (
    EvaluationError,
    InputError,
    LaserError,
    PipelineError,
    ProgramError,
    SinkError,
    UsageError,
)
from laser_rdf.version import VERSION

if TYPE_CHECKING:
    from laser_rdf.lang import Program
    from laser_rdf.pipeline import Pipeline, Summary
    from laser_rdf.rdf import TimedGraph, read_stream, write_stream
    from laser_rdf.reasoning import Answer, Engine, Explanation, Statistics

__version__ = VERSION

# Loaded when first asked for, so that a command that needs none of them starts at once.
_LATER = {
    "Answer": "laser_rdf.reasoning",
    "Engine": "laser_rdf.reasoning",
    "Explanation": "laser_rdf.reasoning",
    "Pipeline": "laser_rdf.pipeline",
    "Program": "laser_rdf.lang",
    "Statistics": "laser_rdf.reasoning",
    "Summary": "laser_rdf.pipeline",
    "TimedGraph": "laser_rdf.rdf",
    "read_stream": "laser_rdf.rdf",
    "write_stream": "laser_rdf.rdf",
}


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(import_module(_LATER[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "Answer",
    "Engine",
    "EvaluationError",
    "Explanation",
    "InputError",
    "LaserError",
    "Pipeline",
    "PipelineError",
    "Program",
    "ProgramError",
    "SinkError",
    "Statistics",
    "Summary",
    "TimedGraph",
    "UsageError",
    "__version__",
    "read_stream",
    "write_stream",
]
