"""Boxes in which readers ask something of their own."""
