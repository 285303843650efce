"""What the first page says, in words: how many are in use and still measure, and three findings worth repeating."""
