"""How fast benchhealth is, as ratios within one run: what ten times the results cost. Run by `make bench`."""
