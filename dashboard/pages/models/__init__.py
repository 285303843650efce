"""Models: where one stands on each benchmark against the best of its day, and which benchmarks tell two apart."""
