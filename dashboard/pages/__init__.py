"""One page a module, each independent of the others."""
