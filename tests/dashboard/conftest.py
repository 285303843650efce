"""A published small generation, a server over it and a browser, each made once for the whole run."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.pipeline.conftest import bundled_home
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
)
START_SECONDS = 180


@pytest.fixture(scope="session")
def small_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the small generation published in it."""
    home = tmp_path_factory.mktemp("home")
    build(home)
    return home


@pytest.fixture(scope="session")
def server(small_home: Path) -> Iterator[str]:
    """The dashboard's address, served by a process of its own over the small generation."""
    with serving(small_home) as address:
        yield address


@pytest.fixture(scope="session")
def whole_server(bundled_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """As `server`, over the first generation of all bundled facts."""
    with serving(bundled_home, tmp_path_factory.mktemp("whole")) as address:
        yield address


@contextmanager
def serving(home: Path, logs: Path | None = None, login: Callable[[str], Path] | None = None) -> Iterator[str]:
    """The address of a dashboard over this home, in a process that ends with the block.

    `login` writes the secrets of a dashboard at the given address, which then demands a login.
    """
    port = free_port()
    secrets = f", login=Path({str(login(f'http://127.0.0.1:{port}'))!r})" if login else ""
    code = (
        "from pathlib import Path; from benchhealth.dashboard.serving.server import serve; "
        "from benchhealth.pipeline.settings import now; "
        f"serve(Path({str(home)!r}), {port}, clock=now{secrets})"
    )
    with running([sys.executable, "-c", code], port, ROOT, (logs or home) / "server.log", {**os.environ}) as address:
        yield address


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


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
