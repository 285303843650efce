"""Decide: which benchmark could support a claim, and why not the others."""
