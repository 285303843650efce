"""Compare: the best scores of several benchmarks on one scale."""
