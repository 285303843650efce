"""Which benchmarks' items models may have seen: six kinds of evidence, second measurements, and one model's own."""
