"""A published small generation, a server over it and a browser."""

import os
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from benchhealth.warehouse.locking import exclusive
from tests.pipeline.conftest import bundled_home
from tests.support.home_cache import shared_home
from tests.support.ports import free_port
from tests.support.small_generation import build

__all__ = ["bundled_home"]
ROOT = Path(__file__).resolve().parents[2]
BROWSER_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    # There is a process of tests to every core: threads that compile and collect beside a page only take turns with it.
    "--js-flags=--single-threaded --min-semi-space-size=32 --max-semi-space-size=64",
)
START_SECONDS = 180
_ENDS_WITH = """import os, threading, time
def watch():
    while os.path.exists("/proc/{process}"):
        time.sleep(1)
    os._exit(0)
threading.Thread(target=watch, daemon=True).start()
"""
"""A process that many use ends with the one that started them all."""


@pytest.fixture(scope="session")
def small_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the small generation published in it."""
    home = tmp_path_factory.mktemp("home")
    build(home)
    return home


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The dashboard's address, served by a process of its own over the small generation, which nobody changes."""
    with _serving_all(shared_home("served", build)) as address:
        yield address


@pytest.fixture(scope="session")
def whole_server(bundled_home: Path) -> Iterator[str]:
    """As `server`, over the first generation of all bundled facts."""
    with _serving_all(bundled_home) as address:
        yield address


@contextmanager
def _serving_all(home: Path) -> Iterator[str]:
    """The address of one dashboard over this home for all processes of the tests, which ends with the run."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        with serving(home) as address:
            yield address
        return
    log, place = home / "server.log", home / "server.address"
    with exclusive(home / "server.lock", wait=True):
        if not place.exists():
            port = free_port()
            code = f"{_ENDS_WITH.format(process=os.getppid())}{_served(home, port)}"
            with log.open("wb") as output:
                process = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=output, stderr=output)
            _wait(f"http://127.0.0.1:{port}/readyz", process, log)
            process.returncode = 0  # others still use it when this process ends, which is no fault
            place.write_text(f"http://127.0.0.1:{port}")
    yield place.read_text()


@contextmanager
def serving(home: Path, logs: Path | None = None, login: Callable[[str], Path] | None = None) -> Iterator[str]:
    """The address of a dashboard over this home, in a process that ends with the block.

    `login` writes the secrets of a dashboard at the given address, which then demands a login.
    """
    port = free_port()
    secrets = f", login=Path({str(login(f'http://127.0.0.1:{port}'))!r})" if login else ""
    code = _served(home, port, secrets)
    with running([sys.executable, "-c", code], port, ROOT, (logs or home) / "server.log", {**os.environ}) as address:
        yield address


def _served(home: Path, port: int, login: str = "") -> str:
    """The program of a process that serves this home."""
    return (
        "from pathlib import Path; from benchhealth.dashboard.serving.server import serve; "
        "from benchhealth.pipeline.settings import now; "
        f"serve(Path({str(home)!r}), {port}, clock=now{login})"
    )


@contextmanager
def running(
    command: Sequence[str | Path], port: int, folder: Path, log: Path, environment: dict[str, str]
) -> Iterator[str]:
    """The address of what `command` serves on `port`, in a process that ends with the block."""
    with log.open("wb") as output:
        process = subprocess.Popen(command, cwd=folder, stdout=output, stderr=subprocess.STDOUT, env=environment)
        try:
            address = f"http://127.0.0.1:{port}"
            _wait(f"{address}/readyz", process, log)
            yield address
        finally:
            process.terminate()
            process.wait(timeout=20)


def _wait(address: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    for _ in range(START_SECONDS * 5):
        if process.poll() is not None:
            raise RuntimeError(f"the server ended: {log.read_text()}")
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError(f"the server did not answer: {log.read_text()}")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A real Chromium without access to anything but what a page asks for."""
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("chromium is not installed")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=list(BROWSER_ARGUMENTS))
        yield started
        started.close()
