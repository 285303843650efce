"""Lakes for tests: a throw-away PostgreSQL, and what stands in for S3."""
