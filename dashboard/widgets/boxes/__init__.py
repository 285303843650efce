"""Boxes in which readers ask something of their own, and examples where nothing is chosen yet."""
