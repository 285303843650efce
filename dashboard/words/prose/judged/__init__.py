"""What verdicts say: their reasons, since when they hold, and which ceiling they read."""
