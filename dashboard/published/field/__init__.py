"""What holds of all benchmarks together: read for the Field page, and for the findings of the first page."""
