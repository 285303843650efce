"""What a generation says that the one before did not."""
