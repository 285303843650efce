"""How sure a verdict is: its stage over draws of what is uncertain, and how such shares have fared."""
