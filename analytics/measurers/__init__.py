"""Who measured models that are not its own, where nobody did, and why numbers of one model differ."""
