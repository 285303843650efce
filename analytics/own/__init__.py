"""Imported results beside the public ones: rows of their own in the tables, and no other row is changed."""
