"""The stage that a reader would have read on days of the past, and which of these were taken back."""
