"""Composition root: settings, the clock, the command line; nightly = ingest, assess, publish."""
