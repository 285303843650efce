"""What speaks for a benchmark having been seen in training, rung by rung."""
