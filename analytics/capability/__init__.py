"""Capability of models and difficulty of benchmarks on one scale, stitched from scores on different benchmarks."""
