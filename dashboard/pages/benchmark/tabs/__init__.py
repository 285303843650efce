"""The tabs below the first screen of a benchmark, one module each."""
