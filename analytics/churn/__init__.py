"""Rank churn: what happened to a leaderboard between two days, and how much of it noise explains."""
