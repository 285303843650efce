"""Search: benchmarks, models, leaderboards and sources by name."""
