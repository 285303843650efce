"""What every page, route and printed report reads: the published generation, and the tables made from it."""
