"""What changes at the top of a leaderboard, how fast, and what it hangs on."""
