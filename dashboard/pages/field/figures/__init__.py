"""Charts of the lives of benchmarks, and of what optimising does to them."""
