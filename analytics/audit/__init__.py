"""Anybody's leaderboard: read from the file that somebody has, and held to the card of every board here."""
