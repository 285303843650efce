"""Aging: how long benchmarks last, which end sooner, and scores by the age of items."""
