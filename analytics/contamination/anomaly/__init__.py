"""Rung 6: scores on benchmarks that a model may have seen, held against those on benchmarks it cannot have seen."""
