"""Generations at an object address (S3 and what speaks like it), so that replicas need no shared disk."""
