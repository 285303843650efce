"""Methods without a subject: regression, rank agreement, survival curves, false discovery, errors and intervals."""
