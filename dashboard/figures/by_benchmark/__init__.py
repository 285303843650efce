"""Charts of one row a benchmark: where one model stands, and two models beside each other."""
