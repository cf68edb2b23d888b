"""Benchmarks: workloads, hand-written loops beside them, reports. Run from the command line."""
