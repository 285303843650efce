"""Where a model stands: on each benchmark against the best of its day and of today, overall, and beside another."""
