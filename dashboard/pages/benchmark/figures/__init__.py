"""The charts of a benchmark."""
