"""One answer to each question about each benchmark, in codes and numbers, for every surface to print."""
