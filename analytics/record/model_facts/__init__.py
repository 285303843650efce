"""One value for each attribute of a model, out of what sources, curators and the maker's own name for it say."""
