"""A health report of chosen benchmarks or of a domain, to read here and to download."""
