"""Where facts lie: in a DuckDB file of the home, or in a lake that several runs write into."""
