"""Files at addresses of their own: a zip of tables, a single file, a table of dated editions."""
