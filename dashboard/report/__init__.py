"""A health report to read and to print: two pages on one benchmark or on a field of them, as HTML or PDF."""
