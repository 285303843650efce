"""What is independent of what: items that models share, families of models, draws, and what so few of them can show."""
