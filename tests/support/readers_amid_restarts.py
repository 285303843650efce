"""Readers of two replicas behind the shipped proxy, while generations are published and one replica is killed.

`python -m tests.support.readers_amid_restarts --home HOME --readers 200 --seconds 1800` prints how long readers waited,
their errors, and the memory of each process. It exits with 1 where a reader met an error. HOME is written to: give it
a copy.
"""

import argparse
import asyncio
import http.client
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed

from perf.protocol import Reader
from perf.readers import STAGES, Server, dashboard, percentile
from tests.support.ports import free_ports
from tests.support.proxy import NAME, Proxy, proxying

ROOT = Path(__file__).resolve().parents[2]
FILES = ("/", "/meta.json", "/data/verdict.csv", "/readyz", "/benchmark", "/search.json?q=exam")
RESTART_SECONDS = 2.0
"""As RestartSec= of the unit."""

PUBLISH = """
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.warehouse.publish import publish
from benchhealth.warehouse.read import open_current
home = Path(sys.argv[1])
with closing(open_current(home)) as served:
    tables = {name: served.table(name) for name in PUBLISHED}
publish(home, tables, datetime.now(UTC).replace(tzinfo=None))
"""
"""The generation in service once more, as a new one: for its readers that is what a night does."""


@dataclass(frozen=True)
class Plan:
    """What happens: so many readers, who think so long between two changes, while this goes on; all in seconds."""

    readers: int = 200
    seconds: float = 1800
    think: float = 15
    publish_every: float = 60
    kill_every: float = 90


@dataclass
class ReaderLog:
    """How long readers waited (seconds), their errors, and what was done to the replicas meanwhile.

    `changes` are changes of pages, `answers` files that were asked for; `memory` has for each process pairs of the
    seconds since the beginning and its megabytes.
    """

    changes: list[float] = field(default_factory=list)
    answers: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    opened_again: int = 0
    cut: int = 0
    kills: int = 0
    generations: int = 0
    memory: dict[str, list[tuple[float, float]]] = field(default_factory=dict)

    def lines(self) -> list[str]:
        """The lines that the command prints."""
        printed = [
            f"{len(self.changes):,} changes of pages: {_waits(self.changes)}",
            f"{len(self.answers):,} files: {_waits(self.answers)}; {self.cut} cut short by a kill and asked for again",
            f"{self.generations} generations published, {self.kills} kills, {self.opened_again} pages connected again",
        ]
        for name, samples in self.memory.items():
            values = [megabytes for _, megabytes in samples]
            fifth = max(1, len(values) // 5)
            parts = [
                statistics.mean(values[place * fifth : (place + 1) * fifth]) for place in range(len(values) // fifth)
            ]
            printed.append(
                f"{name}: {', '.join(f'{part:,.0f}' for part in parts)} MB by fifths, most {max(values):,.0f}"
            )
        return [*printed, f"{len(self.errors)} errors", *self.errors[:20]]


def _waits(seconds: Sequence[float]) -> str:
    if not seconds:
        return "none"
    middle, late, most = (percentile(seconds, share) * 1e3 for share in (0.5, 0.95, 1))
    return f"p50 {middle:,.0f} ms, p95 {late:,.0f}, most {most:,.0f}"


class Replica:
    """A dashboard at a port, which can be killed and started again."""

    def __init__(self, home: Path, port: int, log: Path) -> None:
        self.port, self._home, self._log = port, home, log
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def process(self) -> int:
        """The number of its process."""
        assert self._process is not None
        return self._process.pid

    async def start(self) -> None:
        """Start it and wait until it is ready. Raises RuntimeError where it ends before."""
        code = f"port = {self.port}\n{dashboard(self._home)}"
        with self._log.open("ab") as log:
            environment = {**os.environ, "BENCHHEALTH_HOSTS": NAME}
            self._process = subprocess.Popen(
                [sys.executable, "-c", code], cwd=ROOT, env=environment, stdout=log, stderr=log
            )
        while True:
            if self._process.poll() is not None:
                raise RuntimeError(f"a replica ended: {self._log.read_text()[-2000:]}")
            with suppress(OSError):
                await asyncio.to_thread(self._ready)
                return
            await asyncio.sleep(0.2)

    def _ready(self) -> None:
        urllib.request.urlopen(f"http://127.0.0.1:{self.port}/readyz", timeout=20).close()

    def kill(self) -> None:
        """End it as the kernel does where memory is short: at once, without a word."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()


class Scene:
    """The proxy, its replicas, and what readers meet there until the plan's time is over."""

    def __init__(self, plan: Plan, home: Path, proxy: Proxy, replicas: Sequence[Replica]) -> None:
        self.log = ReaderLog()
        self.proxy, self.replicas = proxy, replicas
        self._plan, self._home = plan, home
        self._choice, self._began = random.Random(1), time.perf_counter()
        self._tls = proxy.trust()

    def _is_on(self) -> bool:
        """Until the time is over and everything has happened at least once: a slow machine takes longer."""
        happened = self.log.kills and self.log.generations and len(self.log.changes) > self._plan.readers
        return not happened or time.perf_counter() - self._began < self._plan.seconds

    async def run(self) -> ReaderLog:
        """All at once; raises what is no reader's error."""
        work = [self._read(number) for number in range(self._plan.readers)]
        work += [self._ask(number) for number in range(1, 5)]
        async with asyncio.timeout(10 * self._plan.seconds + 300):
            await asyncio.gather(*work, self._publish(), self._kill(), self._weigh())
        return self.log

    def _connection(self, number: int) -> Mapping[str, Any]:
        cookie = {"Cookie": f"benchhealth_at={number}", "Origin": self.proxy.address}
        local_address = (f"127.0.{1 + number // 200}.{1 + number % 200}", 0)
        return {"ssl": self._tls, "local_addr": local_address, "additional_headers": cookie}

    async def _pause(self, seconds: float) -> None:
        left = self._plan.seconds - (time.perf_counter() - self._began)
        await asyncio.sleep(min(seconds, max(left, 0.5)))

    async def _read(self, number: int) -> None:
        """A page that is open all the time: where its socket ends it connects again, as it does in a browser."""
        await self._pause(self._choice.uniform(0, self._plan.think))
        first = True
        while self._is_on():
            try:
                async with Reader(self.proxy.address, connection=self._connection(number)) as reader:
                    self.log.opened_again += not first
                    first = False
                    await reader.visit()
                    while self._is_on():
                        await self._pause(self._choice.uniform(0.5, 1.5) * self._plan.think)
                        chosen = self._choice.sample(range(5), self._choice.randint(1, 3))
                        self.log.changes.append((await reader.pick(STAGES, *chosen)).seconds)
            except ConnectionClosed:
                continue
            except Exception as error:
                self.log.errors.append(f"reader {number}: {type(error).__name__}: {error}")
                await asyncio.sleep(1)

    async def _ask(self, number: int) -> None:
        """A program that asks for files, four in ten seconds."""
        while self._is_on():
            path = self._choice.choice(FILES)
            try:
                status, took = await asyncio.to_thread(self._answer, path, f"127.0.9.{number}")
            except (http.client.IncompleteRead, http.client.RemoteDisconnected):
                self.log.cut += 1
                continue
            if status != 200:
                self.log.errors.append(f"{path}: {status}")
            self.log.answers.append(took)
            await self._pause(2.5 * self._choice.uniform(0.5, 1.5))

    def _answer(self, path: str, local_host: str) -> tuple[int, float]:
        began = time.perf_counter()
        connection = http.client.HTTPSConnection(
            NAME, self.proxy.https, timeout=120, context=self._tls, source_address=(local_host, 0)
        )
        try:
            connection.request("GET", path)
            given = connection.getresponse()
            given.read()
            return given.status, time.perf_counter() - began
        finally:
            connection.close()

    async def _publish(self) -> None:
        await self._pause(self._plan.publish_every)
        while self._is_on():
            command = [sys.executable, "-c", PUBLISH, str(self._home)]
            done = await asyncio.create_subprocess_exec(*command, cwd=ROOT)
            assert await done.wait() == 0
            self.log.generations += 1
            await self._pause(self._plan.publish_every)

    async def _kill(self) -> None:
        """The last replica dies and comes back as systemd brings it back; the first lives on, to be weighed."""
        await self._pause(self._plan.kill_every)
        while self._is_on():
            self.replicas[-1].kill()
            self.log.kills += 1
            await asyncio.sleep(RESTART_SECONDS)
            if self._is_on():
                await self.replicas[-1].start()
            await self._pause(self._plan.kill_every)

    async def _weigh(self) -> None:
        while self._is_on():
            seconds = time.perf_counter() - self._began
            for name, process in (("first replica", self.replicas[0].process), ("proxy", self.proxy.process.pid)):
                weighed = Server("", process).memory()
                self.log.memory.setdefault(name, []).append((seconds, weighed))
            await self._pause(5)


@asynccontextmanager
async def scene(plan: Plan, home: Path, folder: Path) -> AsyncIterator[Scene]:
    """Two replicas over a home behind the shipped proxy; their logs are written to `folder`."""
    async with AsyncExitStack() as running:
        replicas = [Replica(home, port, folder / f"replica-{port}.log") for port in free_ports(2)]
        for replica in replicas:
            await replica.start()
            running.callback(replica.kill)
        (folder / "nginx").mkdir()
        proxy = running.enter_context(proxying(folder / "nginx", [replica.port for replica in replicas]))
        yield Scene(plan, home, proxy, replicas)


async def play(plan: Plan, home: Path, folder: Path) -> ReaderLog:
    """Play a plan to its end over this home; logs are written to `folder`."""
    async with scene(plan, home, folder) as made:
        return await made.run()


def main() -> int:
    """Run the command line; the exit code is 1 where a reader met an error."""
    parser = argparse.ArgumentParser(prog="python -m tests.support.readers_amid_restarts", description=__doc__)
    parser.add_argument("--home", type=Path, required=True, help="a copy of a home with a published generation")
    parser.add_argument("--memory", type=Path, help="write what was weighed, as JSON")
    for name, default in vars(Plan()).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(default), default=default)
    asked = vars(parser.parse_args())
    home, memory = asked.pop("home"), asked.pop("memory")
    with tempfile.TemporaryDirectory(prefix="benchhealth-restarts-") as folder:
        log = asyncio.run(play(Plan(**asked), home, Path(folder)))
    print("\n".join(log.lines()))
    if memory:
        memory.write_text(json.dumps(log.memory))
    return 1 if log.errors else 0


if __name__ == "__main__":
    sys.exit(main())
