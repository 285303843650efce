"""What must be asked of the facts so that a home can be kept for years."""
