"""Words about models that answer the same items."""
