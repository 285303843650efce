"""Copies: which standing rows are one number that several places print, and who measured it."""
