"""What happened, by the day on which it did: the changes of any month, whatever earlier editions said."""
