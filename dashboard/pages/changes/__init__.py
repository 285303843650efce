"""What is new in this generation against the one before."""
