"""Many downloads of the largest table at once: what they cost the server in memory, and how long others wait.

`python -m perf.downloads HOME` measures the dashboard over the generation in service there.
"""

import argparse
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import NamedTuple
from urllib.error import HTTPError

from perf.clock import apart

AT_ONCE = 30
TABLE = "published-result"
MOST_MEMORY = 300.0
"""Megabytes that the downloads together may take beyond what the server held before them."""

LONGEST_WAIT = 1.0
"""Seconds that `/readyz` may take meanwhile."""

_EVERY = 0.05
_PIECE = 2**20


class Cost(NamedTuple):
    """Megabytes of one download; resident megabytes before and at most; seconds of all, and the longest `/readyz`."""

    size: float
    before: float
    most: float
    seconds: float
    longest_wait: float
    asked: int


def measure(home: Path, at_once: int = AT_ONCE) -> Cost:
    """Serve the home in one process and load the largest table so many times at once from another; nothing is made yet.

    Whoever watches is a third, so that it does not wait for itself.
    """
    with _server(home) as (process, address):
        _read(f"{address}/readyz")
        before = _resident(process.pid)
        watched = _Watched(process.pid, address)
        began = time.perf_counter()
        sizes = apart(_crowd, f"{address}/csv/{TABLE}", at_once)
        seconds = time.perf_counter() - began
        watched.stop()
    if len(sizes) != 1:
        raise RuntimeError(f"the downloads differ in size: {sizes}")
    return Cost(sizes.pop() / 1e6, before, max(watched.resident), seconds, max(watched.waits), len(watched.waits))


def table(cost: Cost) -> list[str]:
    """The printed numbers; a mark where a limit is passed."""
    more = cost.most - cost.before
    return [
        f"{AT_ONCE} x {TABLE}, {cost.size:,.0f} MB each, in {cost.seconds:.1f} s",
        f"{'resident before (MB)':<40}{cost.before:>9,.0f}",
        f"{'resident at most (MB)':<40}{cost.most:>9,.0f}",
        f"{'more (MB)':<40}{more:>9,.0f}{' !' if more > MOST_MEMORY else ''}",
        f"{f'longest of {cost.asked} /readyz (s)':<40}{cost.longest_wait:>9.2f}"
        f"{' !' if cost.longest_wait > LONGEST_WAIT else ''}",
    ]


class _Watched:
    """The server's memory and the time it takes to say that it is ready, asked over and over until stopped."""

    def __init__(self, pid: int, address: str) -> None:
        self.resident: list[float] = []
        self.waits: list[float] = []
        self._stopped = threading.Event()
        self._threads = [
            threading.Thread(target=self._watch, args=(lambda: self.resident.append(_resident(pid)),)),
            threading.Thread(target=self._watch, args=(lambda: self.waits.append(_wait(address)),)),
        ]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        self._stopped.set()
        for thread in self._threads:
            thread.join()

    def _watch(self, look: Callable[[], None]) -> None:
        while not self._stopped.is_set():
            look()
            time.sleep(_EVERY)


def _crowd(address: str, at_once: int) -> set[int]:
    """The sizes of as many answers, asked for at once."""
    with ThreadPoolExecutor(at_once) as crowd:
        return set(crowd.map(_read_in_turn, [address] * at_once))


def _read_in_turn(address: str) -> int:
    """How many bytes the answer has; who is told to come again, because too many are at it, does so."""
    while True:
        try:
            return _read(address)
        except HTTPError as refused:
            if refused.code != HTTPStatus.SERVICE_UNAVAILABLE or "Retry-After" not in refused.headers:
                raise
            time.sleep(float(refused.headers["Retry-After"]))


@contextmanager
def _server(home: Path) -> Iterator[tuple["subprocess.Popen[bytes]", str]]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    imports = "from pathlib import Path; from benchhealth.dashboard.serving.server import serve"
    code = f"{imports}; serve(Path({str(home)!r}), {port})"
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    try:
        _until_ready(process, address)
        yield process, address
    finally:
        process.terminate()
        process.wait(timeout=30)


def _until_ready(process: "subprocess.Popen[bytes]", address: str) -> None:
    for _ in range(1_200):
        if process.poll() is not None:
            raise RuntimeError("the server ended before it was ready")
        try:
            _read(f"{address}/readyz")
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError("the server did not get ready")


def _wait(address: str) -> float:
    began = time.perf_counter()
    _read(f"{address}/readyz")
    return time.perf_counter() - began


def _read(address: str) -> int:
    """How many bytes the answer has."""
    size = 0
    with urllib.request.urlopen(address, timeout=600) as answer:
        while piece := answer.read(_PIECE):
            size += len(piece)
    return size


def _resident(pid: int) -> float:
    """Megabytes of memory that the process holds."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1e3
    raise RuntimeError(f"no process {pid}")


def main() -> None:
    """Measure the home named on the command line."""
    parser = argparse.ArgumentParser(prog="python -m perf.downloads", description=__doc__)
    parser.add_argument("home", type=Path)
    print("\n".join(table(measure(parser.parse_args().home))))


if __name__ == "__main__":
    main()
