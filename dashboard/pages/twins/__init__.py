"""A benchmark against a second measurement of the same thing."""
