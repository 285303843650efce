"""Leaderboards: who was first when, and whether the errors carry it."""
