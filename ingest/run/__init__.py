"""What a run does: find new versions, save, parse, resolve, hold back what drifted, store."""
