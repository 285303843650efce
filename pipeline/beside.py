"""A second process for half of an assessment, where somebody waits for it.

A night, which nobody waits for, does without: the process takes almost a gigabyte of memory. It takes two seconds to
start, so it is started before all else is imported.
"""

import gc
import multiprocessing
import os
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from importlib import import_module

APART = "analytics.apart"
ALLOCATOR = "_RJEM_MALLOC_CONF"
KEEPING_PAGES = "dirty_decay_ms:1000,muzzy_decay_ms:1000"
"""Memory goes back to the system after a second: fetching pages anew takes a tenth of the time if it goes at once.

That is how the allocator of polars is set up (jemalloc's `dirty_decay_ms`), unless somebody has set it otherwise.
"""


@contextmanager
def process() -> Iterator[Executor]:
    """One process, which begins at once to import what it will need.

    For it and for this one the allocator is told to keep its pages, which it reads when polars is first imported.
    Neither looks for cycles of garbage meanwhile, which takes a twelfth of the time: the memory held is the same.
    """
    os.environ.setdefault(ALLOCATOR, KEEPING_PAGES)
    spawned = multiprocessing.get_context("spawn")
    gc.disable()
    try:
        with ProcessPoolExecutor(1, mp_context=spawned, initializer=gc.disable) as alone:
            alone.submit(import_module, APART)
            yield alone
    finally:
        gc.enable()
