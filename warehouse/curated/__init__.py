"""How the files of data/registry are read and checked, and those about who is who among benchmarks and boards."""
