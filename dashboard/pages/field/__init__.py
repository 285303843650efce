"""What holds of the whole field: how long benchmarks last, and what becomes of a measure that is optimised for."""
