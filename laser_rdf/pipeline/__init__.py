"""The pipeline: streams, background, ontologies, programs and sinks put together."""

from laser_rdf.pipeline.pipeline import Pipeline
from laser_rdf.pipeline.summary import Summary

__all__ = ["Pipeline", "Summary"]
