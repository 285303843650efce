"""One upstream a module: `parse(body, path)` turns bytes into raw rows and does nothing else."""
