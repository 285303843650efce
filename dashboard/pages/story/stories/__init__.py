"""One declaration a story: what its frames are made of."""
