"""Is there room left? Indicators of headroom, resolution, growth, staleness and who still reports."""
