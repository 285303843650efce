"""Published tables written into files."""
