"""SQL queries with large answers, sent through the shipped proxy to two replicas of 2 GiB each while others read pages.

`python -m tests.support.heavy_queries --home HOME` prints the answer to each query, the memory of each replica, and how
long readers waited before the queries and during them. It exits with 1 where a replica was ended because it held more
than its 2 GiB. HOME is a copy of a home.
"""

import argparse
import asyncio
import http.client
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from perf.protocol import Reader
from perf.readers import STAGES, percentile
from tests.support.growing_queries import GROWS, wide
from tests.support.proxy import NAME, Proxy
from tests.support.readers_amid_restarts import Plan, Replica, scene

LIMIT = 2 * 1024**3
"""Bytes that a replica may have, with the processes that it started: as compose and the units say."""

MOST_LETTERS = 3_990
ROWS, COLUMNS = 10_000, 60


@dataclass
class QueryLog:
    """A line for each query, the waits of readers in seconds, the memory of each replica in bytes by its port, and the
    ports of the replicas that were ended."""

    answers: list[str] = field(default_factory=list)
    waits: dict[str, list[float]] = field(default_factory=lambda: {"before": [], "meanwhile": []})
    most: dict[int, int] = field(default_factory=dict)
    before: dict[int, int] = field(default_factory=dict)
    after: dict[int, int] = field(default_factory=dict)
    ended: list[int] = field(default_factory=list)

    def lines(self) -> list[str]:
        """The lines that the command prints."""
        printed = [*self.answers]
        for when, waits in self.waits.items():
            middle, late, most = (percentile(waits, share) * 1e3 for share in (0.5, 0.95, 1))
            printed.append(
                f"readers {when}: {len(waits)} waits, p50 {middle:,.0f} ms, p95 {late:,.0f}, most {most:,.0f}"
            )
        for port, most_bytes in self.most.items():
            bytes_held = [self.before.get(port, 0), most_bytes, self.after.get(port, 0)]
            first, most_ever, last = (number / 1e6 for number in bytes_held)
            printed.append(f"replica {port}: {first:,.0f} MB before, most {most_ever:,.0f}, {last:,.0f} afterwards")
        return [*printed, f"{len(self.ended)} replicas ended"]


def memory_of_family(process: int) -> int:
    """The resident memory of a process and of all that it started, in bytes."""
    return sum(_resident(each) for each in _family(process))


def _family(process: int) -> Iterator[int]:
    yield process
    with suppress(OSError):
        for task in Path(f"/proc/{process}/task").iterdir():
            for child in (task / "children").read_text().split():
                yield from _family(int(child))


def _resident(process: int) -> int:
    with suppress(OSError):
        for line in Path(f"/proc/{process}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) * 1024
    return 0


def questions() -> Mapping[str, str]:
    """The SQL of each query by its name, with as many columns as fit into `MOST_LETTERS` characters."""
    queries = {}
    for name, expression in GROWS.items():
        columns = next(n for n in range(COLUMNS, 0, -1) if n == 1 or len(wide(expression, n, ROWS)) <= MOST_LETTERS)
        queries[name] = wide(expression, columns, ROWS)
    return queries


async def _end_what_is_too_large(replicas: Sequence[Replica], log: QueryLog) -> None:
    """End each replica that holds more than `LIMIT` bytes, as the kernel would, and start it again."""
    while True:
        for one in replicas:
            bytes_held = memory_of_family(one.process)
            log.most[one.port] = max(bytes_held, log.most.get(one.port, 0))
            if bytes_held > LIMIT:
                one.kill()
                log.ended.append(one.port)
                await one.start()
        await asyncio.sleep(0.02)


async def _read_on(number: int, proxy: Proxy, log: QueryLog, when: Sequence[str]) -> None:
    cookie = {"Cookie": f"benchhealth_at={number}", "Origin": proxy.address}
    connection = {"ssl": proxy.trust(), "local_addr": (f"127.0.1.{number}", 0), "additional_headers": cookie}
    while True:
        try:
            async with Reader(proxy.address, connection=connection) as reader:
                await reader.visit()
                for place in range(1_000_000):
                    began = time.perf_counter()
                    await reader.pick(STAGES, place % 5)
                    log.waits[when[0]].append(time.perf_counter() - began)
                    await asyncio.sleep(1)
        except Exception as error:
            log.answers.append(f"reader {number}: {type(error).__name__}: {error}")
            await asyncio.sleep(1)


def _timed_answer(proxy: Proxy, path: str, place: int) -> str:
    began = time.perf_counter()
    local_address = (f"127.0.9.{place}", 0)
    connection = http.client.HTTPSConnection(
        NAME, proxy.https, timeout=120, context=proxy.trust(), source_address=local_address
    )
    try:
        connection.request("GET", path)
        given = connection.getresponse()
        body = given.read()
        error_text = body.decode(errors="replace").strip()[:60] if given.status != http.client.OK else ""
        return f"{given.status} {len(body) / 1e6:6.2f} MB {time.perf_counter() - began:5.2f} s {error_text}"
    except http.client.HTTPException as error:
        return f"no answer ({type(error).__name__}) after {time.perf_counter() - began:.2f} s"
    finally:
        connection.close()


async def ask_all(home: Path, folder: Path, seconds: float, names: Sequence[str]) -> QueryLog:
    """Let readers read alone for `seconds`, then send the queries of these names one after another, as JSON and CSV."""
    log, when = QueryLog(), ["before"]
    async with scene(Plan(), home, folder) as made:
        replicas, proxy = made.replicas, made.proxy
        work = [asyncio.create_task(_end_what_is_too_large(replicas, log))]
        work += [asyncio.create_task(_read_on(number, proxy, log, when)) for number in range(1, 9)]
        for place in range(2):
            await asyncio.to_thread(_timed_answer, proxy, "/query.csv?sql=SELECT+1", place + 1)
        await asyncio.sleep(seconds)
        log.before = {one.port: memory_of_family(one.process) for one in replicas}
        when[0] = "meanwhile"
        for place, name in enumerate(names):
            sql = questions()[name]
            for form in ("json", "csv"):
                path = f"/query.{form}?sql={quote(sql)}"
                outcome = await asyncio.to_thread(_timed_answer, proxy, path, place + 3)
                log.answers.append(f"{name:<24} {form:<4} {len(path) / 1e3:5.1f} kB asked: {outcome}")
        await asyncio.sleep(seconds)
        log.after = {one.port: memory_of_family(one.process) for one in replicas}
        for task in work:
            task.cancel()
        await asyncio.gather(*work, return_exceptions=True)
    return log


def main() -> int:
    """Run the command line; the exit code is 1 where a replica was ended."""
    parser = argparse.ArgumentParser(prog="python -m tests.support.heavy_queries", description=__doc__)
    parser.add_argument("--home", type=Path, required=True, help="a copy of a home with a published generation")
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--only", nargs="+", choices=list(GROWS), default=list(GROWS))
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="benchhealth-amplified-") as folder:
        log = asyncio.run(ask_all(asked.home, Path(folder), asked.seconds, asked.only))
    print("\n".join(log.lines()))
    return 1 if log.ended else 0


if __name__ == "__main__":
    sys.exit(main())
