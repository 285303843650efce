"""What it does to errors that models answer the same items: measured where the items are known."""
