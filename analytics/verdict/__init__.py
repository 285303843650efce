"""Verdicts: indicators to stage, flags and reasons, by rules with thresholds."""
