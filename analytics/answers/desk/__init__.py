"""The decision desk: which benchmarks could carry a claim, for whom, and the first reason against the others."""
