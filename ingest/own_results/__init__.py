"""What users bring: their own results, read whole or refused whole."""
