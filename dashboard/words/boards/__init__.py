"""What is said of a leaderboard as a whole."""
