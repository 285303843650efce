"""One benchmark: verdict, curve, leaderboard, evidence, forecast and indicators."""
