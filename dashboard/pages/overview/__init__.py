"""All benchmarks at a glance: their stages, flags and the newest of each."""
