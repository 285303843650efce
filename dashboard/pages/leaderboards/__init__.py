"""Leaderboards: who was first when, and whether by more than error."""
