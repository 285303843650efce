"""Boards of many tasks: how far their order hangs on tasks, weights and who takes part."""
