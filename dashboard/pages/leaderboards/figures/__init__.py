"""Figures of the leaderboards page."""
