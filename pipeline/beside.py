"""A second process for half of an assessment; it takes two seconds to start, so it is started before all else."""

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
