"""What happened to benchmarks."""
