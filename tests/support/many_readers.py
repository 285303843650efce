"""Readers at once who open pages, change what is chosen, download and come back, whatever happens to the server.

Each is a session over Streamlit's own protocol, without a browser (`perf.protocol`). What they did, what went wrong and
how much memory the server's processes held is noted in `ReadingLog`.
"""

import asyncio
import random
import statistics
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from benchhealth.dashboard.pages import PAGES
from perf.protocol import Answered, Reader
from perf.readers import STAGES, Server

PATIENCE = 120.0
"""Seconds that an answer may take: a busy machine is no error."""

SAMPLED_EVERY = 2.0
"""Seconds between two looks at the memory of the server's processes."""

ROUTES = ("/readyz", "/meta.json", "/_stcore/health")
"""What machines ask for beside the readers."""


@dataclass
class ReadingLog:
    """What many readers went through: runs of pages, sessions, answers of routes, errors, and the memory meanwhile.

    `memory` are megabytes held by all processes of the server together, at even distances.
    """

    runs: int = 0
    sessions: int = 0
    answers: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    memory: list[float] = field(default_factory=list)

    def growth(self) -> float:
        """How much more is held in the last third of the time than in the middle one: 0.02 is two percent more."""
        third = len(self.memory) // 3
        middle, last = (statistics.median(part) for part in (self.memory[third:-third], self.memory[-third:]))
        return last / middle - 1

    def __str__(self) -> str:
        wrong = ", ".join(f"{times} x {error}" for error, times in self.errors.most_common(5)) or "no error"
        return (
            f"{self.sessions} sessions, {self.runs} runs of pages, {self.answers} answers to machines, {wrong}; "
            f"memory {max(self.memory):.0f} MB at most, last third {self.growth():+.1%} of the middle one"
        )


@dataclass(frozen=True)
class Crowd:
    """How many read at `address`, how many seconds each thinks, and after how many runs a session is begun anew."""

    address: str
    readers: int
    think: float
    runs: int = 8


async def read(
    crowd: Crowd, seconds: float, chance: random.Random, log: ReadingLog, servers: Sequence[Server] = ()
) -> None:
    """All of them read for so long. Nothing is raised: what goes wrong is counted in `log.errors`."""
    until = time.monotonic() + seconds
    seeds = [chance.random() for _ in range(crowd.readers)]
    await asyncio.gather(
        *(_read_as_one(crowd, until, random.Random(seed), log) for seed in seeds),
        _machine(crowd, until, log),
        _watch(servers, until, log),
    )


async def _read_as_one(crowd: Crowd, until: float, chance: random.Random, log: ReadingLog) -> None:
    await asyncio.sleep(chance.uniform(0, crowd.think))
    while time.monotonic() < until:
        page = chance.choice(PAGES).url_path
        try:
            async with Reader(crowd.address, page) as reader:
                log.sessions += 1
                for change in _changes(reader, page, crowd, chance):
                    await asyncio.wait_for(change(), PATIENCE)
                    log.runs += 1
                    await asyncio.sleep(chance.uniform(0.5, 1.5) * crowd.think)
                    if time.monotonic() > until:
                        return
        except Exception as error:
            log.errors[f"{page or 'map'}: {type(error).__name__}: {error}"[:300]] += 1
            await asyncio.sleep(crowd.think)


def _changes(
    reader: Reader, page: str, crowd: Crowd, chance: random.Random
) -> Iterator[Callable[[], Coroutine[None, None, Answered]]]:
    """The first view, and what is changed on it, some times."""
    yield reader.visit
    for _ in range(chance.randint(1, crowd.runs)):
        yield reader.visit if page else partial(reader.pick, STAGES, chance.randrange(5))


async def _machine(crowd: Crowd, until: float, log: ReadingLog) -> None:
    while time.monotonic() < until:
        for route in ROUTES:
            try:
                await asyncio.to_thread(_asked, crowd.address + route)
                log.answers += 1
            except OSError as error:
                log.errors[f"{route}: {error}"] += 1
        await asyncio.sleep(crowd.think)


def _asked(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
        body: bytes = answer.read()
    return body


async def _watch(servers: Iterable[Server], until: float, log: ReadingLog) -> None:
    while time.monotonic() < until:
        log.memory.append(sum(server.memory() for server in servers))
        await asyncio.sleep(SAMPLED_EVERY)


async def beside(reading: Coroutine[None, None, None], disturb: Callable[[], None]) -> int:
    """Disturb again and again, in a thread, until all was read; returns how often. Raises what `disturb` does."""
    task = asyncio.create_task(reading)
    times = 0
    while not task.done():
        await asyncio.to_thread(disturb)
        times += 1
    await task
    return times
