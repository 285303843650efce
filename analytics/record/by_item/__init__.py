"""Results item by item, as the record holds them."""
