"""`python -m perf.pictures`: pictures of every page over the bundled facts: wide, narrow, light, dark.

They go to build/pictures; the one that README shows goes to docs/pictures too.
"""

import argparse
import io
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, NamedTuple

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from benchhealth.dashboard.pages import PAGES

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "build" / "pictures"
OF_README = ROOT / "docs" / "pictures" / "overview-1280-light.png"
COLOURS = 200
PATIENCE = 60_000  # milliseconds

OPENED: dict[str, str] = {
    "overview": "",
    "benchmark": "benchmark?benchmark=mmlu",
    "models": "models?model=gpt-4o-2024-05-13",
    "methods": "methods?topic=headroom",
    "report": "report?domain=coding",
    "search": "search?q=claude",
}
"""Where a page is opened that says more with something chosen."""


MONTHS: dict[str, str] = {
    "years-2014": "?at=2014-12",
    "years-2019": "?at=2019-06",
    "years-2023": "?at=2023-06",
    "years-now": "?at=2026-08",
}
"""The map through the years, taken with the map."""


class Look(NamedTuple):
    """How a window shows a page."""

    width: int
    height: int
    scheme: Literal["light", "dark"]


LOOKS = tuple(Look(*size, scheme) for size in ((1280, 1000), (390, 844)) for scheme in ("light", "dark"))
OF_MONTHS = (LOOKS[0], LOOKS[-1])
"""How the pictures of MONTHS are taken: wide and light, narrow and dark."""


def main() -> None:
    """Serve a home, the bundled facts where none is given, and write what a browser shows of it."""
    parser = argparse.ArgumentParser(prog="python -m perf.pictures", description=__doc__)
    parser.add_argument("pages", nargs="*", help="pages by their addresses; all without")
    parser.add_argument("--home", type=Path, help="a generation is published there; one of the bundled facts without")
    asked = parser.parse_args()
    named = [spec.url_path for spec in PAGES if not asked.pages or spec.url_path in asked.pages]
    with tempfile.TemporaryDirectory() as made:
        home: Path = asked.home or _built(Path(made))
        with _served(home, Path(made) / "server.log") as server:
            written = taken(server, named)
    for file in written:
        print(f"{file.relative_to(ROOT)}  {file.stat().st_size:,} bytes")
        if file.name == OF_README.name:
            shutil.copyfile(file, OF_README)


def taken(server: str, pages: Sequence[str]) -> list[Path]:
    """The files written of these pages."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu", "--no-first-run"]
        )
        files = [file for look in LOOKS for file in _in_look(browser, server, _named(pages, look), look)]
        browser.close()
    return files


def _named(pages: Sequence[str], look: Look) -> list[str]:
    return [*pages, *(MONTHS if PAGES[0].url_path in pages and look in OF_MONTHS else ())]


def _in_look(browser: Browser, server: str, pages: Sequence[str], look: Look) -> Iterator[Path]:
    context = browser.new_context(viewport={"width": look.width, "height": look.height}, color_scheme=look.scheme)
    page = context.new_page()
    for name in pages:
        page.goto(f"{server}/{(OPENED | MONTHS).get(name, name)}")
        _at_rest(page)
        file = FOLDER / f"{name}-{look.width}-{look.scheme}.png"
        _small(page.screenshot()).save(file, optimize=True)
        yield file
    context.close()


def _at_rest(page: Page) -> None:
    """Until the page is drawn to its end, and its charts with it."""
    page.get_by_text("not accusations").wait_for(state="attached", timeout=PATIENCE)
    page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]').wait_for(
        state="attached", timeout=PATIENCE
    )
    for chart in page.get_by_test_id("stPlotlyChart").filter(visible=True).all():
        chart.locator(".main-svg").first.wait_for(timeout=PATIENCE)
    for frame in page.frames:
        frame.wait_for_load_state("load", timeout=PATIENCE)
    page.wait_for_timeout(1_500)  # letters and images come a moment later


def _small(png: bytes) -> Image.Image:
    """The picture in few colours: pages are paper, ink and a handful of roles."""
    with Image.open(io.BytesIO(png)) as picture:
        return picture.convert("RGB").quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)


def _built(home: Path) -> Path:
    subprocess.run(
        [sys.executable, "-m", "benchhealth.pipeline.cli", "init"],
        cwd=ROOT,
        env={**os.environ, "BENCHHEALTH_HOME": str(home)},
        check=True,
    )
    return home


@contextmanager
def _served(home: Path, log: Path) -> Iterator[str]:
    """The address of a server of its own over this home."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    code = (
        "import sys; from pathlib import Path; from benchhealth.dashboard.serving.server import serve; "
        "serve(Path(sys.argv[1]), int(sys.argv[2]))"
    )
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-c", code, str(home), str(port)], cwd=ROOT, stdout=output, stderr=subprocess.STDOUT
        )
        try:
            address = f"http://127.0.0.1:{port}"
            _answers(f"{address}/readyz")
            yield address
        finally:
            process.terminate()
            process.wait(timeout=20)


def _answers(address: str) -> None:
    for _ in range(600):
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except OSError:
            time.sleep(0.2)
    raise TimeoutError(f"{address} does not answer")


if __name__ == "__main__":
    main()
