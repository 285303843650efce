"""Models: where one stands on each benchmark against the best of its day, and where two differ beyond error."""
