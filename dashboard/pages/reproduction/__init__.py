"""Published claims computed again from the data here."""
