"""Figures of the overview."""
