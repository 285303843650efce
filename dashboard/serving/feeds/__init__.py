"""Feeds by address: what changed, and one decision."""
