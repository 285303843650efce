"""A story on paper."""
