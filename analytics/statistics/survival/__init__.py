"""How long things last: the survivor function, and what changes the hazard."""
