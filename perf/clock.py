"""How long parts of one run take, by the clock and in processor time, and the most memory held meanwhile."""

import multiprocessing
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import ParamSpec, TypeVar

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def peak() -> int:
    """The most memory in bytes that this process held since `forget_peak`, or since it began."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))


def forget_peak() -> None:
    """Count the most memory from what is held now."""
    Path("/proc/self/clear_refs").write_text("5")


def apart(work: Callable[Arguments, Result], *arguments: Arguments.args, **named: Arguments.kwargs) -> Result:
    """What the work returns, done in a process of its own, so that memory counts from nothing."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as alone:
        return alone.submit(work, *arguments, **named).result()


@dataclass(frozen=True)
class Took:
    """Seconds by the clock and of all processors together, the most bytes held, and the rows worked on, if counted."""

    wall: float
    processor: float
    peak: int = 0
    rows: int | None = None

    def less(self, other: "Took") -> "Took":
        """What is left of this when the other is taken off."""
        return Took(self.wall - other.wall, self.processor - other.processor, self.peak)

    def __add__(self, other: "Took") -> "Took":
        return Took(
            self.wall + other.wall,
            self.processor + other.processor,
            max(self.peak, other.peak),
            self.rows or other.rows,
        )


@dataclass
class Clock:
    """Parts by name, in the order in which they ended; a part that runs twice is added up."""

    parts: dict[str, Took] = field(default_factory=dict)

    @contextmanager
    def part(self, name: str, rows: int | None = None) -> Iterator[None]:
        """Time what happens inside, and watch the memory; parts of a part are timed by `timed`."""
        forget_peak()
        wall, processor = time.perf_counter(), time.process_time()
        yield
        self._add(name, Took(time.perf_counter() - wall, time.process_time() - processor, peak(), rows))

    def timed(self, function: Callable[Arguments, Result], part: str) -> Callable[Arguments, Result]:
        """The function, with each of its calls counted in the part."""

        @wraps(function)
        def call(*arguments: Arguments.args, **named: Arguments.kwargs) -> Result:
            wall, processor = time.perf_counter(), time.process_time()
            result = function(*arguments, **named)
            self._add(part, Took(time.perf_counter() - wall, time.process_time() - processor))
            return result

        return call

    def _add(self, name: str, took: Took) -> None:
        self.parts[name] = self.parts[name] + took if name in self.parts else took
