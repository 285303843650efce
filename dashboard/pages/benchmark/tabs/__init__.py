"""What stands below the first screen of a benchmark, one module a tab."""
