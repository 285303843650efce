"""How long benchmarks last, what they die of, and scores by the age of their items."""
