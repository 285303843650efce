"""What is wrong with a home, and how to mend it: one module for each kind of check."""
