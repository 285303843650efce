"""How errors change because models answer the same items, measured where the items are known."""
