"""What a score on the original leads to expect on the twin: the scale, the line, and whether both fit."""
