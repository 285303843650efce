"""Open data out of the home: the published tables as files, and the newest results as Every Eval Ever records."""
