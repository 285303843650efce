"""Composition root: settings, the clock, the command line; nightly = ingest, assess, publish."""

import os

# Read once, when polars is imported: memory that a step no longer needs goes back before the next one asks for more.
# Without this an assessment of two million results holds 5.7 GB at its end instead of 1.5.
os.environ.setdefault("_RJEM_MALLOC_CONF", "dirty_decay_ms:200,muzzy_decay_ms:0")
