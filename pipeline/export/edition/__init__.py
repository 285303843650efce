"""The edition of a month: what was known at its end, as files that are kept for ever, described and citable."""
