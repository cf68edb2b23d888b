"""The slow evaluator that is right by definition."""

from laser_rdf.reference.evaluator import MAX_DERIVATIONS, ReferenceAnswer, ReferenceEvaluator

__all__ = ["MAX_DERIVATIONS", "ReferenceAnswer", "ReferenceEvaluator"]
