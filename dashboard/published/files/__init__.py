"""How what is published is written into files."""
