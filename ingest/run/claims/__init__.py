"""What a source claims beside results: which benchmarks documents mention, which names are one, what models cost."""
