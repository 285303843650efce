"""Figures that more than one page or the printed report draws, and what all figures share."""
