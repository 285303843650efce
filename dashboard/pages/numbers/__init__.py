"""Why two numbers of one model on one benchmark differ: all that stand, and in what each is unlike the first."""
