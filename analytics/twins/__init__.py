"""Twins: two measurements of the same thing, the gap between them and the models off the expectation."""
