"""Charts of evidence, of twins, and of what a ladder of tests found."""
