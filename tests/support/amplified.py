"""Questions whose answers grow, asked through the shipped proxy of two replicas that may have 2 GiB each, amid readers.

`python -m tests.support.amplified --home HOME` prints what each was answered, what memory the replicas held, and how
long readers waited before and meanwhile; it ends with 1 where a replica was ended. HOME is a copy of a home.
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
from tests.support.growing import GROWS, wide
from tests.support.proxy import NAME, Proxy
from tests.support.through import Plan, Replica, scene

LIMIT = 2 * 1024**3
"""Bytes that a replica may have, with the processes that it started: as compose and the units say."""

MOST_LETTERS = 3_990
ROWS, COLUMNS = 10_000, 60


@dataclass
class Seen:
    """A line for each question, the waits of readers in seconds, bytes of each replica, and who was ended."""

    answers: list[str] = field(default_factory=list)
    waits: dict[str, list[float]] = field(default_factory=lambda: {"before": [], "meanwhile": []})
    most: dict[int, int] = field(default_factory=dict)
    before: dict[int, int] = field(default_factory=dict)
    after: dict[int, int] = field(default_factory=dict)
    ended: list[int] = field(default_factory=list)

    def lines(self) -> list[str]:
        """What is printed."""
        said = [*self.answers]
        for when, found in self.waits.items():
            middle, late, most = (percentile(found, share) * 1e3 for share in (0.5, 0.95, 1))
            said.append(f"readers {when}: {len(found)} waits, p50 {middle:,.0f} ms, p95 {late:,.0f}, most {most:,.0f}")
        for port, most_bytes in self.most.items():
            held = [self.before.get(port, 0), most_bytes, self.after.get(port, 0)]
            first, most_ever, last = (number / 1e6 for number in held)
            said.append(f"replica {port}: {first:,.0f} MB before, most {most_ever:,.0f}, {last:,.0f} afterwards")
        return [*said, f"{len(self.ended)} replicas ended"]


def held(process: int) -> int:
    """Bytes that a process and all that it started hold."""
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
    """The questions by name, each as many times as wide as its letters allow."""
    found = {}
    for name, expression in GROWS.items():
        columns = next(n for n in range(COLUMNS, 0, -1) if n == 1 or len(wide(expression, n, ROWS)) <= MOST_LETTERS)
        found[name] = wide(expression, columns, ROWS)
    return found


async def _limited(replicas: Sequence[Replica], seen: Seen) -> None:
    """End a replica that holds too much, as the kernel does."""
    while True:
        for one in replicas:
            bytes_held = held(one.process)
            seen.most[one.port] = max(bytes_held, seen.most.get(one.port, 0))
            if bytes_held > LIMIT:
                one.kill()
                seen.ended.append(one.port)
                await one.start()
        await asyncio.sleep(0.02)


async def _reads(number: int, proxy: Proxy, seen: Seen, when: Sequence[str]) -> None:
    cookie = {"Cookie": f"benchhealth_at={number}", "Origin": proxy.address}
    connection = {"ssl": proxy.trust(), "local_addr": (f"127.0.1.{number}", 0), "additional_headers": cookie}
    while True:
        try:
            async with Reader(proxy.address, connection=connection) as reader:
                await reader.visit()
                for place in range(1_000_000):
                    began = time.perf_counter()
                    await reader.pick(STAGES, place % 5)
                    seen.waits[when[0]].append(time.perf_counter() - began)
                    await asyncio.sleep(1)
        except Exception as error:
            seen.answers.append(f"reader {number}: {type(error).__name__}: {error}")
            await asyncio.sleep(1)


def _asked(proxy: Proxy, path: str, place: int) -> str:
    began = time.perf_counter()
    at = (f"127.0.9.{place}", 0)
    connection = http.client.HTTPSConnection(NAME, proxy.https, timeout=120, context=proxy.trust(), source_address=at)
    try:
        connection.request("GET", path)
        given = connection.getresponse()
        body = given.read()
        said = body.decode(errors="replace").strip()[:60] if given.status != http.client.OK else ""
        return f"{given.status} {len(body) / 1e6:6.2f} MB {time.perf_counter() - began:5.2f} s {said}"
    except http.client.HTTPException as error:
        return f"no answer ({type(error).__name__}) after {time.perf_counter() - began:.2f} s"
    finally:
        connection.close()


async def tried(home: Path, folder: Path, seconds: float, names: Sequence[str]) -> Seen:
    """Readers alone for so long, then all questions of these names in both forms, one after another."""
    seen, when = Seen(), ["before"]
    async with scene(Plan(), home, folder) as made:
        replicas, proxy = made.replicas, made.proxy
        work = [asyncio.create_task(_limited(replicas, seen))]
        work += [asyncio.create_task(_reads(number, proxy, seen, when)) for number in range(1, 9)]
        for place in range(2):
            await asyncio.to_thread(_asked, proxy, "/query.csv?sql=SELECT+1", place + 1)
        await asyncio.sleep(seconds)
        seen.before = {one.port: held(one.process) for one in replicas}
        when[0] = "meanwhile"
        for place, name in enumerate(names):
            sql = questions()[name]
            for form in ("json", "csv"):
                path = f"/query.{form}?sql={quote(sql)}"
                said = await asyncio.to_thread(_asked, proxy, path, place + 3)
                seen.answers.append(f"{name:<24} {form:<4} {len(path) / 1e3:5.1f} kB asked: {said}")
        await asyncio.sleep(seconds)
        seen.after = {one.port: held(one.process) for one in replicas}
        for task in work:
            task.cancel()
        await asyncio.gather(*work, return_exceptions=True)
    return seen


def main() -> int:
    """Try all and print what was seen."""
    parser = argparse.ArgumentParser(prog="python -m tests.support.amplified", description=__doc__)
    parser.add_argument("--home", type=Path, required=True, help="a copy of a home with a published generation")
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--only", nargs="+", choices=list(GROWS), default=list(GROWS))
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="benchhealth-amplified-") as folder:
        seen = asyncio.run(tried(asked.home, Path(folder), asked.seconds, asked.only))
    print("\n".join(seen.lines()))
    return 1 if seen.ended else 0


if __name__ == "__main__":
    sys.exit(main())
