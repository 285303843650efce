"""How long parts of one run take, by the clock and in processor time."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import ParamSpec, TypeVar

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Took:
    """Seconds by the clock and of all processors together, and the rows worked on where they count."""

    wall: float
    processor: float
    rows: int | None = None

    def less(self, other: "Took") -> "Took":
        """What is left of this when the other is taken off."""
        return Took(self.wall - other.wall, self.processor - other.processor)

    def __add__(self, other: "Took") -> "Took":
        return Took(self.wall + other.wall, self.processor + other.processor, self.rows)


@dataclass
class Clock:
    """Parts by name, in the order in which they ended; a part that runs twice is added up."""

    parts: dict[str, Took] = field(default_factory=dict)

    @contextmanager
    def part(self, name: str, rows: int | None = None) -> Iterator[None]:
        """Time what happens inside."""
        wall, processor = time.perf_counter(), time.process_time()
        yield
        took = Took(time.perf_counter() - wall, time.process_time() - processor, rows)
        self.parts[name] = self.parts[name] + took if name in self.parts else took

    def timed(self, function: Callable[Arguments, Result], part: str) -> Callable[Arguments, Result]:
        """The function, with each of its calls counted in the part."""

        def call(*arguments: Arguments.args, **named: Arguments.kwargs) -> Result:
            with self.part(part):
                return function(*arguments, **named)

        return call
