"""How a test is kept fresh, and what benchmarks that are renewed show beside those that never change."""
