"""The registry of model cards: what its names of benchmarks mean, in mentions and in scores."""
