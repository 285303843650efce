"""Readers at once, and what a run of each page costs beside a bare page of one chart, over Streamlit's own protocol.

`python -m perf.readers` serves the first generation and the bare page (`bare.py`), each in a process of its own, opens
pages, changes what is chosen on them and prints, for each: the processor time of a run of the page script and its ratio
to the bare page's, the bytes over the socket, and the server's memory. `--load` goes on with readers at once, who think
between two changes: percentiles of what they wait.
"""

import argparse
import asyncio
import os
import random
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

from perf.protocol import Answered, Reader

MOST_TIMES = 3.0
"""A filter of the map may cost so many times a run of the bare page, in processor time."""

MOST_TIMES_OF_PAGE = 5.0
"""And so many times another page."""

MOST_FIRST = 300_000
"""Bytes over the socket of a first view."""

MOST_MEMORY = 700.0
"""Megabytes that a server may hold."""

RUNS = 40
"""Runs of a page that are measured."""

LOADS = ((50, 3.0, 1), (200, 6.0, 2))
"""Readers at once, the seconds that each thinks, and the processes that serve them."""

WARM = 0.4
"""The share of the time in which what can be chosen is drawn for the first time: not counted among what was waited."""

STAGES = "stage_box"
_TICKS = os.sysconf("SC_CLK_TCK")

Change = Callable[[Reader, int], Awaitable[Answered]]


@dataclass(frozen=True)
class Server:
    """A process that serves, and its address."""

    address: str
    process: int

    def processor(self) -> float:
        """Seconds of processor time until now."""
        fields = Path(f"/proc/{self.process}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS

    def memory(self, field: str = "VmRSS") -> float:
        """Megabytes held now, or with VmHWM the most ever."""
        lines = Path(f"/proc/{self.process}/status").read_text().splitlines()
        return next(int(line.split()[1]) / 1e3 for line in lines if line.startswith(f"{field}:"))


@dataclass(frozen=True)
class Visited:
    """A page: its first view in a server that has shown it before, and the runs that followed."""

    page: str
    first: Answered
    fresh: float
    processor: float
    waited: float
    wire: float


@dataclass(frozen=True)
class Load:
    """Readers at once: how many, seconds of thinking, processes, and the seconds that each change took."""

    readers: int
    think: float
    processes: int
    waited: Sequence[float]
    memory: float
    processor: float

    def line(self) -> str:
        """Percentiles of what readers waited, in milliseconds."""
        middle, late, last = (percentile(self.waited, share) * 1e3 for share in (0.5, 0.95, 0.99))
        return (
            f"{f'{self.readers} readers, {self.think:g} s thinking':<34}{self.processes:>10}{len(self.waited):>9,}"
            f"{middle:>9,.0f}{late:>9,.0f}{last:>9,.0f}{self.processor:>11.0%}{self.memory:>9,.0f}"
            f"{' !' if self.memory > MOST_MEMORY else ''}"
        )


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which this share of them lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


async def _another_stage(reader: Reader, place: int) -> Answered:
    return await reader.pick(STAGES, place)


def _another(name: str, values: Sequence[str]) -> Change:
    """The address with another value, as a link within the page has."""

    async def change(reader: Reader, place: int) -> Answered:
        return await reader.visit(**{name: values[place % len(values)]})

    return change


BENCHMARKS = ("mmlu", "gsm8k", "gpqa-diamond", "humaneval", "imagenet")
MODELS = ("claude-opus-4-5-20251101", "gpt-5-mini-2025-08-07", "claude-3-opus-20240229")
STORIES = ("imagenet", "swe-bench-verified", "lmarena", "gsm8k", "gpqa-diamond")


class Measured(NamedTuple):
    """A page, what its address asks for all the time, and what is changed on it."""

    page: str
    change: Change
    asked: Mapping[str, str] = {}

    @property
    def title(self) -> str:
        """As the table names it: the page, and the tab that is open."""
        return f"{self.page}, {self.asked['tab']}" if "tab" in self.asked else self.page


PAGES: Sequence[Measured] = (
    Measured("benchmark", _another("benchmark", BENCHMARKS)),
    Measured("benchmark", _another("benchmark", BENCHMARKS), {"tab": "Items"}),
    Measured("benchmark", _another("benchmark", BENCHMARKS), {"tab": "Life"}),
    Measured(
        "compare", _another("benchmarks", ("mmlu,gpqa-diamond", "gsm8k,math-500", "humaneval,swe-bench-verified"))
    ),
    Measured("models", _another("model", MODELS)),
    Measured("leaderboards", _another("k", ("5", "10", "20"))),
    Measured("decide", _another("domain", ("code", "vision", "agents"))),
    Measured("story", _another("story", STORIES)),
    Measured("trust", _another("benchmark", BENCHMARKS)),
    Measured("field", _another("chart", ("survival", "pressure", ""))),
)
"""The pages beside the map, and what is changed on each."""


@contextmanager
def served(code: str) -> Iterator[Server]:
    """A server of its own, on a free port: `code` serves on `port`."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-c", f"port = {port}\n{code}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    address = f"http://127.0.0.1:{port}"
    try:
        _wait(f"{address}/_stcore/health", process)
        yield Server(address, process.pid)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=30)


def _wait(address: str, process: "subprocess.Popen[bytes]") -> None:
    for _ in range(600):
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"nothing is served at {address}")


def dashboard(home: Path) -> str:
    """What serves the dashboard over a home."""
    imports = "from pathlib import Path\nfrom benchhealth.dashboard.serving.server import serve"
    return f"{imports}\nserve(Path({str(home)!r}), port)"


def bare() -> str:
    """What serves the bare page, with the options of the dashboard."""
    script = Path(__file__).with_name("bare.py")
    return (
        "import streamlit as st\nfrom benchhealth.dashboard.serving.options import SERVER_OPTIONS\n"
        f"st.App({str(script)!r}).run(config={{**SERVER_OPTIONS, 'server.port': port}})"
    )


async def visited(server: Server, of: Measured, runs: int = RUNS) -> Visited:
    """Open the page twice, change it so that all that can be chosen was chosen once, then measure."""
    page, change, asked = of
    async with Reader(server.address, page, None, **asked) as opened:
        await opened.visit()
    async with Reader(server.address, page, None, **asked) as reader:
        first = await reader.visit()
        before = server.processor()
        for place in range(5):
            await change(reader, place)
        fresh = (server.processor() - before) / 5
        before = server.processor()
        answered = [await change(reader, place) for place in range(runs)]
        return Visited(
            of.title or "the map, another stage",
            first,
            fresh,
            (server.processor() - before) / runs,
            statistics.median(each.seconds for each in answered),
            statistics.mean(each.wire for each in answered),
        )


async def loaded(servers: Sequence[Server], readers: int, think: float, seconds: float) -> Load:
    """Readers who open the map and change its stage after each `think` seconds, half more or less, for so long."""
    choice = random.Random(1)
    waited: list[float] = []
    began, processor = time.perf_counter(), sum(server.processor() for server in servers)

    async def read(server: Server) -> None:
        await asyncio.sleep(choice.uniform(0, think))
        async with Reader(server.address) as reader:
            await reader.visit()
            while time.perf_counter() - began < seconds:
                await asyncio.sleep(choice.uniform(0.5, 1.5) * think)
                answered = await reader.pick(STAGES, *choice.sample(range(5), choice.randint(1, 3)))
                if time.perf_counter() - began > WARM * seconds:
                    waited.append(answered.seconds)

    each = cycle(servers)
    await asyncio.gather(*(read(next(each)) for _ in range(readers)))
    used = sum(server.processor() for server in servers) - processor
    memory = max(server.memory("VmHWM") for server in servers)
    return Load(readers, think, len(servers), waited, memory, used / (time.perf_counter() - began))


def pages(dashboard_at: Server, bare_at: Server) -> Iterator[str]:
    """The lines about pages, as they are measured; marks where a limit is passed."""
    yield f"{'page':<28}{'first kB':>9}{'change: kB':>12}{'fresh ms':>10}{'ms':>8}{'ratio':>8}{'wait ms':>9}"
    stages = Measured("", _another_stage)
    base = asyncio.run(visited(bare_at, stages))
    yield _line(replace(base, page="a bare page"), base.processor)
    yield _line(asyncio.run(visited(dashboard_at, stages)), base.processor, most=MOST_TIMES)
    for page in PAGES:
        yield _line(asyncio.run(visited(dashboard_at, page, RUNS // 2)), base.processor, most=MOST_TIMES_OF_PAGE)
    yield (
        f"{'most memory of the server (MB)':<40}{dashboard_at.memory('VmHWM'):>9,.0f}"
        f"{' !' if dashboard_at.memory('VmHWM') > MOST_MEMORY else ''}   bare {bare_at.memory('VmHWM'):,.0f}"
    )


def _line(page: Visited, base: float, *, most: float = MOST_TIMES_OF_PAGE) -> str:
    times = page.processor / base
    too_much = times > most or page.first.wire > MOST_FIRST
    return (
        f"{page.page:<28}{page.first.wire / 1e3:>9,.0f}{page.wire / 1e3:>12,.0f}{page.fresh * 1e3:>10,.0f}"
        f"{page.processor * 1e3:>8,.1f}{times:>8.1f}{page.waited * 1e3:>9,.0f}{' !' if too_much else ''}"
    )


def measure(home: Path, load: Sequence[tuple[int, float, int]] = (), seconds: float = 60) -> Iterator[str]:
    """Serve and measure; `load` are readers, seconds of thinking, and processes."""
    with served(dashboard(home)) as ours, served(bare()) as theirs:
        yield from pages(ours, theirs)
    for readers, think, processes in load:
        if (readers, think, processes) == load[0]:
            heads = "".join(f"{head:>9}" for head in ("changes", "p50 ms", "p95", "p99"))
            yield f"\n{'':<34}{'processes':>10}{heads}{'processor':>11}{'MB':>9}"
        for code in (bare(), dashboard(home)):
            with ExitStack() as running:
                servers = [running.enter_context(served(code)) for _ in range(processes)]
                line = asyncio.run(loaded(servers, readers, think, seconds)).line()
            yield f"{line}{'  bare page' if code == bare() else ''}"


def main() -> None:
    """Measure over a home, or over the first generation in one that is thrown away."""
    parser = argparse.ArgumentParser(prog="python -m perf.readers", description=__doc__)
    parser.add_argument("--home", type=Path, help="a home with a published generation")
    parser.add_argument("--load", action="store_true", help="also 50 readers at 3 s and 200 at 6 s on two processes")
    parser.add_argument("--seconds", type=float, default=60)
    asked = parser.parse_args()
    load = LOADS if asked.load else ()
    with tempfile.TemporaryDirectory(prefix="benchhealth-perf-") as thrown_away:
        for line in measure(asked.home or _first(Path(thrown_away)), load, asked.seconds):
            print(line, flush=True)


def _first(home: Path) -> Path:
    from benchhealth.pipeline.night import init  # noqa: PLC0415 - slow to import, and not needed with a home
    from benchhealth.pipeline.settings import Settings  # noqa: PLC0415

    init(replace(Settings.from_environment(), home=home))
    return home


if __name__ == "__main__":
    main()
