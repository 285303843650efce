"""Sentences on what optimising does to a measurement, each from rows of numbers."""
