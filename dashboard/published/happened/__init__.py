"""What changed: from generation to generation, and month by month."""
