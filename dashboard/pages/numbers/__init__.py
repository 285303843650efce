"""Why two numbers of one model on one benchmark differ: all current numbers, and how each differs from the first."""
