"""Decide: which benchmark could carry a claim, and why not the others."""
