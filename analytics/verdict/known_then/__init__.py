"""What a reader would have been told of each stage on days of the past, and what of it was taken back."""
