"""Rung 3: scores on dated items, before and after the end of a model's training data."""
