"""What this generation says that the one before did not."""
