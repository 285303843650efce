"""What is said of the items of a test: rows of `item_test` and its like as titles, tiles and limits."""
