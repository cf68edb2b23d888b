"""The annotation engine as a Python program uses it: step by step, with answers and explanations."""

from laser_rdf.reasoning.engine import Answer, Engine
from laser_rdf.reasoning.explanation import Explanation
from laser_rdf.reasoning.inputs import Fact
from laser_rdf.reasoning.statistics import Statistics

__all__ = ["Answer", "Engine", "Explanation", "Fact", "Statistics"]
