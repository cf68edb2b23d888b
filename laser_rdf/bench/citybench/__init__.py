"""CityBench: its data, data of the same shape, and its twelve questions."""

from laser_rdf.bench.citybench.layout import CityBench, StreamFile, clock_of

__all__ = ["CityBench", "StreamFile", "clock_of"]
