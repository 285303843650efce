"""Answers to the items of a test: the form in which they are saved, and how they are graded."""
