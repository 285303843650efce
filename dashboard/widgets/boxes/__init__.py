"""Boxes in which readers ask something of their own, and the doors of pages on which nothing is chosen."""
