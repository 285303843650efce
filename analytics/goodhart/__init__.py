"""Goodhart effects: what becomes of a measurement that is optimised for. One file for each measure."""
