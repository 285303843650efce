"""The sentences on a whole leaderboard."""
