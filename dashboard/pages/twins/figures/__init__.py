"""Figures of the twins page."""
