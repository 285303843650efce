"""Work within bounds: processor time and memory, so that a busy machine is no failure and an endless loop is one."""

import resource
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class TooSlowError(AssertionError):
    """Something took more processor time than it may."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise TooSlowError in the block once it has used so many seconds of processor time. For the main thread."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise TooSlowError(f"more than {seconds:g} s of processor time")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def used() -> float:
    """Seconds of processor time that this process has used."""
    return time.process_time()


def most_memory() -> float:
    """Megabytes that this process held at most until now."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
