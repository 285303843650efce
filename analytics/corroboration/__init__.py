"""Corroboration: which best scores somebody else than the maker has measured, and how far claims run ahead."""
