"""The five stories, each in five pictures."""
