"""Contamination risk: a ladder of evidence from what could have been seen to what the scores themselves show."""
