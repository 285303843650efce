"""What of a generation may leave this machine: whose word each row rests on, and the rule of each table."""
