"""Commands that answer one question about what somebody names or brings."""
