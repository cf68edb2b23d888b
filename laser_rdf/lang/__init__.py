"""The rule language: text to syntax tree and back, and plain atom files."""

from laser_rdf.lang.ast import Program

__all__ = ["Program"]
