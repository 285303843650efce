"""The verdict card in words: nine questions to every benchmark, each with a word, a number and a line of evidence."""
