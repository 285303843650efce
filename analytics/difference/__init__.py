"""Whether the difference of two scores is more than chance."""
