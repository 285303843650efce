"""Answers in words: a row of the table `answer` as a tile, a line, a paragraph, an alt text and a spoken sentence."""
