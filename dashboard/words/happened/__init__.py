"""What changed, in words: one change, and those of some months."""
