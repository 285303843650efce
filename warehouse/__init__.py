"""The only package that opens DuckDB: facts are appended, generations are published, readers read."""
