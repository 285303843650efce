"""Leaderboards as a whole: what a table says of each, with the names that words need."""
