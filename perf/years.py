"""`python -m perf.years`: the map through the years: what it takes over the socket, and the time of 60 steps.

Steps are drawn in a real browser, one a frame, as they are while it plays as fast as it can.
"""

import argparse
import asyncio
import gzip
import shutil
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import sync_playwright

from perf.protocol import Reader
from perf.readers import dashboard, served

STEPS, FROM = 60, 100
MONTH = "2019-06"
WIDTHS = (1280, 390)

STEPPED = """async ([from, steps, drawn]) => {
  const slider = document.querySelector(".years input"), began = performance.now();
  for (let month = from; month < from + steps; month += 1) {
    slider.value = month;
    slider.dispatchEvent(new Event("input"));
    if (drawn) await new Promise((frame) => requestAnimationFrame(frame));
    else document.body.offsetWidth;
  }
  return performance.now() - began;
}"""
"""Moves the slider month by month and waits for each frame, or for the layout alone; the milliseconds."""


def measure(home: Path) -> Iterator[str]:
    """The lines of the report over a home with a generation."""
    with served(dashboard(home)) as server:
        first, later = asyncio.run(_views(server.address))
        script = urllib.request.urlopen(f"{server.address}/years.js").read()
        yield f"{'first view of the map, kB over the socket':<52}{first / 1e3:>10,.1f}"
        yield f"{'the map through the years after it':<52}{later / 1e3:>10,.1f}"
        packed = len(gzip.compress(script))
        yield f"{'its script, packed (as it is)':<52}{packed / 1e3:>10,.1f} ({len(script) / 1e3:,.1f})"
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu", "--no-first-run"]
            )
            for width in WIDTHS:
                page = browser.new_page(viewport={"width": width, "height": 900})
                page.goto(f"{server.address}/?at={MONTH}")
                page.locator(".years-plot svg").first.wait_for()
                drawn, laid_out = (page.evaluate(STEPPED, [FROM, STEPS, each]) for each in (True, False))
                yield f"{f'{STEPS} steps at {width} pixels: drawn, laid out (ms)':<52}{drawn:>10,.0f}{laid_out:>8,.0f}"
            browser.close()


async def _views(address: str) -> tuple[int, int]:
    """Bytes of a first view of the map, and of the map through the years after it."""
    async with Reader(address) as reader:
        await reader.visit()
    async with Reader(address) as reader:
        first = await reader.visit()
        later = await reader.visit(at=MONTH)
    return first.wire, later.wire


def main() -> None:
    """Measure over a home."""
    parser = argparse.ArgumentParser(prog="python -m perf.years", description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    for line in measure(parser.parse_args().home):
        print(line, flush=True)


if __name__ == "__main__":
    main()
