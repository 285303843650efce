"""Which results count: what their source holds to be true now, and which of them may be compared."""
