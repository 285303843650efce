"""What is written into figures: names that can be told apart, and the numbers of axes."""
