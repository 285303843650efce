"""What changed: from edition to edition, and month by month."""
