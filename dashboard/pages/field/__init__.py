"""The field as a whole: how long benchmarks last, and what happens to a measure that is optimised for."""
