"""Composition root: settings, the clock, the command line; nightly = ingest, assess, publish."""

import os

# Read once, when polars is imported: memory that a step no longer needs goes back five seconds later, so that the next
# one need not ask the kernel for it again, and two arenas serve all threads. Without this an assessment of two million
# results holds 5.7 GB at its end instead of 1.9.
os.environ.setdefault("_RJEM_MALLOC_CONF", "narenas:2,dirty_decay_ms:5000,muzzy_decay_ms:0")
