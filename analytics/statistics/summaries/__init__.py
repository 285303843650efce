"""What is said of many numbers in one: a median with its interval, how much of a table is one direction."""
