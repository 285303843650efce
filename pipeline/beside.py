"""A second process for half of an assessment, where somebody waits for it.

A night, which nobody waits for, does without: the process takes almost a gigabyte of memory. It takes two seconds to
start, so it is started before all else is imported.
"""

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from importlib import import_module


@contextmanager
def process() -> Iterator[Executor]:
    """One process, which begins at once to import what an assessment needs."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as alone:
        alone.submit(import_module, "analytics.assess")
        yield alone
