"""The decision desk in words: the question, its answer, the cards, and why not the others."""
