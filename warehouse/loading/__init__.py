"""From stored facts to the frames that analytics reads."""
