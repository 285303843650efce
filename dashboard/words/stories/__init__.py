"""The five stories in words: from numbers of published tables to sentences that need no statistics."""
