"""laser-rdf: rules over RDF streams.

>>> from laser_rdf import Program
>>> print(Program.parse("hot(X) :- temp(X, V) in [5 min], V > 60."), end="")
hot(X) :- temp(X, V) in [5 min], V > 60 .
"""

from laser_rdf.errors import EvaluationError, InputError, LaserError, ProgramError, UsageError
from laser_rdf.lang import Program
from laser_rdf.reasoning import Answer, Engine
from laser_rdf.version import VERSION

__version__ = VERSION

__all__ = [
    "Answer",
    "Engine",
    "EvaluationError",
    "InputError",
    "LaserError",
    "Program",
    "ProgramError",
    "UsageError",
    "__version__",
]
