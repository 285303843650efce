"""Who is who among benchmarks and boards: one id for one benchmark, one history for a board that moved house."""
