"""The decision desk read from a generation: the question of an address, its answer, and the panel of models."""
