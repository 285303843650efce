"""The words of who measures: houses, years, blind spots, and in what numbers differ."""
