"""One search over all that has a page, and what a word that finds little may have meant."""
