"""What is made to be printed or sent on: reports, and the card of anybody's leaderboard."""
