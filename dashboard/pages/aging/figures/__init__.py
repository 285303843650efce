"""Figures of the aging page."""
